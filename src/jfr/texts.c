#include "jfr/texts.h"

#include "base/utf.h"

static bool check_utf8(struct cursor *cursor)
{
	int32_t size = (int32_t)cursor_varint(cursor);
	const unsigned char *bytes =
		cursor_bytes(cursor, size < 0 ? SIZE_MAX : (size_t)size);

	return bytes && !cursor->bad && utf_is_java(bytes, (size_t)size);
}

static bool check(const struct program *program, struct cursor *cursor, int depth);

/* As array_skip in value.c has it. */
static bool check_array(const struct program *element, struct cursor *cursor, int depth)
{
	int32_t count = (int32_t)cursor_varint(cursor);

	if (cursor->bad || count < 0 || (size_t)count > cursor_left(cursor) ||
	    depth > VALUE_DEPTH_MAX || element->is_broken)
		return false;
	for (int32_t i = 0; i < count && element->count > 0; i++) {
		if (!check(element, cursor, depth))
			return false;
	}
	return true;
}

static bool check_one(const struct op *op, struct cursor *cursor, int depth)
{
	const struct program alone = { .ops = op, .count = 1 };
	struct cursor ahead = *cursor;
	uint8_t encoding;

	if (op->kind == OP_ARRAY && !op->element->is_varints)
		return check_array(op->element, cursor, depth + 1);
	if (op->kind != OP_STRING)
		return value_skip(&alone, cursor);
	encoding = cursor_byte(&ahead);
	if (encoding == STRING_POOLED)
		return false;
	if (encoding != STRING_UTF8)
		return value_skip(&alone, cursor);
	*cursor = ahead;
	return check_utf8(cursor);
}

static bool check(const struct program *program, struct cursor *cursor, int depth)
{
	for (uint32_t i = 0; i < program->count; i++) {
		if (!check_one(&program->ops[i], cursor, depth))
			return false;
	}
	return true;
}

bool texts_check(const struct program *program, struct cursor *cursor)
{
	return !program->is_broken && check(program, cursor, 0);
}
