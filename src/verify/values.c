/*
 * values.c - the values of events and constants, one by one.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/utf.h"
#include "verify/check.h"

/*
 * What is missing is lost, with two exceptions. Threads that come or go as a recording
 * ends are named by events, but never written: most recordings of JDK 9 to 21 do so.
 * And before a chunk is finished not all constants have been written, class loaders
 * least of all.
 */
static const struct cause
	is_missing = FAULT("a constant is missing"),
	is_thread = REMARK("a thread is missing among the constants"),
	is_to_come = REMARK("a constant was not written yet"),
	is_key = FAULT("a string is a key where none may be"),
	is_no_utf8 = FAULT("a string is no UTF-8");

/* Of the name of a field, where something else must have room behind it. */
#define NAME_MAX_SHOWN 64

static void mix(struct check *check, uint64_t number)
{
	if (check->is_hashed)
		check_mix(check, number);
}

void check_mix_bytes(struct check *check, const unsigned char *bytes, size_t size)
{
	check_mix(check, size);
	for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
		uint64_t eight;

		memcpy(&eight, bytes, sizeof(eight));
		check_mix(check, eight);
		bytes += sizeof(eight);
	}
	while (size-- > 0)
		check_mix(check, *bytes++);
}

static void mix_bytes(struct check *check, const unsigned char *bytes, size_t size)
{
	if (check->is_hashed)
		check_mix_bytes(check, bytes, size);
}

/* The field that the value is of: the last one that begins no later. */
static struct str field_name(const struct check *check)
{
	const struct type *type = check->type;
	size_t low = 0, high = type->is_simple ? 1 : type->field_count;

	if (type->field_count == 0)
		return STR("");
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (type->fields[middle].slot <= check->slot)
			low = middle;
		else
			high = middle;
	}
	return type->fields[low].name;
}

