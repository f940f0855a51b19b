/*
 * instrumenter.h - classes of this JVM get probes, and lose them again.
 *
 * While there is a filter, each class that is loaded comes by (ClassFileLoadHook), and those
 * that are there are retransformed; a class that is below a type of a filter (+a.b.C) is
 * when it is prepared, before its code runs. What others make of classes, before or after
 * us, stays: we get its bytes. Without a filter nothing is asked of the JVM at all.
 *
 * The hook may come on any thread, and runs no code of Java's.
 */
#ifndef AGENT_INSTRUMENTER_H
#define AGENT_INSTRUMENTER_H

#include <stdbool.h>

#include "agent/agent.h"

/* Which capabilities it takes, if there are filters in these. Before they hold. */
void instrumenter_want(const struct event_settings *settings,
		       jvmtiCapabilities *wanted);

/*
 * Filters are read, the runtime is defined, classes get their probes. The observer's
 * start (methodtiming.c). False: ERR_USAGE, ERR_SYSTEM.
 */
bool instrumenter_start(struct agent *agent, JNIEnv *jni, struct err *err);

/*
 * The recording ends. Filters that selected nothing are told; then, if the JVM lives on,
 * classes lose their probes. Counts stay.
 */
void instrumenter_stop(struct agent *agent, JNIEnv *jni);

/* Callbacks (entry.c). */
struct instrumenter_bytes {
	jclass redefined;		/* NULL: it is new */
	jobject loader;
	const char *name;		/* may be NULL */
	const unsigned char *bytes;
	jint size;
	jint *new_size;
	unsigned char **new_bytes;
};
void instrumenter_class_bytes(struct agent *agent, JNIEnv *jni,
			      const struct instrumenter_bytes *of);
void instrumenter_class_loaded(struct agent *agent, JNIEnv *jni, jclass type);
void instrumenter_class_prepared(struct agent *agent, JNIEnv *jni, jclass type);
void instrumenter_thread_ended(struct agent *agent, JNIEnv *jni, jthread thread);

/* What was put off is done. The flusher's, before a round. */
void instrumenter_round(struct agent *agent, JNIEnv *jni);

/* What bore the tag is gone (freed.h). The flusher's. */
void instrumenter_freed(struct agent *agent, jlong tag);

#endif
