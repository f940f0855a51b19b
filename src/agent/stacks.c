#include "agent/stacks.h"

#include <stdlib.h>

#include "control/orders.h"
#include "engine/stack.h"

uint64_t stacks_intern(struct methods *methods, JNIEnv *jni,
		       const jvmtiFrameInfo *frames, int count, bool is_truncated)
{
	struct method_place place;
	struct buf stack = { 0 };
	uint64_t key;

	stack_begin(&stack, is_truncated, (uint32_t)count);
	for (int i = 0; i < count; i++) {
		place = methods_place(methods, jni, frames[i].method,
				      frames[i].location);
		stack_frame(&stack, methods->constants, &place, frames[i].location, 0);
	}
	key = stack_end(&stack, methods->constants);
	buf_clear(&stack);
	return key;
}

uint64_t stacks_here(struct methods *methods, JNIEnv *jni, int skipped, int64_t depth)
{
	jvmtiEnv *jvmti = methods->jvm->jvmti;
	jvmtiFrameInfo *frames;
	uint64_t key = 0;
	jint most = (jint)(depth < ORDERS_STACK_DEPTH_MAX ? depth
							  : ORDERS_STACK_DEPTH_MAX);
	jint count = 0;

	/* One more tells whether there are more. */
	frames = calloc((size_t)most + 1, sizeof(*frames));
	if (!frames)
		return 0;
	if ((*jvmti)->GetStackTrace(jvmti, NULL, skipped, most + 1, frames, &count) ==
		    JVMTI_ERROR_NONE && count > 0)
		key = stacks_intern(methods, jni, frames, count > most ? most : count,
				    count > most);
	free(frames);
	return key;
}
