#include <criterion/criterion.h>

#include "agent/starts.h"
#include "fault.h"

static struct starts starts;

static void begin(void)
{
	starts_init(&starts);
}

static void end(void)
{
	starts_clear(&starts);
}

TestSuite(starts, .init = begin, .fini = end);

static bool put(int64_t java_tid, uint64_t parent, uint64_t stack)
{
	struct start start = { java_tid, parent, stack };

	return starts_put(&starts, &start);
}

static void expect(int64_t java_tid, uint64_t parent, uint64_t stack)
{
	struct start start = starts_take(&starts, java_tid);

	cr_expect_eq(start.java_tid, java_tid);
	cr_expect_eq(start.parent, parent, "of %d", (int)java_tid);
	cr_expect_eq(start.stack, stack, "of %d", (int)java_tid);
}

Test(starts, are_told_once)
{
	cr_assert(put(7, 3, 12));
	expect(8, 0, 0);
	expect(7, 3, 12);
	expect(7, 0, 0);
	cr_expect_eq(starts.waiting.count, 0);
}

/* A thread that could not be started may be tried again. */
Test(starts, are_replaced)
{
	cr_assert(put(7, 3, 12));
	cr_assert(put(7, 5, 13));
	cr_expect_eq(starts.waiting.count, 1);
	expect(7, 5, 13);
}

Test(starts, are_found_in_any_order)
{
	for (int64_t i = 1; i <= 100; i++)
		cr_assert(put(i, (uint64_t)i * 2, (uint64_t)i * 3));
	for (int64_t i = 1; i <= 100; i += 2)
		expect(i, (uint64_t)i * 2, (uint64_t)i * 3);
	for (int64_t i = 100; i >= 2; i -= 2)
		expect(i, (uint64_t)i * 2, (uint64_t)i * 3);
	cr_expect_eq(starts.waiting.count, 0);
	cr_expect_eq(starts.by_tid.count, 0);
}

Test(starts, without_memory_nothing_waits)
{
	bool is_good = false;

	for (size_t n = 1; !is_good && n < 10; n++) {
		fault_at(n);
		is_good = put(7, 3, 12);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
		expect(7, is_good ? 3 : 0, is_good ? 12 : 0);
		starts_clear(&starts);
		starts_init(&starts);
	}
	cr_expect(is_good);
}
