#include <criterion/criterion.h>

#include "jfr/lines.h"
#include "fault.h"

static struct lines lines;

static void begin(void)
{
	lines = (struct lines){ 0 };
}

static void end(void)
{
	lines_clear(&lines);
}

TestSuite(lines, .init = begin, .fini = end);

static void add(uint32_t start, int32_t number)
{
	cr_assert(lines_add(&lines, start, number));
}

Test(lines, reach_to_the_next)
{
	add(0, 10);
	add(5, 12);
	add(9, 11);
	cr_expect_eq(lines_at(&lines, 0), 10);
	cr_expect_eq(lines_at(&lines, 4), 10);
	cr_expect_eq(lines_at(&lines, 5), 12);
	cr_expect_eq(lines_at(&lines, 8), 12);
	cr_expect_eq(lines_at(&lines, 9), 11);
	cr_expect_eq(lines_at(&lines, 70000), 11);
}

Test(lines, are_not_known_before_the_first)
{
	cr_expect_eq(lines_at(&lines, 0), -1);
	add(3, 10);
	cr_expect_eq(lines_at(&lines, 2), -1);
	cr_expect_eq(lines_at(&lines, -3), -1);
	cr_expect_eq(lines_at(&lines, 3), 10);
}

Test(lines, come_in_any_order)
{
	for (uint32_t i = 0; i < 100; i++)
		add(i * 37 % 100, (int32_t)(i * 37 % 100) + 1000);
	for (int64_t i = 0; i < 100; i++)
		cr_expect_eq(lines_at(&lines, i), i + 1000);
}

Test(lines, of_the_same_start_the_last_counts)
{
	add(4, 1);
	add(9, 3);
	add(4, 2);
	cr_expect_eq(lines_at(&lines, 4), 2);
	cr_expect_eq(lines_at(&lines, 9), 3);
}

Test(lines, without_memory_are_as_before)
{
	add(4, 1);
	fault_at(1);
	for (uint32_t i = 5; lines_add(&lines, i, 2); i++)
		cr_assert_lt(i, 100);
	cr_expect(fault_happened());
	fault_at(0);
	cr_expect_eq(lines_at(&lines, 4), 1);
	add(3, 7);
	cr_expect_eq(lines_at(&lines, 3), 7);
}

/* Encoded and decoded, they are as they were. */
static size_t expect_same(void)
{
	struct lines copy = { 0 };
	struct buf bytes = { 0 };
	size_t size;

	lines_encode(&bytes, &lines);
	cr_assert(lines_decode(&copy, buf_as_str(&bytes)));
	cr_assert_eq(copy.all.count, lines.all.count);
	for (size_t i = 0; i < copy.all.count; i++) {
		cr_expect_eq(copy.all.items[i].start, lines.all.items[i].start);
		cr_expect_eq(copy.all.items[i].number, lines.all.items[i].number);
	}
	size = bytes.size;
	buf_clear(&bytes);
	lines_clear(&copy);
	return size;
}

Test(lines, are_encoded_as_few_bytes)
{
	cr_expect_eq(expect_same(), 0);
	add(0, 40);
	add(8, 41);
	add(15, 40);
	cr_expect_eq(expect_same(), 6);
	add(15, 65535);
	add(UINT32_MAX, INT32_MAX);
	expect_same();
	lines_clear(&lines);
	add(70000, INT32_MIN);
	add(70001, INT32_MAX);
	add(70002, INT32_MIN);
	expect_same();
}

Test(lines, are_not_decoded_from_half_of_them)
{
	struct lines copy = { 0 };

	cr_expect_not(lines_decode(&copy, (struct str){ "\5", 1 }));
	cr_expect_not(lines_decode(&copy, (struct str){ "\5\200", 2 }));
	lines_clear(&copy);
}

Test(lines, are_not_decoded_out_of_order)
{
	struct lines copy = { 0 };

	cr_expect_not(lines_decode(&copy, STR("\5\2\xff\xff\xff\xff\xf\2")));
	cr_expect_eq(copy.all.count, 1);
	cr_expect_not(lines_decode(&copy, STR("\x80\x80\x80\x80\x10\2")));
	cr_expect_eq(copy.all.count, 1);
	lines_clear(&copy);
}

/* Numbers that no file of a class has. */
Test(lines, are_decoded_whatever_they_are)
{
	struct lines copy = { 0 };

	cr_expect(lines_decode(&copy, STR("\1\2\1\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"
					  "\1\xff\xff\xff\xff\xff\xff\xff\xff\xff")));
	cr_expect_eq(copy.all.count, 3);
	cr_expect_eq(copy.all.items[0].number, 1);
	cr_expect_eq(copy.all.items[1].number, 0);
	lines_clear(&copy);
}
