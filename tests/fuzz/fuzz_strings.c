/*
 * fuzz_strings.c - strings one after the other, read, skipped and written again.
 */
#include <stdlib.h>

#include "jfr/cursor.h"
#include "jfr/encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Any text is the same after it was written in any encoding. */
static void write_again(struct str text, enum string_encoding encoding)
{
	struct arena arena = { 0 };
	struct buf buf = { 0 };
	struct cursor cursor;
	struct str again;

	encode_string_as(&buf, encoding, text);
	cursor = cursor_of((unsigned char *)buf.bytes, buf.size);
	if (!value_string(&cursor, NULL, &again, &arena) || !str_is(text, again) ||
	    cursor_left(&cursor) != 0)
		abort();
	buf_clear(&buf);
	arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct op op = { .kind = OP_STRING };
	const struct program program = { .ops = &op, .count = 1 };
	struct cursor cursor = cursor_of(data, size), skipping = cursor;
	struct arena arena = { 0 };
	struct str text;

	while (cursor_left(&cursor) > 0 &&
	       value_string(&cursor, NULL, &text, &arena)) {
		if (!value_skip(&program, &skipping) || skipping.at != cursor.at)
			abort();
		for (int encoding = STRING_UTF8; encoding <= STRING_LATIN1; encoding++)
			write_again(text, encoding);
	}
	arena_clear(&arena);
	return 0;
}
