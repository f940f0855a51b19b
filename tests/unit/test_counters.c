#include <criterion/criterion.h>
#include <stdio.h>

#include "fault.h"
#include "javacount.h"

/* Where structures of threads may be. */
#define THREAD(i) (UINT64_C(0x7f1234560000) + (uint64_t)(i) * 0x1010)
#define MANY 3000

static struct counters *counters;

static void make(void)
{
	counters = counters_new();
	cr_assert(counters);
}

static void done(void)
{
	counters_free(counters);
}

TestSuite(counters, .init = make, .fini = done);

static struct counter sum_of(uint32_t id)
{
	struct counter sum;

	counters_sum(counters, id, 1, &sum);
	return sum;
}

static void expect_sum(uint32_t id, uint64_t count, int64_t total, int64_t min,
		       int64_t max)
{
	const struct counter none = { 0 };
	struct counter sum = sum_of(id);

	counter_since(&sum, &none);
	cr_expect_eq(sum.count, count, "%u: count %lu", id, sum.count);
	cr_expect_eq(sum.total, total, "%u: total %ld", id, sum.total);
	cr_expect_eq(sum.min_plus_one, min + 1, "%u: min %ld", id, sum.min_plus_one - 1);
	cr_expect_eq(sum.max, max, "%u: max %ld", id, sum.max);
}

Test(counters, are_found_from_the_root)
{
	struct counter *row;

	cr_expect_null(javacount_find(counters, THREAD(0), 0, COUNTERS_PROBES));
	row = counters_row(counters, THREAD(0), 5, false);
	cr_assert(row);
	cr_expect_eq(javacount_find(counters, THREAD(0), 5, COUNTERS_PROBES), row + 5);
	cr_expect_eq(counters_row(counters, THREAD(0), 0, false), row);
	cr_expect_eq((uintptr_t)row % 128, 0);
	cr_expect_eq(*counters_root(counters) & 63, 6);
}

Test(counters, add_up)
{
	expect_sum(3, 0, 0, -1, 0);
	javacount(counters, THREAD(0), 3, 50);
	javacount(counters, THREAD(0), 3, 20);
	javacount(counters, THREAD(0), 3, 30);
	javacount(counters, THREAD(1), 3, 70);
	javacount(counters, THREAD(1), 4, 7);
	expect_sum(3, 4, 170, 20, 70);
	expect_sum(4, 1, 7, 7, 7);
	expect_sum(5, 0, 0, -1, 0);
}

Test(counters, a_time_of_0_is_no_minimum)
{
	javacount(counters, THREAD(0), 3, 0);
	javacount(counters, 1, 4, 0);
	expect_sum(3, 1, 0, -1, 0);
	expect_sum(4, 1, 0, -1, 0);
	javacount(counters, THREAD(0), 3, 5);
	javacount(counters, 1, 4, 5);
	expect_sum(3, 2, 5, 5, 5);
	expect_sum(4, 2, 5, 5, 5);
}

Test(counters, of_many_threads_are_all_found)
{
	unsigned first = 0;

	for (int i = 0; i < MANY; i++)
		cr_assert(javacount(counters, THREAD(i), 1, i + 1));
	for (int i = 0; i < MANY; i++) {
		cr_expect(javacount_find(counters, THREAD(i), 1, COUNTERS_PROBES));
		first += javacount_find(counters, THREAD(i), 1, 1) != NULL;
	}
	cr_expect_gt(first, MANY * 3 / 4, "%u at once", first);
	expect_sum(1, MANY, (int64_t)MANY * (MANY + 1) / 2, 1, MANY);
}

/* Thread 0 is none, and looks at entry 0: virtual threads come that way first. */
Test(counters, are_none_of_thread_0)
{
	for (int i = 0; i < MANY; i++) {
		javacount(counters, THREAD(i), 1, 1);
		cr_expect_null(javacount_find(counters, 0, 0, 1));
	}
}

Test(counters, stay_when_a_row_grows)
{
	struct counter *before = counters_row(counters, THREAD(0), 0, false);

	javacount(counters, THREAD(0), 2, 10);
	javacount(counters, THREAD(0), 100000, 1);
	cr_expect_neq(counters_row(counters, THREAD(0), 0, false), before);
	javacount(counters, THREAD(0), 2, 30);
	expect_sum(2, 2, 40, 10, 30);
	expect_sum(100000, 1, 1, 1, 1);
	cr_expect_eq(before[2].count, 1);
}

/* Rows have room for what others have asked for, so that they do not grow step by step. */
Test(counters, of_new_rows_are_as_many_as_others_have)
{
	counters_row(counters, THREAD(0), 1000, false);
	counters_row(counters, THREAD(1), 0, false);
	cr_expect(javacount_find(counters, THREAD(1), 1000, COUNTERS_PROBES));
	cr_expect_null(javacount_find(counters, THREAD(1), 1024, COUNTERS_PROBES));
}

