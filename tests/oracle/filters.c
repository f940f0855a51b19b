/*
 * filters.c - random texts of method filters and what we make of them, for Filters.java.
 *
 * Usage: filters COUNT [SEED]. COUNT lines, each with the text in hexadecimal, how many
 * of its filters the JDK should know, and those, with tabs between.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf.h"
#include "jfc/methodfilter.h"

#include "dice.h"

/* What filters are made of, or nearly. */
static const char *const pieces[] = {
	"a", "b.C", "a.b.C", "m", "::", "::", "::", ":", ";", "; ", " ", "\n", "\t", "@",
	"@", "<init>", "<clinit>", "<init", "*", "!", "+", "(", ")", ".", ".", "$", "_",
	"-", ",", "int", "null", "record", "while", "1", "9", "/", "#", "[]", "\xc3\xa9",
	"\xc2\xa0", "\xe2\x80\x83", "\xe3\x80\x80", "\xf0\x9f\x98\x80", "\x01", "\x1c", "?",
	"C", "get", "java.lang.String", "strictfp", "enum", "true",
};

static void add_piece(struct buf *text)
{
	uint32_t point = (uint32_t)dice_below(0x110000);

	if (dice_chance(90))
		buf_text(text, pieces[dice_below(sizeof(pieces) / sizeof(pieces[0]))]);
	else if (dice_chance(50))
		utf_add(text, (uint32_t)dice_below(0x3000));
	else if (point < 0xd800 || point > 0xdfff)
		utf_add(text, point);
}

static void print_hex(struct str text)
{
	for (size_t i = 0; i < text.size; i++)
		printf("%02x", (unsigned char)text.bytes[i]);
	putchar('\t');
}

static bool is_known(const struct methodfilter_item *item)
{
	struct methodfilter filter;
	struct methodfilter_fault fault;
	bool is_jdk = methodfilter_read(&filter, item->text, METHODFILTER_JDK, &fault);

	methodfilter_clear(&filter);
	return is_jdk;
}

/* The filters of a text one by one, as some of them may be wrong. */
static void print_known(struct str text)
{
	struct str rest = text;
	struct methodfilter_item item = { 0 };
	size_t count = 0;

	print_hex(text);
	while (str_split(&rest, ';', &item.text))
		count += utf_strip(item.text).size && is_known(&item);
	printf("%zu\t", count);
	rest = text;
	while (str_split(&rest, ';', &item.text)) {
		item.text = utf_strip(item.text);
		if (item.text.size && is_known(&item))
			print_hex(item.text);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	struct buf text = { 0 };

	dice_seed(argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	for (uint64_t i = 0; i < count; i++) {
		buf_reset(&text);
		for (uint64_t size = 1 + dice_below(7); size > 0; size--)
			add_piece(&text);
		print_known((struct str){ text.bytes, text.size });
	}
	/* Each character in front, and behind another. */
	for (uint32_t point = 1; point <= 0x10ffff; point++) {
		if ((point >= 0xd800 && point <= 0xdfff) || point == ';')
			continue;
		buf_reset(&text);
		utf_add(&text, point);
		print_known((struct str){ text.bytes, text.size });
		buf_reset(&text);
		buf_text(&text, "::x");
		utf_add(&text, point);
		buf_text(&text, "y");
		print_known((struct str){ text.bytes, text.size });
	}
	buf_clear(&text);
	return 0;
}
