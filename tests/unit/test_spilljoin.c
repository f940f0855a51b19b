#include <criterion/criterion.h>
#include <string.h>

#include "fault.h"
#include "jfr/spilljoin.h"

static struct join join;

static void begin(void)
{
	join = (struct join){ .next = 0 };
}

static void end(void)
{
	join_clear(&join);
}

TestSuite(spilljoin, .init = begin, .fini = end);

/* A part of so many bytes. */
static void add(uint64_t number, struct spill_part_of of, size_t size, uint64_t at)
{
	char value[100] = "";

	memcpy(value, &of, sizeof(of));
	join_add(&join, number, value, sizeof(of) + size, at);
}

static struct spill_part_of part(uint32_t index, uint32_t count, uint32_t size)
{
	return (struct spill_part_of){
		.key = 7, .type = 30, .size = size, .index = index, .count = count,
	};
}

static void expect_damaged(uint64_t damaged)
{
	join_sort(&join);
	cr_expect_null(join_next(&join));
	cr_expect_eq(join.damaged, damaged, "%d", (int)join.damaged);
	join_clear(&join);
}

Test(spilljoin, finds_values_in_parts_in_any_order)
{
	const struct join_part *parts;

	add(9, part(1, 2, 15), 5, 1000);
	add(3, part(0, 1, 4), 4, 2000);
	add(9, part(0, 2, 15), 10, 3000);
	join_sort(&join);
	parts = join_next(&join);
	cr_assert_not_null(parts);
	cr_expect_eq(parts->number, 3);
	cr_expect_eq(parts->at, 2000 + sizeof(struct spill_part_of));
	parts = join_next(&join);
	cr_assert_not_null(parts);
	cr_expect_eq(parts[0].at, 3000 + sizeof(struct spill_part_of));
	cr_expect_eq(parts[0].size, 10);
	cr_expect_eq(parts[1].at, 1000 + sizeof(struct spill_part_of));
	cr_expect_eq(parts[1].of.key, 7);
	expect_damaged(0);
}

/* Its process died while it was put, or removed. */
Test(spilljoin, passes_over_values_that_are_not_whole)
{
	for (uint32_t missing = 0; missing < 3; missing++) {
		for (uint32_t i = 0; i < 3; i++) {
			if (i != missing)
				add(9, part(i, 3, 30), 10, 1000 * i);
		}
		expect_damaged(0);
	}
	add(9, part(0, UINT32_MAX, 30), 10, 0);
	expect_damaged(0);
	expect_damaged(0);
}

Test(spilljoin, leaves_out_parts_that_cannot_be)
{
	struct spill_part_of of = part(0, 1, 10);

	join_add(&join, 9, (const char *)&of, sizeof(of) - 1, 0);
	expect_damaged(1);
	add(9, part(0, 0, 10), 10, 0);
	add(9, part(1, 1, 10), 10, 0);
	add(9, part(0, 1, 9), 10, 0);
	add(9, part(0, 1, SPILL_PART_MAX + 1), 10, 0);
	of.type = SPILL_GONE;
	add(9, of, 10, 0);
	of.type = SPILL_PART;
	add(9, of, 10, 0);
	expect_damaged(6);
}

static void expect_misfit(struct spill_part_of one, struct spill_part_of other)
{
	add(9, one, 10, 1000);
	add(9, other, 10, 2000);
	add(10, part(0, 1, 10), 10, 3000);
	join_sort(&join);
	cr_expect_eq(join_next(&join)->number, 10);
	expect_damaged(1);
}

Test(spilljoin, leaves_out_values_whose_parts_contradict_each_other)
{
	struct spill_part_of of = part(1, 2, 20);

	expect_misfit(part(0, 2, 20), part(0, 2, 20));
	expect_misfit(part(0, 2, 21), part(1, 2, 21));
	expect_misfit(part(0, 2, 20), part(1, 2, 21));
	expect_misfit(part(0, 2, 20), part(1, 3, 20));
	of.type++;
	expect_misfit(part(0, 2, 20), of);
	of.type--;
	of.key++;
	expect_misfit(part(0, 2, 20), of);
}

Test(spilljoin, says_that_it_has_no_memory)
{
	fault_at(1);
	add(9, part(0, 1, 10), 10, 0);
	fault_at(0);
	cr_expect(join.failed);
	expect_damaged(0);
}
