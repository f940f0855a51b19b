/*
 * stacks.h - where in the program a thread is: stack traces as constants.
 *
 * Any thread of the JVM; classes and methods on a stack get their keys. Not for signal
 * handlers.
 */
#ifndef AGENT_STACKS_H
#define AGENT_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/methods.h"
#include "agent/jvm.h"
#include "base/buf.h"

/*
 * The key of the calling thread's stack, its innermost `depth` frames but for so many
 * that are skipped; 0: it has no others, or without memory. How a frame runs (compiled
 * or not) is not seen; that it is native is.
 */
uint64_t stacks_here(struct methods *methods, JNIEnv *jni, int skipped, int64_t depth);

/* A stack whose frames come one by one, the innermost first: */
void stacks_begin(struct buf *stack, bool is_truncated, uint32_t count);

/* `type` is POOL_FRAME_TYPE; 0: not known. Gives the place of the frame. */
struct method_place stacks_frame(struct buf *stack, struct methods *methods,
				 JNIEnv *jni, jmethodID method, int64_t bytecode,
				 uint64_t type);

/* Its key, when it has all its frames; 0 without memory. */
uint64_t stacks_end(const struct buf *stack, struct constants *constants);

#endif
