#include "jfr/value.h"

#include "base/buf.h"
#include "base/utf.h"
#include "jfr/pool.h"

/*
 * Moves converted text from the buffer into the arena, which remembers also that the
 * buffer had no memory: else a lack of it would look like a broken string.
 */
static bool text_keep(struct buf *buf, struct str *text, struct arena *arena)
{
	char *copy = buf->failed ? NULL : arena_copy(arena, buf->bytes, buf->size);

	arena->failed |= buf->failed;
	*text = (struct str){ copy, copy ? buf->size : 0 };
	buf_clear(buf);
	return copy != NULL;
}

/* So many bytes; a negative size never fits. */
static const unsigned char *read_sized(struct cursor *cursor, int32_t size)
{
	return cursor_bytes(cursor, size < 0 ? SIZE_MAX : (size_t)size);
}

static bool string_bytes(struct cursor *cursor, enum string_encoding encoding,
			 struct str *text, struct arena *arena)
{
	int32_t size = (int32_t)cursor_varint(cursor);
	const unsigned char *bytes = read_sized(cursor, size);
	struct buf buf = { 0 };

	if (!bytes || cursor->bad)
		return false;
	*text = (struct str){ (const char *)bytes, (size_t)size };
	if (utf_is_ascii(bytes, (size_t)size))
		return true;
	if (encoding == STRING_UTF8)
		utf_add_utf8(&buf, bytes, (size_t)size);
	else
		utf_add_latin1(&buf, bytes, (size_t)size);
	return text_keep(&buf, text, arena);
}

/* A varint below 0x80 is one byte: ASCII characters are stored as ASCII. */
static bool string_chars(struct cursor *cursor, struct str *text, struct arena *arena)
{
	int32_t count = (int32_t)cursor_varint(cursor);
	struct buf buf = { 0 };
	uint16_t high = 0;

	if (cursor->bad || count < 0 || (size_t)count > cursor_left(cursor)) {
		cursor_fail(cursor);
		return false;
	}
	*text = (struct str){ (const char *)cursor->at, (size_t)count };
	if (utf_is_ascii(cursor->at, (size_t)count)) {
		cursor->at += count;
		return true;
	}
	for (int32_t i = 0; i < count && !cursor->bad; i++)
		utf_add_unit(&buf, (uint16_t)cursor_varint(cursor), &high);
	utf_end_units(&buf, &high);
	return text_keep(&buf, text, arena) && !cursor->bad;
}

static bool string_pooled(struct cursor *cursor, const struct pool *strings,
			  struct str *text, struct arena *arena)
{
	uint32_t index = pool_find(strings, cursor_varint(cursor));
	struct cursor constant;

	if (index == MAP_NONE)
		return !cursor->bad;
	constant = pool_cursor(strings, index);
	/* Without the pool: a string that stands for another one is no string. */
	return value_string(&constant, NULL, text, arena) && !cursor->bad;
}

bool value_string(struct cursor *cursor, const struct pool *strings, struct str *text,
		  struct arena *arena)
{
	uint8_t encoding = cursor_byte(cursor);

	*text = (struct str){ NULL, 0 };
	switch (encoding) {
	case STRING_NULL:
		return !cursor->bad;
	case STRING_EMPTY:
		*text = STR("");
		return true;
	case STRING_POOLED:
		return string_pooled(cursor, strings, text, arena);
	case STRING_UTF8:
	case STRING_LATIN1:
		return string_bytes(cursor, encoding, text, arena);
	case STRING_CHARS:
		return string_chars(cursor, text, arena);
	}
	cursor_fail(cursor);
	return false;
}

