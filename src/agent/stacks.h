/*
 * stacks.h - where in the program a thread is: stack traces as constants.
 */
#ifndef AGENT_STACKS_H
#define AGENT_STACKS_H

#include <stdint.h>

#include "agent/classes.h"
#include "agent/jvm.h"

/*
 * The key of the calling thread's stack, its innermost `depth` frames but for so many that
 * are skipped; 0: it has no others. How a frame runs (compiled or not) is not seen; that
 * it is native is.
 */
uint64_t stacks_here(struct classes *classes, JNIEnv *jni, int skipped, int64_t depth);

#endif
