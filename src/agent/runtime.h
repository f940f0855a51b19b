/*
 * runtime.h - java.lang.CjfrRuntime: what probes call, in the JVM that we are in.
 *
 * Its source is src/runtime/java/lang/CjfrRuntime.java, compiled when cjfr is built, one
 * class file for JDK 8 and one for later ones, which are in the agent. It is defined by
 * the boot loader, in java.base, where every class of every loader can see it.
 */
#ifndef AGENT_RUNTIME_H
#define AGENT_RUNTIME_H

#include "agent/jvm.h"
#include "base/err.h"
#include "probe/counters.h"

#define RUNTIME_CLASS "java/lang/CjfrRuntime"

/* What its native methods call; the calling thread is one of the JVM's. */
struct runtime_calls {
	/*
	 * A traced call ended that took as long as the threshold. `java_tid` is the
	 * number of the virtual thread it was on, 0: of none. The frames of the runtime
	 * and of the method itself are the innermost RUNTIME_FRAMES on the stack.
	 */
	void (*traced)(JNIEnv *jni, int64_t start, int64_t end, uint32_t id,
		       int64_t java_tid);
	/* True if that is a thread of the recorder's own, which is not counted. */
	bool (*is_ours)(void);
};

#define RUNTIME_FRAMES 3	/* CjfrRuntime.traced, .trace, the method */

/*
 * Defines and initialises it, once for a JVM; the live phase has begun. It stays, as the
 * calls do, and the counters that it gets: also when the agent goes, and comes again. May
 * be called again. ERR_SYSTEM says what the JVM did not take, or that it has a class of
 * that name by another library than this.
 */
bool runtime_define(const struct jvm *jvm, JNIEnv *jni,
		    const struct runtime_calls *calls, struct err *err);

/* Of this JVM. NULL: it is not defined. */
struct counters *runtime_counters(void);

/* Nanoseconds from which on traced calls are told; INT64_MAX: none is. */
void runtime_set_threshold(JNIEnv *jni, int64_t threshold);

#endif
