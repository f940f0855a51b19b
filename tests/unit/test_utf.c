#include <criterion/criterion.h>

#include "base/utf.h"

#define FFFD "\xef\xbf\xbd"

static bool decodes(struct str bytes, struct str text)
{
	struct buf buf = { 0 };
	bool same;

	utf_add_utf8(&buf, bytes.bytes, bytes.size);
	same = str_is((struct str){ buf.bytes, buf.size }, text);
	buf_clear(&buf);
	return same;
}

Test(utf, tells_ascii_at_every_place)
{
	unsigned char bytes[40];

	cr_assert(utf_is_ascii(NULL, 0));
	for (size_t size = 0; size < sizeof(bytes); size++) {
		memset(bytes, 0x7f, sizeof(bytes));
		cr_assert(utf_is_ascii(bytes, size));
		for (size_t i = 0; i < size; i++) {
			bytes[i] = 0x80;
			cr_assert_not(utf_is_ascii(bytes, size));
			bytes[i] = 0;
		}
	}
}

Test(utf, passes_well_formed_text)
{
	const struct str texts[] = {
		STR(""),
		STR("plain"),
		STR("a long ASCII text of more than eight bytes, twice\0."),
		STR("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80."),
		STR("\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80"),
		STR("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"),
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_assert(decodes(texts[i], texts[i]), "%zu", i);
}

/* Left: bytes; right: what Java's new String(bytes, UTF_8) makes of them. */
Test(utf, replaces_what_is_malformed_as_java_does)
{
	static const struct str cases[][2] = {
		{ STR("\x80"), STR(FFFD) },
		{ STR("a\xbf\xbfz"), STR("a" FFFD FFFD "z") },
		{ STR("\xc0\x80"), STR(FFFD FFFD) },
		{ STR("\xc1\xbf"), STR(FFFD FFFD) },
		{ STR("\xc3"), STR(FFFD) },
		{ STR("\xc3("), STR(FFFD "(") },
		{ STR("\xe0\x80\x80"), STR(FFFD FFFD FFFD) },
		{ STR("\xe0\x9f"), STR(FFFD FFFD) },
		{ STR("\xe0\xa0"), STR(FFFD) },
		{ STR("\xe2\x82("), STR(FFFD "(") },
		{ STR("\xe2(\x82"), STR(FFFD "(" FFFD) },
		{ STR("\xed\xa0\x80"), STR(FFFD) },
		{ STR("\xed\xa0"), STR(FFFD) },
		{ STR("\xed\xa0\x80\xed\xb0\x80"), STR(FFFD FFFD) },
		{ STR("\xf0\x80\x80\x80"), STR(FFFD FFFD FFFD FFFD) },
		{ STR("\xf0\x90\x80"), STR(FFFD) },
		{ STR("\xf0\x90\x80z"), STR(FFFD "z") },
		{ STR("\xf4\x90\x80\x80"), STR(FFFD FFFD FFFD FFFD) },
		{ STR("\xf5\x80"), STR(FFFD FFFD) },
		{ STR("\xff\xfe"), STR(FFFD FFFD) },
		{ STR("\xf0\x90\xf0\x90\x80\x80"), STR(FFFD "\xf0\x90\x80\x80") },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_assert(decodes(cases[i][0], cases[i][1]), "%zu", i);
}

Test(utf, reads_latin1)
{
	struct buf buf = { 0 };

	utf_add_latin1(&buf, NULL, 0);
	utf_add_latin1(&buf, "caf\xe9\x80\xff, and so on", 17);
	cr_assert(str_is((struct str){ buf.bytes, buf.size },
			 STR("caf\xc3\xa9\xc2\x80\xc3\xbf, and so on")));
	buf_clear(&buf);
}

static bool joins(const uint16_t *units, size_t count, struct str text)
{
	struct buf buf = { 0 };
	uint16_t high = 0;
	bool same;

	for (size_t i = 0; i < count; i++)
		utf_add_unit(&buf, units[i], &high);
	utf_end_units(&buf, &high);
	same = high == 0 && str_is((struct str){ buf.bytes, buf.size }, text);
	buf_clear(&buf);
	return same;
}

Test(utf, joins_pairs_and_keeps_single_halves)
{
	const uint16_t units[] = { 'a', 0xd83d, 0xde00, 0xffff };
	const uint16_t alone[] = { 0xd800, 0xd800, 'a', 0xdc00, 0xdc00, 0xdbff };
	const uint16_t turned[] = { 0xdc00, 0xd800, 0xdfff };
	const uint16_t zero[] = { 0xd800, 0, 0xdc00 };

	cr_assert(joins(units, 0, STR("")));
	cr_assert(joins(units, 4, STR("a\xf0\x9f\x98\x80\xef\xbf\xbf")));
	cr_assert(joins(alone, 6,
			STR("\xed\xa0\x80\xed\xa0\x80"
			    "a\xed\xb0\x80\xed\xb0\x80\xed\xaf\xbf")));
	cr_assert(joins(turned, 3, STR("\xed\xb0\x80\xf0\x90\x8f\xbf")));
	cr_assert(joins(zero, 3, STR("\xed\xa0\x80\0\xed\xb0\x80")));
}

Test(utf, reads_back_every_code_point_it_writes)
{
	struct buf buf = { 0 };

	for (uint32_t point = 0; point <= 0x10ffff; point++) {
		struct str text;
		size_t units;

		buf_reset(&buf);
		utf_add(&buf, point);
		text = (struct str){ buf.bytes, buf.size };
		units = utf_units(text);
		if (units != (point > 0xffff ? 2 : 1) || utf_next(&text) != point ||
		    text.size != 0)
			cr_assert_fail("U+%04X", point);
	}
	buf_clear(&buf);
}

Test(utf, writes_no_code_point_beyond_the_last)
{
	struct buf buf = { 0 };

	utf_add(&buf, 0x110000);
	utf_add(&buf, UINT32_MAX);
	cr_assert(str_is((struct str){ buf.bytes, buf.size }, STR(FFFD FFFD)));
	buf_clear(&buf);
}

Test(utf, knows_what_a_jvm_writes)
{
	static const struct {
		const char *text;
		bool is_java;
	} all[] = {
		{ "", true }, { "tea", true }, { "t\u00e9", true },
		{ "\xf0\x9f\x8d\xb5", true }, { "\xed\xa0\xbc\xed\xbd\xb5", true },
		{ "\xed\xa0\xbc", true }, { "a\xc0\x80z", true },
		{ "\xef\xbf\xbd", true }, { "\xc0", false }, { "a\xc0\x81", false },
		{ "\x80", false }, { "tea\xff", false }, { "\xc3", false },
		{ "\xe2\x82z", false }, { "\xef\xbf\xbd\x80", false },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		cr_expect_eq(utf_is_java(all[i].text, strlen(all[i].text)),
			     all[i].is_java, "%zu", i);
	cr_expect(utf_is_java(NULL, 0));
}

Test(utf, steps_over_bytes_that_fit_nowhere)
{
	struct str text = STR("\x80\xe2\x82z\xf0");

	cr_assert_eq(utf_units(text), 5);
	cr_assert_eq(utf_next(&text), 0xfffd);
	cr_assert_eq(utf_next(&text), 0xfffd);
	cr_assert_eq(utf_next(&text), 0xfffd);
	cr_assert_eq(utf_next(&text), 'z');
	cr_assert_eq(utf_next(&text), 0xfffd);
	cr_assert_eq(text.size, 0);
}

/* All beginnings of a code point, and what is none. */
Test(utf, tells_a_code_point_that_goes_on)
{
	static const struct str whole[] = { STR("\xc3\xa9"), STR("\xe2\x82\xac"),
					    STR("\xed\xa0\x80"), STR("\xf0\x9f\x98\x80"),
					    STR("\xf4\x8f\xbf\xbf") };
	static const struct str others[] = { STR(""), STR("a"), STR("\x80"), STR("\xc1"),
					     STR("\xf5"), STR("\xff"), STR("\xe0\x80"),
					     STR("\xf4\x90"), STR("\xe2\x82z"),
					     STR("\xc3z") };

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		struct str text = whole[i];

		cr_expect_not(utf_is_begun(text), "%zu", i);
		while (--text.size)
			cr_expect(utf_is_begun(text), "%zu: %zu", i, text.size);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		cr_expect_not(utf_is_begun(others[i]), "%zu", i);
}

Test(utf, counts_units_as_java)
{
	cr_assert_eq(utf_units((struct str){ NULL, 0 }), 0);
	cr_assert_eq(utf_units(STR("plain text of ASCII")), 19);
	cr_assert_eq(utf_units(STR("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xed\xa0\x80")),
		     5);
}

static bool puts_out(struct str text, struct str expected)
{
	struct buf buf = { 0 };
	bool same;

	utf_add_output(&buf, text);
	same = str_is((struct str){ buf.bytes, buf.size }, expected);
	buf_clear(&buf);
	return same;
}

Test(utf, puts_out_only_what_is_added)
{
	struct buf buf = { 0 };

	buf_text(&buf, "\xed\xa0\x80");
	utf_add_output(&buf, STR("\xed\xa0\x80"));
	cr_expect(str_is((struct str){ buf.bytes, buf.size }, STR("\xed\xa0\x80?")));
	buf_clear(&buf);
}

Test(utf, puts_out_real_utf8)
{
	const struct str good =
		STR("a\xc3\xa9\xed\x9f\xbf\xed\x80\x80\xf0\x9f\x98\x80");

	cr_assert(puts_out((struct str){ NULL, 0 }, STR("")));
	cr_assert(puts_out(good, good));
	cr_assert(puts_out(STR("a\xed\xa0\x80\xed\xbf\xbfz"), STR("a??z")));
	cr_assert(puts_out(STR("\xed\xa0\x80"), STR("?")));
	cr_assert(puts_out(STR("x\xed"), STR("x\xed")));
	cr_assert(puts_out(STR("\xed\x9f\xbf\xed\xa0\x80\xed\x9f\xbf y"),
			   STR("\xed\x9f\xbf?\xed\x9f\xbf y")));
}

Test(utf, writes_what_it_reads)
{
	static const uint32_t points[] = { 0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800,
					   0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff };
	char bytes[UTF_POINT_MAX];

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		char *end = utf_write(bytes, points[i]);
		struct str text = { bytes, (size_t)(end - bytes) };

		cr_expect_eq(utf_next(&text), points[i], "U+%04X", points[i]);
		cr_expect_eq(text.size, 0, "U+%04X", points[i]);
	}
	cr_expect_eq(utf_write(bytes, 0x110000) - bytes, 3);
	cr_expect_eq(memcmp(bytes, "\xef\xbf\xbd", 3), 0);
}

Test(utf, strips_what_java_takes_for_blanks)
{
	static const struct str cases[][2] = {
		{ STR(""), STR("") },
		{ STR("a"), STR("a") },
		{ STR(" \t\r\n\x0b\x0c\x1c\x1f "), STR("") },
		{ STR("\n a b\t"), STR("a b") },
		{ STR("\xe2\x80\x83" "a\xe3\x80\x80\xe1\x9a\x80"), STR("a") },
		{ STR("\xe2\x80\xa8\xe2\x81\x9f\xe2\x80\xa9"), STR("") },
		{ STR("\xe2\x80\x87x\xc2\xa0"), STR("\xe2\x80\x87x\xc2\xa0") },
		{ STR(" \x08\x80\x80 "), STR("\x08\x80\x80") },
		{ STR("a\0 "), STR("a\0") },
		{ STR("\xe2\x80"), STR("\xe2\x80") },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect(str_is(utf_strip(cases[i][0]), cases[i][1]), "%zu", i);
	cr_expect_eq(utf_blanks(STR(" \xe2\x80\x83 a ")), 5);
	cr_expect_eq(utf_blanks(STR("a ")), 0);
	cr_expect_eq(utf_blanks((struct str){ NULL, 0 }), 0);
}
