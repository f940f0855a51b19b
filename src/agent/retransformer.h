/*
 * retransformer.h - classes that are loaded already go through the class hook once more.
 */
#ifndef AGENT_RETRANSFORMER_H
#define AGENT_RETRANSFORMER_H

#include "agent/agent.h"

/*
 * Those that filters may mean, and that the hook has not seen since they hold; and those
 * that have probes of filters that held before. What is not linked waits until it is
 * prepared: who links a class while the JVM retransforms it, and who retransforms it
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

/* What was put off is given up. No callback comes any more. */
void retransformer_drop(struct agent *agent, JNIEnv *jni);

/*
 * True if filters may mean it, and the hook has not seen it since they hold: it was loaded,
 * or on its way, when the hook came to be. Or it has probes of filters before these.
 */
bool retransformer_is_to_have(struct agent *agent, JNIEnv *jni, jclass type);

/* True if that native method is what the calling thread is in. */
bool retransformer_is_called_by(struct agent *agent, const char *signature,
				const char *method);

/*
 * The hook has seen one that is there and is being changed. Whether the JVM took that is
 * found by retransformer_look, later, if others do it.
 */
void retransformer_changed(struct agent *agent, JNIEnv *jni, jclass type);
void retransformer_look(struct agent *agent, JNIEnv *jni);

#endif