Test(counters, stay_when_a_thread_ends_and_its_row_is_taken_again)
{
	struct counter *row = counters_row(counters, THREAD(0), 0, false);

	javacount(counters, THREAD(0), 0, 3);
	counters_leave(counters, THREAD(0));
	cr_expect_null(javacount_find(counters, THREAD(0), 0, COUNTERS_PROBES));
	expect_sum(0, 1, 3, 3, 3);
	cr_expect_eq(counters_row(counters, THREAD(1), 0, false), row);
	javacount(counters, THREAD(1), 0, 5);
	expect_sum(0, 2, 8, 3, 5);
	counters_leave(counters, THREAD(7));
	counters_leave(counters, 1);
}

Test(counters, of_threads_that_come_and_go_take_no_more_memory)
{
	fault_at(0);
	for (int i = 0; i < MANY; i++) {
		javacount(counters, THREAD(i), 0, 1);
		counters_leave(counters, THREAD(i));
	}
	expect_sum(0, MANY, MANY, 1, 1);
	cr_expect_eq(fault_count(), 1);
}

/* Entries behind one that was left are found all the same. */
Test(counters, are_found_when_others_have_left)
{
	for (int i = 0; i < MANY; i++)
		javacount(counters, THREAD(i), 0, 1);
	for (int i = 0; i < MANY; i += 2)
		counters_leave(counters, THREAD(i));
	for (int i = 1; i < MANY; i += 2)
		cr_expect(javacount_find(counters, THREAD(i), 0, COUNTERS_PROBES));
	for (int i = 0; i < MANY; i += 2)
		cr_expect_null(javacount_find(counters, THREAD(i), 0, COUNTERS_PROBES));
}

Test(counters, of_a_thread_that_is_ignored_are_in_no_sum)
{
	struct counter *row = counters_row(counters, THREAD(0), 0, true);

	javacount(counters, THREAD(0), 0, 3);
	javacount(counters, THREAD(0), 1000, 3);
	expect_sum(0, 0, 0, -1, 0);
	expect_sum(1000, 0, 0, -1, 0);
	counters_leave(counters, THREAD(0));
	cr_expect_neq(counters_row(counters, THREAD(1), 0, false), row);
	javacount(counters, THREAD(1), 0, 4);
	expect_sum(0, 1, 4, 4, 4);
}

Test(counters, of_virtual_threads_are_shared)
{
	struct counter *rows[COUNTERS_SHARED];

	for (unsigned i = 0; i < COUNTERS_SHARED; i++) {
		javacount(counters, i + 1, 2, 10 + i);
		rows[i] = counters_shared_row(counters, i, 0);
		for (unsigned k = 0; k < i; k++)
			cr_expect_neq(rows[i], rows[k]);
		cr_expect_eq(javacount_find(counters, i + 1, 2, COUNTERS_PROBES),
			     rows[i] + 2);
	}
	expect_sum(2, 16, 16 * 10 + 15 * 16 / 2, 10, 25);
	javacount(counters, 3, 5000, 1);
	for (unsigned i = 0; i < COUNTERS_SHARED; i++)
		cr_expect(javacount_find(counters, i + 1, 5000, COUNTERS_PROBES));
	/* One that still has the old row. */
	counter_count_shared(rows[2] + 2, 9);
	expect_sum(2, 17, 16 * 10 + 15 * 16 / 2 + 9, 9, 25);
	expect_sum(5000, 1, 1, 1, 1);
}

Test(counters, in_tables_that_were_replaced_stay_right)
{
	uint64_t before = *counters_root(counters), *entry;
	struct counter *row;

	counters_shared_row(counters, 0, 0);
	before = *counters_root(counters);
	row = counters_shared_row(counters, 0, 0);
	counters_shared_row(counters, 0, 1000);
	cr_expect_neq(before, *counters_root(counters));
	entry = (uint64_t *)(uintptr_t)((before & ~UINT64_C(63)) +
					(COUNTERS_GOLDEN >> (64 - (before & 63))) * 32);
	cr_expect_eq(entry[0], 1);
	cr_expect_eq(entry[1], (uintptr_t)row);
	cr_expect_eq(entry[2], (uintptr_t)(row + 64));
}

Test(counters, become_0_in_all_rows)
{
	javacount(counters, THREAD(0), 2, 10);
	javacount(counters, THREAD(0), 3, 10);
	javacount(counters, THREAD(0), 1000, 1);
	javacount(counters, THREAD(0), 2, 10);
	javacount(counters, 4, 2, 10);
	counters_zero(counters, 2);
	counters_zero(counters, 5000);
	expect_sum(2, 0, 0, -1, 0);
	expect_sum(3, 1, 10, 10, 10);
}

