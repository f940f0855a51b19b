/*
 * ownstack.h - the stack of the thread that asks, as fast as the JVM can tell it.
 *
 * HotSpot makes objects of its own of all frames when JVMTI asks for them. What samplers
 * ask (sampler/walk.h) it answers in half of the time, and the same; it does if classes
 * are told of when they are loaded, and where methods have their numbers already. Where
 * it does not, JVMTI is asked.
 *
 * Any thread of the JVM, in native code.
 */
#ifndef AGENT_OWNSTACK_H
#define AGENT_OWNSTACK_H

#include "agent/jvm.h"

#define OWNSTACK_FRAMES 128

/* Makes it fast, once the JVM is up. Not doing that does no harm. */
void ownstack_init(const struct jvm *jvm);

/*
 * At most `most` frames (OWNSTACK_FRAMES), from the innermost on but for `skipped` (8 at
 * most), and one more if there are more: `frames` has room for most + 1. Gives how many;
 * 0: there is none. A virtual thread's own frames alone.
 */
int ownstack_read(const struct jvm *jvm, JNIEnv *jni, int skipped, int most,
		  bool is_virtual, jvmtiFrameInfo *frames);

#endif
