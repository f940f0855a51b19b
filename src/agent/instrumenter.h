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
#include "control/facts.h"

/*
 * Which capabilities it takes, if the settings have filters. Before they hold; what was not
 * asked for by then it takes when it starts.
 */
void instrumenter_want(const struct event_settings *settings,
		       jvmtiCapabilities *wanted);

/*
 * Filters of the settings are read, the runtime is defined, if it is not yet, and classes
 * get their probes; counts begin at 0. The observer's start (methodtiming.c), as often as
 * it comes. Without filters nothing is done. False: ERR_USAGE, ERR_SYSTEM.
 */
bool instrumenter_start(struct agent *agent, JNIEnv *jni, struct err *err);

/*
 * The settings are others. A threshold holds at once; of other filters those classes get
 * probes, or lose them, whose methods are meant now, or no more; methods that still are go
 * on counting. It starts or stops by that, too. False as above: then all is as it was.
 */
bool instrumenter_change(struct agent *agent, JNIEnv *jni, struct err *err);

/*
 * Nothing is recorded any more. Filters that selected nothing are told; then, if the JVM
 * lives on, classes lose their probes. Counts stay until the next start.
 */
void instrumenter_stop(struct agent *agent, JNIEnv *jni);

/*
 * The agent leaves the JVM, and its environment will be no more: what has numbers keeps
 * them for the one that comes next (orphans.h). Nothing is recorded any more, no thread is
 * inside, and the flusher makes no rounds.
 */
void instrumenter_clear(struct agent *agent, JNIEnv *jni);

/* How many classes and methods have probes just now. */
void instrumenter_tell(struct agent *agent, struct engine_facts *facts);

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
