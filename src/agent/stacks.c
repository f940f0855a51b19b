#include "agent/stacks.h"

#include <stdlib.h>

#include "control/orders.h"
#include "jfr/encode.h"

static void encode_frame(struct buf *to, struct methods *methods, JNIEnv *jni,
			 const jvmtiFrameInfo *frame)
{
	struct method_place place = methods_place(methods, jni, frame->method,
						 frame->location);
	uint64_t type = 0;

	if (place.is_native)
		type = constants_string(methods->constants, POOL_FRAME_TYPE,
					STR("Native"));
	encode_long(to, (int64_t)place.method);
	encode_int(to, place.line);
	encode_int(to, frame->location < 0 ? 0 : (int32_t)frame->location);
	encode_long(to, (int64_t)type);
}

static uint64_t intern(struct methods *methods, JNIEnv *jni,
		       const jvmtiFrameInfo *frames, int count, bool is_truncated)
{
	struct buf value = { 0 };
	uint64_t key;

	encode_boolean(&value, is_truncated);
	encode_int(&value, count);
	for (int i = 0; i < count; i++)
		encode_frame(&value, methods, jni, &frames[i]);
	key = constants_intern_buf(methods->constants, POOL_STACK_TRACE, &value);
	buf_clear(&value);
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