static bool string_skip(struct cursor *cursor)
{
	uint8_t encoding = cursor_byte(cursor);
	int32_t count;

	if (encoding <= STRING_EMPTY)
		return !cursor->bad;
	if (encoding > STRING_LATIN1) {
		cursor_fail(cursor);
		return false;
	}
	count = (int32_t)cursor_varint(cursor);
	if (encoding == STRING_POOLED)
		return !cursor->bad;
	if (encoding != STRING_CHARS)
		return read_sized(cursor, count) != NULL;
	for (int32_t i = 0; i < count && !cursor->bad; i++)
		cursor_varint(cursor);
	return !cursor->bad && count >= 0;
}

static bool skip(const struct program *program, struct cursor *cursor, int depth);

/* The count of an array, and past its elements. */
static bool array_skip(const struct op *op, struct cursor *cursor, int depth,
		       struct value *value)
{
	int32_t count = (int32_t)cursor_varint(cursor);

	/* Elements may be empty structs: bytes left bound the count all the same. */
	if (count < 0 || (size_t)count > cursor_left(cursor) ||
	    depth > VALUE_DEPTH_MAX || op->element->is_broken) {
		cursor_fail(cursor);
		return false;
	}
	value->elements = cursor->at;
	value->count = (uint32_t)count;
	if (op->element->count == 0)	/* nothing on disk, however many */
		count = 0;
	if (op->element->is_varints) {
		cursor_skip_varints(cursor, (uint64_t)count * op->element->count);
		count = 0;
	}
	for (int32_t i = 0; i < count; i++) {
		if (!skip(op->element, cursor, depth))
			return false;
	}
	value->size = (uint32_t)(cursor->at - value->elements);
	return !cursor->bad;
}

static bool skip(const struct program *program, struct cursor *cursor, int depth)
{
	struct value array;

	for (uint32_t i = 0; i < program->count && !cursor->bad; i++) {
		const struct op *op = &program->ops[i];

		switch (op->kind) {
		case OP_NONE:
			break;
		case OP_BOOLEAN:
		case OP_BYTE:
			cursor_byte(cursor);
			break;
		case OP_SHORT:
		case OP_CHAR:
		case OP_INT:
		case OP_LONG:
		case OP_REFERENCE:
			cursor_varint(cursor);
			break;
		case OP_FLOAT:
			cursor_bytes(cursor, 4);
			break;
		case OP_DOUBLE:
			cursor_bytes(cursor, 8);
			break;
		case OP_STRING:
			string_skip(cursor);
			break;
		case OP_ARRAY:
			array_skip(op, cursor, depth + 1, &array);
			break;
		}
	}
	return !cursor->bad;
}

bool value_skip(const struct program *program, struct cursor *cursor)
{
	if (program->is_broken)
		cursor_fail(cursor);
	return skip(program, cursor, 0);
}

bool value_decode(const struct program *program, struct cursor *cursor,
		  const struct pool *strings, struct value *values, struct arena *arena)
{
	for (uint32_t i = 0; i < program->count; i++) {
		const struct op *op = &program->ops[i];
		struct value *value = &values[i];

		switch (op->kind) {
		case OP_NONE:
			break;
		case OP_BOOLEAN:
			value->number = cursor_byte(cursor) != 0;
			break;
		case OP_BYTE:
			value->number = (int8_t)cursor_byte(cursor);
			break;
		case OP_SHORT:
			value->number = (int16_t)cursor_varint(cursor);
			break;
		case OP_CHAR:
			value->number = (uint16_t)cursor_varint(cursor);
			break;
		case OP_INT:
			value->number = (int32_t)cursor_varint(cursor);
			break;
		case OP_LONG:
		case OP_REFERENCE:
			value->number = (int64_t)cursor_varint(cursor);
			break;
		case OP_FLOAT:
			value->real = cursor_float(cursor);
			break;
		case OP_DOUBLE:
			value->real = cursor_double(cursor);
			break;
		case OP_STRING:
			if (!value_string(cursor, strings, &value->text, arena))
				return false;
			break;
		case OP_ARRAY:
			if (!array_skip(op, cursor, 1, value))
				return false;
			break;
		}
	}
	return !cursor->bad && !program->is_broken;
}
