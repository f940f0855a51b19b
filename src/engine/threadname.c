#include "engine/threadname.h"

#include "jfr/encode.h"
#include "jfr/rawtext.h"

void threadname_encode(struct buf *to, const struct threadname *threadname)
{
	static const struct str none = { NULL, 0 };

	rawtext_encode(to, threadname->is_virtual ? none : threadname->name);
	encode_long(to, threadname->tid);
	encode_string(to, threadname->is_java ? threadname->name : none);
	encode_long(to, threadname->java_tid);
	encode_long(to, (int64_t)threadname->group);
	encode_boolean(to, threadname->is_virtual);
}

uint64_t threadname_group(struct constants *constants, uint64_t parent, struct str name)
{
	struct buf value = { 0 };
	uint64_t key;

	encode_long(&value, (int64_t)parent);
	encode_string(&value, name);
	key = constants_intern_buf(constants, POOL_THREAD_GROUP, &value);
	buf_clear(&value);
	return key;
}

/* The JVM has one group for all that are virtual. */
uint64_t threadname_of_number(struct constants *constants, uint64_t key)
{
	struct threadname threadname = {
		.name = STR(""),
		.java_tid = (int64_t)(key >> 1),
		.is_java = true,
		.is_virtual = true,
	};
	struct buf value = { 0 };
	bool is_good;

	if (constants_touch(constants, POOL_THREAD, key))
		return key;
	threadname.group = threadname_group(
		constants, threadname_group(constants, 0, STR("system")),
		STR("VirtualThreads"));
	threadname_encode(&value, &threadname);
	is_good = constants_put_buf(constants, POOL_THREAD, key, &value);
	constants_unpin(constants, POOL_THREAD, key);
	buf_clear(&value);
	return is_good ? key : 0;
}
