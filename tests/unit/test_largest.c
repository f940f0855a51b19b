#include <criterion/criterion.h>

#include <stdlib.h>

#include "count/largest.h"

static struct large thing(uint64_t bytes, uint64_t identity)
{
	return (struct large){ .bytes = bytes, .identity = { identity, 1 },
			       .references = 1, .copies = 1, .text = strdup("text") };
}

Test(largest, keeps_the_largest_in_order)
{
	struct largest largest = { .limit = 3 };

	for (uint64_t i = 0; i < 1000; i++)
		cr_assert(largest_add(&largest, thing(i * 7919 % 1000, i)));
	largest_trim(&largest);
	cr_assert_eq(largest.items.count, 3);
	for (uint64_t i = 0; i < 3; i++)
		cr_expect_eq(largest.items.items[i].bytes, 999 - i);
	cr_expect(largest_takes(&largest, 997));
	cr_expect_not(largest_takes(&largest, 996));
	largest_clear(&largest);
}

Test(largest, adds_up_what_is_the_same)
{
	struct largest largest = { .limit = 2 };

	for (uint64_t i = 0; i < 1000; i++)
		cr_assert(largest_add(&largest, thing(10 + i % 2, 5)));
	cr_assert(largest_add(&largest, thing(11, 6)));
	largest_trim(&largest);
	cr_assert_eq(largest.items.count, 2);
	cr_expect_eq(largest.items.items[0].identity[0], 5);
	cr_expect_eq(largest.items.items[0].references, 500);
	cr_expect_eq(largest.items.items[0].copies, 500);
	cr_expect_eq(largest.items.items[1].identity[0], 6);
	cr_expect_eq(largest.items.items[1].copies, 1);
	largest_clear(&largest);
}

/* Among things of the same size, too, and whatever was dropped in between. */
Test(largest, does_not_depend_on_the_order)
{
	for (uint64_t step = 1; step < 1000; step += 2) {
		struct largest largest = { .limit = 5 };

		for (uint64_t i = 0; i < 1024; i++)
			cr_assert(largest_add(&largest, thing(1, i * step % 1024 / 2)));
		largest_trim(&largest);
		cr_assert_eq(largest.items.count, 5);
		for (uint64_t i = 0; i < 5; i++) {
			cr_expect_eq(largest.items.items[i].identity[0], i);
			cr_expect_eq(largest.items.items[i].copies, 2);
		}
		largest_clear(&largest);
	}
}

Test(largest, may_keep_none)
{
	struct largest largest = { .limit = 0 };

	cr_expect_not(largest_takes(&largest, UINT64_MAX));
	cr_assert(largest_add(&largest, thing(1, 1)));
	largest_trim(&largest);
	cr_expect_eq(largest.items.count, 0);
	largest_clear(&largest);
}