static bool misfit(struct check *check, struct cursor *cursor, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool misfit(struct check *check, struct cursor *cursor, const char *format, ...)
{
	struct str name = str_front(field_name(check), NAME_MAX_SHOWN);
	va_list arguments;
	int size = 0;

	if (name.size)
		size = snprintf(check->why, sizeof(check->why), "%.*s: ", SHOWN(name));
	va_start(arguments, format);
	str_print(check->why + size, sizeof(check->why) - (size_t)size, format,
		  arguments);
	va_end(arguments);
	cursor_fail(cursor);
	return false;
}

/* True if all was read that was asked for. */
static bool is_whole(struct check *check, struct cursor *cursor)
{
	return !cursor->bad || misfit(check, cursor, "the bytes end there");
}

static void tell_missing(struct check *check, size_t at, const struct type *type,
			 uint64_t key)
{
	struct str field = field_name(check);
	const struct cause *cause = &is_missing;

	if (check->chunk->is_unfinished)
		cause = &is_to_come;
	else if (type->role == TYPE_THREAD)
		cause = &is_thread;
	check_add(check, cause, check->type->name, at, "%.*s%s%.*s with the key %lld",
		  SHOWN(field), field.size ? ": " : "", SHOWN(type->name),
		  (long long)key);
}

static bool check_key(struct check *check, struct cursor *cursor,
		      const struct type *type)
{
	size_t at = check_offset(check, cursor->at);
	uint64_t key = cursor_varint(cursor), missing = check->refs.missing;

	if (cursor->bad)
		return is_whole(check, cursor);
	refs_mark(&check->refs, type, key);
	if (check->refs.missing != missing)
		tell_missing(check, at, type, key);
	return true;
}

/* Strings in a pool that stand for another one would go round in circles. */
static bool check_pooled(struct check *check, struct cursor *cursor)
{
	if (check->is_last) {
		check_add(check, &is_key, check->type->name,
			  check_offset(check, cursor->at) - 1, NULL);
		cursor_varint(cursor);
		return is_whole(check, cursor);
	}
	return check_key(check, cursor, check->chunk->metadata.string);
}

static bool check_bytes(struct check *check, struct cursor *cursor, bool is_text)
{
	int32_t size = (int32_t)cursor_varint(cursor);
	const unsigned char *bytes = cursor->at;

	if (cursor->bad)
		return is_whole(check, cursor);
	if (size < 0 || (size_t)size > cursor_left(cursor))
		return misfit(check, cursor, "a string of %d bytes, where %zu are left",
			      size, cursor_left(cursor));
	cursor_bytes(cursor, (size_t)size);
	mix_bytes(check, bytes, (size_t)size);
	if (is_text && !utf_is_java(bytes, (size_t)size))
		check_add(check, &is_no_utf8, check->type->name,
			  check_offset(check, bytes), "%.*s", SHOWN(field_name(check)));
	return true;
}

static bool check_chars(struct check *check, struct cursor *cursor)
{
	int32_t count = (int32_t)cursor_varint(cursor);
	const unsigned char *bytes = cursor->at;

	if (cursor->bad)
		return is_whole(check, cursor);
	if (count < 0 || (size_t)count > cursor_left(cursor))
		return misfit(check, cursor,
			      "a string of %d characters, where %zu bytes are left",
			      count, cursor_left(cursor));
	cursor_skip_varints(cursor, (uint64_t)count);
	mix_bytes(check, bytes, (size_t)(cursor->at - bytes));
	return is_whole(check, cursor);
}

bool check_string(struct check *check, struct cursor *cursor)
{
	uint8_t encoding = cursor_byte(cursor);

	mix(check, encoding);
	switch (encoding) {
	case STRING_NULL:
	case STRING_EMPTY:
		return is_whole(check, cursor);
	case STRING_POOLED:
		return check_pooled(check, cursor);
	case STRING_UTF8:
	case STRING_LATIN1:
		return check_bytes(check, cursor, encoding == STRING_UTF8);
	case STRING_CHARS:
		return check_chars(check, cursor);
	}
	return misfit(check, cursor, "a string in the unknown encoding %d", encoding);
}

static bool check_program(struct check *check, const struct program *program,
			  struct cursor *cursor, int depth);

/* As array_skip in value.c has it. */
static bool check_array(struct check *check, const struct program *element,
			struct cursor *cursor, int depth)
{
	int32_t count = (int32_t)cursor_varint(cursor);

	if (cursor->bad)
		return is_whole(check, cursor);
	if (count < 0 || (size_t)count > cursor_left(cursor))
		return misfit(check, cursor, "an array of %d, where %zu bytes are left",
			      count, cursor_left(cursor));
	if (depth > VALUE_DEPTH_MAX)
		return misfit(check, cursor, "too many arrays in arrays");
	if (element->is_broken)
		return misfit(check, cursor, "its elements cannot be decoded");
	mix(check, (uint64_t)count);
	for (int32_t i = 0; i < count && element->count > 0; i++) {
		if (!check_program(check, element, cursor, depth))
			return false;
	}
	return true;
}

static bool check_plain(struct check *check, const struct op *op, struct cursor *cursor)
{
	static const unsigned char widths[] = {
		[OP_BOOLEAN] = 1, [OP_BYTE] = 1, [OP_FLOAT] = 4, [OP_DOUBLE] = 8,
	};
	size_t width = op->kind <= OP_DOUBLE ? widths[op->kind] : 0;

	mix(check, width ? cursor_big(cursor, width) : cursor_varint(cursor));
	return !cursor->bad || is_whole(check, cursor);
}

static bool check_program(struct check *check, const struct program *program,
			  struct cursor *cursor, int depth)
{
	for (uint32_t i = 0; i < program->count; i++) {
		const struct op *op = &program->ops[i];
		bool is_good;

		if (depth == 0)
			check->slot = i;
		if (op->kind == OP_REFERENCE)
			is_good = check_key(check, cursor, op->type);
		else if (op->kind == OP_STRING)
			is_good = check_string(check, cursor);
		else if (op->kind == OP_ARRAY)
			is_good = check_array(check, op->element, cursor, depth + 1);
		else
			is_good = check_plain(check, op, cursor);
		if (!is_good)
			return false;
	}
	return true;
}

bool check_values(struct check *check, const struct type *type, struct cursor *cursor)
{
	check->type = type;
	check->is_last = type == check->chunk->metadata.string;
	check->slot = 0;
	check->hash = 0;
	mix_bytes(check, (const unsigned char *)type->name.bytes, type->name.size);
	if (cursor->bad)
		return is_whole(check, cursor);
	return check_program(check, &type->program, cursor, 0);
}
