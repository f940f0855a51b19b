/*
 * leaks.c - tells which texts occur in a file, in any of the ways in which a recording may
 * store them.
 *
 *	tests/leaks FILE <TEXTS
 *
 * TEXTS are in UTF-8, each with a NUL behind it. Those that occur are printed, one a line.
 * Looks at bytes alone, so that whatever there is in the file is seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/source.h"
#include "base/surrogate.h"
#include "base/utf.h"
#include "jfr/encode.h"

static void end(const char *what)
{
	fprintf(stderr, "leaks: %s\n", what);
	exit(2);
}

static bool has(const struct buf *bytes, const struct buf *text)
{
	return !text->failed && text->size &&
	       memmem(bytes->bytes, bytes->size, text->bytes, text->size);
}

/* UTF-16 units as varints, and with each surrogate in UTF-8 by itself; Latin-1. */
static void encode(struct str text, struct buf *chars, struct buf *halves,
		   struct buf *latin1)
{
	while (text.size) {
		uint32_t point = utf_next(&text);

		if (point > 0xffff) {
			uint16_t high = surrogate_high(point);
			uint16_t low = surrogate_low(point);

			encode_char(chars, high);
			encode_char(chars, low);
			utf_add(halves, high);
			utf_add(halves, low);
		} else {
			encode_char(chars, (uint16_t)point);
			utf_add(halves, point);
		}
		buf_byte(latin1, (char)point);
		latin1->failed |= point > 0xff;
	}
}

static bool leaks(const struct buf *bytes, struct str text)
{
	struct buf utf8 = { 0 }, chars = { 0 }, halves = { 0 }, latin1 = { 0 };
	bool found;

	buf_str(&utf8, text);
	encode(text, &chars, &halves, &latin1);
	found = has(bytes, &utf8) || has(bytes, &chars) || has(bytes, &halves) ||
		has(bytes, &latin1);
	buf_clear(&utf8);
	buf_clear(&chars);
	buf_clear(&halves);
	buf_clear(&latin1);
	return found;
}

static struct buf read_all(FILE *file)
{
	struct buf bytes = { 0 };
	char piece[1 << 16];
	size_t size;

	while ((size = fread(piece, 1, sizeof(piece), file)) > 0)
		buf_add(&bytes, piece, size);
	if (ferror(file) || bytes.failed)
		end("cannot read");
	return bytes;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	struct buf bytes, texts;
	struct str rest, text;

	if (!file)
		end("cannot open the file");
	bytes = read_all(file);
	texts = read_all(stdin);
	fclose(file);
	rest = (struct str){ texts.bytes, texts.size };
	while (str_split(&rest, '\0', &text)) {
		if (leaks(&bytes, text))
			printf("%.*s\n", (int)text.size, text.bytes);
	}
	buf_clear(&bytes);
	buf_clear(&texts);
	return 0;
}
