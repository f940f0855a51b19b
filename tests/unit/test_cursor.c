#include <criterion/criterion.h>
#include <math.h>

#include "jfr/cursor.h"
#include "jfr/encode.h"
#include "make.h"

/* Numbers and the bytes they take; read and written. */
static const struct {
	uint64_t number;
	size_t size;
} varints[] = {
	{ 0, 1 },
	{ 1, 1 },
	{ 0x7f, 1 },
	{ 0x80, 2 },
	{ 0x3fff, 2 },
	{ 0x4000, 3 },
	{ 0x1fffff, 3 },
	{ 0x200000, 4 },
	{ 0xfffffff, 4 },
	{ 0x10000000, 5 },
	{ 0x7ffffffff, 5 },
	{ 0x800000000, 6 },
	{ 0x3ffffffffff, 6 },
	{ 0x40000000000, 7 },
	{ 0x1ffffffffffff, 7 },
	{ 0x2000000000000, 8 },
	{ 0xffffffffffffff, 8 },
	{ 0x100000000000000, 9 },
	{ 0x8000000000000000, 9 },
	{ UINT64_MAX, 9 },
};

#define VARINTS (sizeof(varints) / sizeof(varints[0]))

Test(cursor, reads_varints_of_every_length)
{
	struct buf buf = { 0 };
	struct cursor cursor;

	for (size_t i = 0; i < VARINTS; i++)
		encode_varint(&buf, varints[i].number);
	cursor = make_cursor(&buf);
	for (size_t i = 0; i < VARINTS; i++) {
		const unsigned char *at = cursor.at;

		cr_expect_eq(cursor_varint(&cursor), varints[i].number);
		cr_expect_eq((size_t)(cursor.at - at), varints[i].size);
	}
	cr_expect_not(cursor.bad);
	cr_expect_eq(cursor_left(&cursor), 0);
	buf_clear(&buf);
}

Test(cursor, reads_padded_varints)
{
	for (size_t i = 0; i < VARINTS; i++) {
		for (int width = (int)varints[i].size; width <= 9; width++) {
			struct buf buf = { 0 };
			struct cursor cursor;

			encode_padded(&buf, varints[i].number, width);
			cursor = make_cursor(&buf);
			cr_expect_eq(cursor_varint(&cursor), varints[i].number);
			cr_expect_eq(cursor_left(&cursor), 0);
			buf_clear(&buf);
		}
	}
}

Test(cursor, is_bad_when_a_varint_is_cut_anywhere)
{
	for (size_t i = 0; i < VARINTS; i++) {
		struct buf buf = { 0 };

		encode_varint(&buf, varints[i].number);
		while (buf.size > 0) {
			struct cursor cursor;

			buf.size--;
			cursor = make_cursor(&buf);
			cr_expect_eq(cursor_varint(&cursor), 0);
			cr_expect(cursor.bad);
			cr_expect_eq(cursor_left(&cursor), 0);
		}
		buf_clear(&buf);
	}
}

/* Around nine bytes before the end, where the fast way over them ends. */
Test(cursor, skips_varints_as_if_they_were_read)
{
	struct buf buf = { 0 };

	for (size_t i = 0; i < VARINTS; i++)
		encode_varint(&buf, varints[i].number);
	for (size_t i = 0; i < 12; i++)
		encode_varint(&buf, i);
	for (uint64_t count = 0; count <= VARINTS + 12; count++) {
		struct cursor read = make_cursor(&buf), skipped = read;

		for (uint64_t i = 0; i < count; i++)
			cursor_varint(&read);
		cursor_skip_varints(&skipped, count);
		cr_expect_eq(skipped.at, read.at, "%d varints", (int)count);
		cr_expect_not(skipped.bad);
	}
	buf_clear(&buf);
}

Test(cursor, is_bad_when_varints_to_skip_are_cut)
{
	struct buf buf = { 0 };

	for (size_t i = 0; i < VARINTS; i++)
		encode_varint(&buf, varints[i].number);
	while (buf.size > 0) {
		struct cursor cursor;

		buf.size--;
		cursor = make_cursor(&buf);
		cursor_skip_varints(&cursor, VARINTS);
		cr_expect(cursor.bad, "%zu bytes", buf.size);
		cr_expect_eq(cursor.at, cursor.end);
		cursor = make_cursor(&buf);
		cursor_skip_varints(&cursor, UINT64_MAX);
		cr_expect(cursor.bad);
	}
	buf_clear(&buf);
}

Test(cursor, stays_bad_after_a_short_read)
{
	const unsigned char bytes[] = { 1, 2, 3 };
	struct cursor cursor = cursor_of(bytes, 3);

	cr_expect_eq(cursor_big(&cursor, 4), 0);
	cr_expect(cursor.bad);
	cr_expect_eq(cursor_byte(&cursor), 0);
	cr_expect_eq(cursor_varint(&cursor), 0);
	cr_expect_null(cursor_bytes(&cursor, 1));
	cr_expect_eq(cursor_double(&cursor), 0);
	cr_expect(cursor.bad);
}

Test(cursor, gives_no_bytes_as_a_place)
{
	struct cursor cursor = cursor_of((const unsigned char *)"", 0);

	cr_expect_not_null(cursor_bytes(&cursor, 0));
	cr_expect_not(cursor.bad);
	cr_expect_null(cursor_bytes(&cursor, SIZE_MAX));
	cr_expect(cursor.bad);
}

Test(cursor, reads_big_endian_numbers)
{
	struct buf buf = { 0 };
	struct cursor cursor;

	encode_big(&buf, 0x0102, 2);
	encode_big(&buf, 0xfffefdfc, 4);
	encode_big(&buf, 0x0102030405060708, 8);
	encode_big(&buf, 0x7f, 1);
	cursor = make_cursor(&buf);
	cr_expect_eq(cursor_big(&cursor, 2), 0x0102);
	cr_expect_eq(cursor_big(&cursor, 4), 0xfffefdfc);
	cr_expect_eq(cursor_big(&cursor, 8), 0x0102030405060708);
	cr_expect_eq(cursor_byte(&cursor), 0x7f);
	cr_expect_not(cursor.bad);
	buf_clear(&buf);
}

Test(cursor, reads_reals_with_their_bits)
{
	const double reals[] = { 0.0, -0.0, 1.5, -INFINITY, INFINITY, NAN, 5e-324 };

	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		struct buf buf = { 0 };
		struct cursor cursor;
		double real;
		float single;

		encode_double(&buf, reals[i]);
		encode_float(&buf, (float)reals[i]);
		cr_assert_eq(buf.size, 12);
		cursor = make_cursor(&buf);
		real = cursor_double(&cursor);
		single = cursor_float(&cursor);
		cr_expect_not(memcmp(&real, &reals[i], sizeof(real)));
		cr_expect_eq(isnan(single), isnan(real));
		cr_expect(isnan(single) || single == (float)reals[i]);
		buf_clear(&buf);
	}
}
