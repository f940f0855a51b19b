#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"

static bool holds(const struct buf *buf, const char *text)
{
	return str_is((struct str){ buf->bytes, buf->size }, str_of(text));
}

Test(buf, grows_as_it_is_added_to)
{
	struct buf buf = { 0 };

	for (int i = 0; i < 100000; i++)
		buf_add(&buf, "0123456789", 10);
	cr_assert_eq(buf.size, 1000000);
	cr_assert_lt(buf.capacity, 3000000);
	for (size_t i = 0; i < buf.size; i++)
		cr_assert_eq(buf.bytes[i], '0' + (char)(i % 10));
	cr_assert_not(buf.failed);
	buf_clear(&buf);
}

Test(buf, takes_nothing_from_nowhere)
{
	struct buf buf = { 0 };

	buf_add(&buf, NULL, 0);
	buf_str(&buf, (struct str){ 0 });
	buf_fill(&buf, 'x', 0);
	buf_text(&buf, "");
	cr_assert_not_null(buf_room(&buf, 0));
	cr_assert_eq(buf.size, 0);
	cr_assert_not(buf.failed);
	buf_clear(&buf);
	buf_clear(&buf);
}

Test(buf, may_be_filled_to_its_limit)
{
	struct buf buf = { .limit = 10 };

	buf_text(&buf, "01234567");
	buf_byte(&buf, '8');
	buf_byte(&buf, '9');
	buf_add(&buf, "", 0);
	cr_assert_not(buf.failed);
	cr_assert(holds(&buf, "0123456789"));
	cr_assert_leq(buf.capacity, 10);
	buf_byte(&buf, 'x');
	cr_assert(buf.failed);
	buf_clear(&buf);
}

Test(buf, is_a_text_that_is_never_null)
{
	struct buf buf = { 0 };

	cr_expect_not_null(buf_as_str(&buf).bytes);
	cr_expect(str_is(buf_as_str(&buf), STR("")));
	buf_text(&buf, "tea");
	cr_expect(str_is(buf_as_str(&buf), STR("tea")));
	buf_clear(&buf);
}

Test(buf, adds_nothing_after_a_failure)
{
	struct buf buf = { .limit = 100 };

	buf_text(&buf, "good");
	buf_fill(&buf, 'x', 97);
	cr_assert(buf.failed);
	buf_byte(&buf, 'x');
	buf_text(&buf, "x");
	buf_integer(&buf, 1);
	buf_unsigned(&buf, 1);
	buf_printf(&buf, "%d", 1);
	cr_assert_null(buf_room(&buf, 1));
	cr_assert_null(buf_room(&buf, 0));
	cr_assert(buf.failed);
	cr_assert(holds(&buf, "good"));
	buf_clear(&buf);
}

Test(buf, starts_again_after_a_reset)
{
	struct buf buf = { .limit = 100 };

	buf_fill(&buf, 'x', 101);
	cr_assert(buf.failed);
	buf_reset(&buf);
	cr_assert_not(buf.failed);
	buf_fill(&buf, 'x', 100);
	cr_assert_not(buf.failed);
	cr_assert_eq(buf.size, 100);
	buf_clear(&buf);
}

Test(buf, keeps_its_memory_over_a_reset)
{
	struct buf buf = { 0 };
	const char *bytes;

	buf_fill(&buf, 'x', 1000);
	bytes = buf.bytes;
	buf_reset(&buf);
	buf_fill(&buf, 'y', 1000);
	cr_assert_eq(buf.bytes, bytes);
	buf_clear(&buf);
}

Test(buf, fails_at_impossible_sizes)
{
	struct buf buf = { 0 };

	cr_assert_not(buf_grow(&buf, SIZE_MAX));
	cr_assert(buf.failed);
	buf_reset(&buf);
	buf_byte(&buf, 'x');
	cr_assert_null(buf_room(&buf, SIZE_MAX));
	cr_assert(holds(&buf, "x"));
	buf_clear(&buf);
}

Test(buf, is_written_to_in_place)
{
	struct buf buf = { 0 };
	char *to = buf_room(&buf, 500);

	memset(to, 'a', 500);
	buf.size += 500;
	to = buf_room(&buf, 1);
	cr_assert_eq(to, buf.bytes + 500);
	buf_clear(&buf);
}

Test(buf, formats_short_and_long_texts)
{
	struct buf buf = { 0 };
	char zeros[1001];

	buf_printf(&buf, "%s-%d;", "a", 5);
	cr_assert(holds(&buf, "a-5;"));
	for (int size = 250; size < 260; size++) {
		buf_reset(&buf);
		buf_printf(&buf, "%0*d", size, 0);
		cr_assert_eq(buf.size, (size_t)size);
	}
	buf_reset(&buf);
	buf_printf(&buf, "%0*d", 1000, 0);
	memset(zeros, '0', 1000);
	zeros[1000] = '\0';
	cr_assert(holds(&buf, zeros));
	buf_clear(&buf);
}

Test(buf, formats_exactly_to_the_limit)
{
	struct buf buf = { .limit = 300 };

	buf_printf(&buf, "%0300d", 0);
	cr_assert_not(buf.failed);
	cr_assert_eq(buf.size, 300);
	buf_reset(&buf);
	buf_printf(&buf, "%0301d", 0);
	cr_assert(buf.failed);
	cr_assert_eq(buf.size, 0);
	buf_clear(&buf);
}

static void check_integer(int64_t number)
{
	struct buf buf = { 0 };
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, number);
	buf_integer(&buf, number);
	cr_assert(holds(&buf, text), "%s", text);
	buf_reset(&buf);
	snprintf(text, sizeof(text), "%" PRIu64, (uint64_t)number);
	buf_unsigned(&buf, (uint64_t)number);
	cr_assert(holds(&buf, text), "%s", text);
	buf_clear(&buf);
}

Test(buf, writes_integers_of_every_length)
{
	uint64_t ten = 1;

	for (int digits = 1; digits <= 20; digits++, ten *= 10)
		for (int64_t off = -2; off <= 2; off++) {
			check_integer((int64_t)(ten + (uint64_t)off));
			check_integer((int64_t) - (ten + (uint64_t)off));
		}
	for (int bit = 0; bit < 64; bit++) {
		check_integer((int64_t)(UINT64_C(1) << bit));
		check_integer((int64_t)((UINT64_C(1) << bit) - 1));
	}
	for (int64_t small = -12000; small <= 12000; small++)
		check_integer(small);
	check_integer(INT64_MIN);
	check_integer(INT64_MAX);
}

Test(buf, writes_integers_up_to_the_limit)
{
	struct buf buf = { .limit = 20 };

	buf_integer(&buf, INT64_MIN);
	cr_assert(holds(&buf, "-9223372036854775808"));
	buf_integer(&buf, 0);
	cr_assert(buf.failed);
	cr_assert_eq(buf.size, 20);
	buf_clear(&buf);
}
