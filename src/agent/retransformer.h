/*
 * retransformer.h - classes that are loaded already go through the class hook once more.
 */
#ifndef AGENT_RETRANSFORMER_H
#define AGENT_RETRANSFORMER_H

#include "agent/agent.h"

/*
 * Those that filters may mean, and that have no probes yet. What is not linked waits until
 * it is prepared: who links a class while the JVM retransforms it, and who retransforms it
 * while it is linked, would wait for each other.
 */
void retransformer_put(struct agent *agent, JNIEnv *jni);

/* Those that have probes: the hook is not to put them in again. */
void retransformer_take_out(struct agent *agent, JNIEnv *jni);

/*
 * One that is just prepared. If others are at it on this thread, who had it linked so, it is
 * put off until the next round, which is the flusher's.
 */
void retransformer_one(struct agent *agent, JNIEnv *jni, jclass type);
void retransformer_round(struct agent *agent, JNIEnv *jni);

/* True if it is prepared now, and has waited for that. */
bool retransformer_has_waited(struct agent *agent, JNIEnv *jni, jclass type);

/* A class, asked of the JVM; it has to be given back. False: it can have no probes. */
struct retransformer_class {
	char *signature;		/* of the JVM's */
	char *name;			/* "a/b/C", in it */
	uint64_t loader;		/* POOL_CLASS_LOADER; 0: the boot loader */
	bool is_known;			/* methods of it have probes, or had */
};
bool retransformer_read(struct retransformer_class *of, struct agent *agent,
			JNIEnv *jni, jclass type);
void retransformer_clear(struct retransformer_class *of, struct agent *agent);

/* If it has probes, and is linked, it is known by its key from now on. */
void retransformer_bind(struct agent *agent, JNIEnv *jni, jclass type);

#endif