/* The sum is written before the count: what we have of it may be ahead. */
Test(counters, that_are_being_written_make_no_call_longer_than_the_longest)
{
	struct counter *row = counters_row(counters, THREAD(0), 3, false);

	row[1] = (struct counter){ .count = 2, .total = 70, .min_plus_one = 21, .max = 30 };
	expect_sum(1, 2, 60, 20, 30);
	row[1] = (struct counter){ .total = 30, .min_plus_one = 31, .max = 30 };
	expect_sum(1, 0, 0, -1, 0);
	row[1] = (struct counter){ .count = UINT64_MAX / 2, .total = INT64_MAX,
				   .min_plus_one = 31, .max = 30 };
	expect_sum(1, UINT64_MAX / 2, INT64_MAX, 30, 30);
}

/* What was counted before is taken off; a call that is late is one of those since. */
Test(counters, begin_anew)
{
	struct counter before, sum;

	javacount(counters, THREAD(0), 3, 5);
	javacount(counters, THREAD(1), 3, 500);
	javacount(counters, 4, 3, 700);
	counters_anew(counters, 3);
	counters_anew(counters, 5000);
	before = sum_of(3);
	cr_expect_eq(before.count, 3);
	sum = sum_of(3);
	counter_since(&sum, &before);
	cr_expect_eq(sum.count + (uint64_t)sum.total + (uint64_t)sum.max, 0);
	javacount(counters, THREAD(0), 3, 30);
	javacount(counters, 4, 3, 40);
	sum = sum_of(3);
	counter_since(&sum, &before);
	cr_expect_eq(sum.count, 2);
	cr_expect_eq(sum.total, 70);
	cr_expect_eq(sum.min_plus_one, 31);
	cr_expect_eq(sum.max, 40);
}

Test(counters, are_summed_in_ranges)
{
	struct counter sums[100];

	for (uint32_t id = 0; id < 100; id++)
		javacount(counters, THREAD(id % 3), id, id + 1);
	counters_sum(counters, 10, 100, sums);
	for (uint32_t i = 0; i < 90; i++)
		cr_expect_eq(sums[i].total, i + 11);
	for (uint32_t i = 90; i < 100; i++)
		cr_expect_eq(sums[i].count, 0);
	counters_sum(counters, UINT32_MAX - 50, 100, sums);
	for (uint32_t i = 0; i < 100; i++)
		cr_expect_eq(sums[i].count, 0);
}

Test(counters, are_not_without_end)
{
	cr_expect_null(counters_row(counters, THREAD(0), UINT32_MAX, false));
	cr_expect_null(counters_shared_row(counters, 0, UINT32_MAX));
	cr_expect(javacount(counters, THREAD(0), 1, 1));
	cr_expect(javacount(counters, 1, 1, 1));
	expect_sum(1, 2, 2, 1, 1);
}

Test(counters, need_memory)
{
	for (size_t n = 1; n <= 2; n++) {
		fault_at(n);
		cr_expect_null(counters_new());
		cr_expect(fault_happened());
	}
	fault_at(0);
}

/* What could not be counted is not there, all else is; later it goes on. */
Test(counters, without_memory_are_as_they_were)
{
	uint64_t refused = 0;

	javacount(counters, THREAD(0), 1, 1);
	javacount(counters, 1, 1, 1);
	for (uint32_t n = 1; n < 20; n++) {
		bool is_good;

		fault_at(n);
		is_good = javacount(counters, 1, 100, 1);
		refused += !is_good;
		cr_expect(is_good != fault_happened());
		fault_at(0);
		cr_expect(javacount(counters, 1, 1, 1));
	}
	cr_expect_gt(refused, COUNTERS_SHARED);
	expect_sum(1, 21, 21, 1, 1);
	refused = 0;
	for (int i = 1; i < MANY; i++) {
		fault_at((size_t)i % 2 + 1);
		refused += !javacount(counters, THREAD(i), 1, 1);
		fault_at(0);
	}
	cr_expect_geq(refused, MANY / 2 - 1);
	expect_sum(1, 21 + MANY - 1 - refused, (int64_t)(21 + MANY - 1 - refused), 1, 1);
	for (int i = 0; i < MANY; i++)
		cr_expect(javacount(counters, THREAD(i), 1, 1));
}

static long resident_pages(void)
{
	FILE *from = fopen("/proc/self/statm", "r");
	long pages = 0;

	cr_assert(from && fscanf(from, "%*d %ld", &pages) == 1);
	fclose(from);
	return pages;
}

/* Rows are large, and most of each is never touched. */
Test(counters, takes_no_memory_for_what_was_never_counted)
{
	enum { ROWS = 100, METHODS = 20000 };
	long before, after;

	for (uint64_t thread = 0; thread < ROWS; thread++) {
		struct counter *row = counters_row(counters, 0x1000 + thread * 64,
						   METHODS - 1, false);

		cr_assert(row);
		row[0].count = 1;
	}
	before = resident_pages();
	for (uint32_t id = 0; id < METHODS; id++)
		counters_zero(counters, id);
	after = resident_pages();
	cr_expect_lt(after - before, ROWS * METHODS * 32L / 4096 / 4, "%ld pages",
		     after - before);
}
