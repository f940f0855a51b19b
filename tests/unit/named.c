#include "unit/named.h"

#include <stdio.h>

#include "engine/stack.h"
#include "engine/threadname.h"
#include "jfr/encode.h"

#define FRAMES_MAX 16

void named_thread(struct constants *constants, struct buf *buf, uint64_t key,
		  const char *name, pid_t tid, int64_t java_tid)
{
	struct threadname threadname = {
		.name = str_of(name),
		.group = threadname_group(constants, 0, STR("main")),
		.java_tid = java_tid,
		.tid = tid,
		.is_java = true,
	};

	buf_reset(buf);
	threadname_encode(buf, &threadname);
	constants_put_buf(constants, POOL_THREAD, key, buf);
}

uint64_t named_class(struct constants *constants, struct buf *buf, const char *name)
{
	uint64_t symbol = constants_symbol(constants, str_of(name));
	uint64_t key = constants_key(constants, POOL_CLASS);

	buf_reset(buf);
	encode_varint(buf, 0);
	encode_varint(buf, symbol);
	encode_varint(buf, 0);
	encode_int(buf, 1);
	encode_boolean(buf, false);
	constants_put_buf(constants, POOL_CLASS, key, buf);
	return key;
}

void named_encode_method(struct constants *constants, struct buf *buf, uint64_t class,
			 const char *name)
{
	uint64_t symbol = constants_symbol(constants, str_of(name));
	uint64_t descriptor = constants_symbol(constants, STR("()V"));

	buf_reset(buf);
	stack_encode_method(buf, class, symbol, descriptor, 1);
}

uint64_t named_method(struct constants *constants, struct buf *buf, uint64_t class,
		      const char *name)
{
	named_encode_method(constants, buf, class, name);
	return constants_intern_buf(constants, POOL_METHOD, buf);
}

uint64_t named_stack(struct constants *constants, struct buf *buf, uint64_t class,
		     int frames, uint64_t variant)
{
	uint64_t type = constants_string(constants, POOL_FRAME_TYPE,
					 STR("Interpreted"));
	uint64_t methods[FRAMES_MAX];
	char name[40];

	for (int i = 0; i < frames; i++) {
		snprintf(name, sizeof(name), "method%d",
			 (int)(variant >> i & 1) * 100 + i);
		methods[i] = named_method(constants, buf, class, name);
	}
	stack_begin(buf, false, (uint32_t)frames);
	for (int i = 0; i < frames; i++) {
		struct method_place place = { .method = methods[i], .line = 10 + i };

		stack_frame(buf, constants, &place, i, type);
	}
	return stack_end(buf, constants);
}
