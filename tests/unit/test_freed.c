#include <criterion/criterion.h>

#include "agent/freed.h"
#include "fault.h"

static struct freed freed;
static int64_t told[300];
static size_t count;

static void begin(void)
{
	freed_init(&freed);
}

static void end(void)
{
	freed_clear(&freed);
}

TestSuite(freed, .init = begin, .fini = end);

static void tell(void *context, int64_t tag)
{
	cr_assert_eq(context, &count);
	cr_assert_lt(count, sizeof(told) / sizeof(told[0]));
	told[count++] = tag;
}

static size_t tell_round(void)
{
	count = 0;
	freed_round(&freed, tell, &count);
	return count;
}

/* What was put in a round is told when the one after the next begins. */
Test(freed, wait_for_a_whole_round)
{
	freed_put(&freed, 7);
	cr_expect_eq(tell_round(), 0);
	freed_put(&freed, -9);
	cr_assert_eq(tell_round(), 1);
	cr_expect_eq(told[0], 7);
	cr_assert_eq(tell_round(), 1);
	cr_expect_eq(told[0], -9);
	cr_expect_eq(tell_round(), 0);
}

Test(freed, come_in_their_order)
{
	for (int64_t tag = 1; tag <= 300; tag++)
		freed_put(&freed, tag);
	cr_expect_eq(tell_round(), 0);
	cr_assert_eq(tell_round(), 300);
	for (int64_t tag = 1; tag <= 300; tag++)
		cr_expect_eq(told[tag - 1], tag);
}

/* Those that are put meanwhile wait, too. */
static void put_next(void *context, int64_t tag)
{
	(void)context;
	freed_put(&freed, tag + 1);
}

Test(freed, may_be_put_while_others_are_told)
{
	freed_put(&freed, 1);
	tell_round();
	freed_round(&freed, put_next, NULL);
	cr_assert_eq(tell_round(), 1);
	cr_expect_eq(told[0], 2);
}

Test(freed, without_memory_are_forgotten)
{
	fault_at(1);
	freed_put(&freed, 1);
	cr_expect(fault_happened());
	fault_at(0);
	freed_put(&freed, 2);
	tell_round();
	cr_assert_eq(tell_round(), 1);
	cr_expect_eq(told[0], 2);
}
