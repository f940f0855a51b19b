#include <criterion/criterion.h>

#include "jfr/encode.h"
#include "make.h"

static void expect_bytes(const struct make_value *values, struct str expected)
{
	struct buf buf = { 0 };

	make_values(&buf, values);
	cr_expect(str_is((struct str){ buf.bytes, buf.size }, expected),
		  "%zu bytes, the first is %02x", buf.size,
		  buf.size ? (unsigned char)buf.bytes[0] : 0);
	buf_clear(&buf);
}

#define EXPECT(bytes, ...) expect_bytes(VALUES(__VA_ARGS__), STR(bytes))

Test(encode, extends_narrow_numbers_with_zeros)
{
	struct buf buf = { 0 };

	encode_short(&buf, -1);
	encode_int(&buf, -1);
	encode_long(&buf, -1);
	encode_byte(&buf, -1);
	encode_boolean(&buf, true);
	encode_char(&buf, 0xffff);
	cr_expect(str_is((struct str){ buf.bytes, buf.size },
			 STR("\xff\xff\x03"
			     "\xff\xff\xff\xff\x0f"
			     "\xff\xff\xff\xff\xff\xff\xff\xff\xff"
			     "\xff"
			     "\x01"
			     "\xff\xff\x03")));
	buf_clear(&buf);
}

Test(encode, pads_to_any_width)
{
	struct buf buf = { 0 };

	encode_padded(&buf, 5, 1);
	encode_padded(&buf, 5, 4);
	encode_padded(&buf, UINT64_MAX, 9);
	cr_expect(str_is((struct str){ buf.bytes, buf.size },
			 STR("\x05"
			     "\x85\x80\x80\x00"
			     "\xff\xff\xff\xff\xff\xff\xff\xff\xff")));
	buf_clear(&buf);
}

Test(encode, finds_the_encoding_that_fits)
{
	EXPECT("\0", NO_TEXT);
	EXPECT("\1", TEXT(""));
	EXPECT("\3\2hi", TEXT("hi"));
	EXPECT("\3\2\xc3\xa9", TEXT("\xc3\xa9"));
	EXPECT("\3\4\xf0\x9f\x98\x80", TEXT("\xf0\x9f\x98\x80"));
	/* an unpaired surrogate has no UTF-8 */
	EXPECT("\4\2\xbd\xb0\x03x", TEXT("\xed\xa0\xbdx"));
}

Test(encode, writes_pooled_strings_as_keys)
{
	struct buf buf = { 0 };

	encode_string_key(&buf, 12345);
	cr_expect(str_is((struct str){ buf.bytes, buf.size }, STR("\2\xb9\x60")));
	buf_clear(&buf);
	EXPECT("\2\xb9\x60", TEXT_KEY(12345));
}

Test(encode, writes_the_encoding_asked_for)
{
	EXPECT("\5\2hi", TEXT_AS(STRING_LATIN1, "hi"));
	EXPECT("\5\2h\xe9", TEXT_AS(STRING_LATIN1, "h\xc3\xa9"));
	EXPECT("\4\2hi", TEXT_AS(STRING_CHARS, "hi"));
	EXPECT("\4\2\xbd\xb0\x03\x80\xbc\x03", TEXT_AS(STRING_CHARS, "\xf0\x9f\x98\x80"));
	EXPECT("\4\1\xac\x41", TEXT_AS(STRING_LATIN1, "\xe2\x82\xac"));
	EXPECT("\3\3a\0b", TEXT_AS(STRING_UTF8, "a\0b"));
}

/* Its size counts itself, in as few bytes as that takes. */
Test(encode, puts_the_size_in_front_of_events)
{
	static const size_t sizes[] = { 0, 2, 126, 127, 128, 16381, 16382, 16383, 2097149 };
	static const size_t widths[] = { 1, 1, 1, 2, 2, 2, 3, 3, 4 };
	static char bytes[2097149];
	struct buf buf = { 0 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct cursor cursor;

		buf_reset(&buf);
		encode_event(&buf, bytes, sizes[i]);
		cr_assert_eq(buf.size, sizes[i] + widths[i], "%zu", sizes[i]);
		cursor = cursor_of((const unsigned char *)buf.bytes, buf.size);
		cr_expect_eq(cursor_varint(&cursor), buf.size);
		cr_expect_eq(cursor_left(&cursor), sizes[i]);
	}
	buf_clear(&buf);
}

Test(encode, puts_sizes_of_events_in_front)
{
	struct buf buf = { 0 };

	buf_text(&buf, "x_ab");
	cr_expect(encode_event_size(&buf, 1, 1));
	buf_text(&buf, "____cd");
	cr_expect(encode_event_size(&buf, 4, ENCODE_PADDED));
	cr_expect(str_is((struct str){ buf.bytes, buf.size },
			 STR("x\x03" "ab\x86\x80\x80\x00" "cd")));
	buf_reset(&buf);
	buf_fill(&buf, 'a', 128);
	cr_expect(encode_event_size(&buf, 0, 1));
	cr_expect_eq(buf.size, 131);
	cr_expect_eq(memcmp(buf.bytes, "\x83\x81\x80\x00" "aa", 6), 0);
	buf_fill(&buf, 'a', ENCODE_EVENT_MAX + 1);
	cr_expect_not(encode_event_size(&buf, 131, 1));
	buf_clear(&buf);
}
