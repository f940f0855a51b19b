#include "agent/stacks.h"

#include <stdlib.h>

#include "control/orders.h"
#include "jfr/encode.h"

void stacks_begin(struct buf *stack, bool is_truncated, uint32_t count)
{
	buf_reset(stack);
	encode_boolean(stack, is_truncated);
	encode_int(stack, (int32_t)count);
}

struct method_place stacks_frame(struct buf *stack, struct methods *methods,
				 JNIEnv *jni, jmethodID method, int64_t bytecode,
				 uint64_t type)
{
	struct method_place place = methods_place(methods, jni, method, bytecode);

	if (place.is_native)
		type = constants_string(methods->constants, POOL_FRAME_TYPE,
					STR("Native"));
	encode_long(stack, (int64_t)place.method);
	encode_int(stack, place.line);
	encode_int(stack, bytecode < 0 ? 0 : (int32_t)bytecode);
	encode_long(stack, (int64_t)type);
	return place;
}

uint64_t stacks_end(const struct buf *stack, struct constants *constants)
{
	return constants_intern_buf(constants, POOL_STACK_TRACE, stack);
}

static uint64_t intern(struct methods *methods, JNIEnv *jni,
		       const jvmtiFrameInfo *frames, int count, bool is_truncated)
{
	struct buf stack = { 0 };
	uint64_t key;

	stacks_begin(&stack, is_truncated, (uint32_t)count);
	for (int i = 0; i < count; i++)
		stacks_frame(&stack, methods, jni, frames[i].method, frames[i].location,
			     0);
	key = stacks_end(&stack, methods->constants);
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
		key = intern(methods, jni, frames, count > most ? most : count,
			     count > most);
	free(frames);
	return key;
}
