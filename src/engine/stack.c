#include "engine/stack.h"

#include "jfr/encode.h"

void stack_begin(struct buf *stack, bool is_truncated, uint32_t count)
{
	buf_reset(stack);
	encode_boolean(stack, is_truncated);
	encode_int(stack, (int32_t)count);
}

void stack_frame(struct buf *stack, struct constants *constants,
		 const struct method_place *place, int64_t bytecode, uint64_t type)
{
	if (place->is_native)
		type = constants_string(constants, POOL_FRAME_TYPE, STR("Native"));
	encode_long(stack, (int64_t)place->method);
	encode_int(stack, place->line);
	encode_int(stack, bytecode < 0 ? 0 : (int32_t)bytecode);
	encode_long(stack, (int64_t)type);
}

uint64_t stack_end(const struct buf *stack, struct constants *constants)
{
	return constants_intern_buf(constants, POOL_STACK_TRACE, stack);
}

void stack_encode_method(struct buf *to, uint64_t type, uint64_t name,
			 uint64_t descriptor, int32_t modifiers)
{
	encode_long(to, (int64_t)type);
	encode_long(to, (int64_t)name);
	encode_long(to, (int64_t)descriptor);
	encode_int(to, modifiers);
	encode_boolean(to, false);
}

/* It has a class, too, which has a name. */
uint64_t stack_unknown_method(struct constants *constants)
{
	uint64_t unknown = constants_symbol(constants, STR("<unknown>"));
	struct buf class = { 0 }, method = { 0 };
	uint64_t key;

	encode_long(&class, 0);
	encode_long(&class, (int64_t)unknown);
	encode_long(&class, 0);
	encode_int(&class, 0);
	encode_boolean(&class, false);
	stack_encode_method(&method, constants_intern_buf(constants, POOL_CLASS, &class),
			    unknown, constants_symbol(constants, STR("()V")), 0);
	key = constants_intern_buf(constants, POOL_METHOD, &method);
	buf_clear(&class);
	buf_clear(&method);
	return key;
}
