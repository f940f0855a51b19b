#include <criterion/criterion.h>

#include "probe/waiting.h"

enum { MANY = 6 };

static struct waiter waiters[MANY];
static struct waiting waiting;

static void begin(void)
{
	waiting = (struct waiting){ .max = 2, .most = 4, .rounds = 3 };
	for (uint32_t i = 0; i < MANY; i++)
		waiters[i] = (struct waiter){ .is_waiting = false };
}

static void add(uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		waiting_add(&waiting, &waiters[i], i);
}

/* Who is too many, or -1. */
static int full(void)
{
	uint32_t at;

	return waiting_is_full(&waiting, &at) ? (int)at : -1;
}

Test(waiting, is_full_of_those_that_wait_long, .init = begin)
{
	cr_expect_eq(full(), -1);
	add(0, 3);
	waiting.round = 3;
	cr_expect_eq(full(), -1, "they are young");
	waiting.round = 4;
	cr_expect_eq(full(), 0);
	waiting_remove(&waiting, &waiters[0]);
	cr_expect_eq(full(), -1, "they are not many");
}

Test(waiting, is_full_of_far_too_many, .init = begin)
{
	add(0, 4);
	cr_expect_eq(full(), -1);
	add(4, 5);
	cr_expect_eq(full(), 0);
}

Test(waiting, keeps_its_order, .init = begin)
{
	waiting.max = waiting.most = 0;
	add(0, MANY);
	waiting_remove(&waiting, &waiters[3]);
	waiting_remove(&waiting, &waiters[3]);
	waiting_remove(&waiting, &waiters[5]);
	waiting_remove(&waiting, &waiters[0]);
	add(3, 4);
	for (size_t i = 0; i < 4; i++) {
		static const int order[] = { 1, 2, 4, 3 };

		cr_expect_eq(waiting.count, 4 - i);
		cr_assert_eq(full(), order[i]);
		waiting_remove(&waiting, &waiters[order[i]]);
	}
	cr_expect_eq(full(), -1);
	cr_expect(!waiting.oldest && !waiting.newest);
}
