/*
 * stacks.h - where in the program a thread is: stack traces as constants.
 *
 * Any thread of the JVM; classes and methods on a stack get their keys. Not for signal
 * handlers.
 */
#ifndef AGENT_STACKS_H
#define AGENT_STACKS_H

#include <stdint.h>

#include "agent/methods.h"
#include "agent/jvm.h"

/*
 * The key of the calling thread's stack, its innermost `depth` frames but for so many
 * that are skipped; 0: it has no others, or without memory. How a frame runs (compiled
 * or not) is not seen; that it is native is.
 */
uint64_t stacks_here(struct methods *methods, JNIEnv *jni, int skipped, int64_t depth);

/* The same of frames that were asked for. */
uint64_t stacks_intern(struct methods *methods, JNIEnv *jni,
		       const jvmtiFrameInfo *frames, int count, bool is_truncated);

#endif
