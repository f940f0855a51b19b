#include "agent/methodkeys.h"

#include "agent/symbols.h"
#include "engine/stack.h"
#include "jfr/encode.h"

#define MODIFIERS 0xffff	/* of the JVM's, and not our own bits */

static uint64_t symbol(struct constants *constants, struct str text)
{
	struct buf copy = { 0 };
	uint64_t key = 0;

	buf_str(&copy, text);
	buf_byte(&copy, '\0');
	if (!copy.failed)
		key = symbols_text(constants, copy.bytes);
	buf_clear(&copy);
	return key;
}

/* By its name alone: nothing else is known of a class that is gone. */
static uint64_t key_of_gone(struct constants *constants, struct str name)
{
	struct buf value = { 0 };
	uint64_t key;

	encode_long(&value, 0);
	encode_long(&value, (int64_t)symbol(constants, name));
	encode_long(&value, 0);
	encode_int(&value, 0);
	encode_boolean(&value, false);
	key = constants_intern_buf(constants, POOL_CLASS, &value);
	buf_clear(&value);
	return key;
}

uint64_t methodkeys_key(struct agent *agent, const struct probed_copy *method)
{
	struct constants *constants = agent->recorder.constants;
	uint64_t type = method->class_key;
	struct buf value = { 0 };
	uint64_t key;

	if (!type)
		type = key_of_gone(constants, method->class_name);
	stack_encode_method(&value, type, symbol(constants, method->name),
			    symbol(constants, method->descriptor),
			    method->access & MODIFIERS);
	key = constants_intern_buf(constants, POOL_METHOD, &value);
	buf_clear(&value);
	return key;
}
