#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/crew.h"

struct job {
	int count;   /* items to hand out */
	int stop_at; /* take refuses after so many; 0: never */
	int handed, taken;
	bool wrong;
	atomic_int in_next, in_take, worked;
};

struct item {
	int number;
	int worked;
	char *kept; /* a buffer that outlives its item */
};

static atomic_int released;

static bool next(void *context, void *item)
{
	struct job *job = context;
	struct item *own = item;

	if (atomic_fetch_add(&job->in_next, 1) != 0)
		job->wrong = true;
	if (job->handed < job->count) {
		own->number = job->handed++;
		own->worked = 0;
	} else {
		own = NULL;
	}
	atomic_fetch_sub(&job->in_next, 1);
	return own;
}

static void work(void *context, void *item)
{
	struct job *job = context;
	struct item *own = item;

	if (!own->kept)
		own->kept = malloc(100);
	usleep((useconds_t)(own->number * 7919 % 50));
	own->worked++;
	atomic_fetch_add(&job->worked, 1);
}

static bool take(void *context, void *item)
{
	struct job *job = context;
	struct item *own = item;

	if (atomic_fetch_add(&job->in_take, 1) != 0)
		job->wrong = true;
	if (own->number != job->taken || own->worked != 1)
		job->wrong = true;
	job->taken++;
	atomic_fetch_sub(&job->in_take, 1);
	return job->taken != job->stop_at;
}

static void release(void *item)
{
	struct item *own = item;

	free(own->kept);
	own->kept = NULL;
	atomic_fetch_add(&released, 1);
}

static const struct crew crew = {
	.item_size = sizeof(struct item),
	.next = next,
	.work = work,
	.take = take,
	.release = release,
};

static void check_run(int threads, int count)
{
	struct job job = { .count = count };

	cr_assert(crew_run(&crew, &job, threads));
	cr_assert_not(job.wrong);
	cr_assert_eq(job.taken, count);
	cr_assert_eq(atomic_load(&job.worked), count);
}

Test(crew, takes_all_items_in_order)
{
	for (int threads = 1; threads <= 9; threads++) {
		check_run(threads, 0);
		check_run(threads, 1);
		check_run(threads, 2);
		check_run(threads, 3 * threads);
		check_run(threads, 300);
	}
}

Test(crew, takes_any_number_of_threads)
{
	check_run(-1, 10);
	check_run(0, 10);
	check_run(100, 300);
	check_run(100000, 300);
}

Test(crew, stops_when_take_says_so)
{
	for (int threads = 1; threads <= 8; threads++)
		for (int stop_at = 1; stop_at <= 41; stop_at += 10) {
			struct job job = { .count = 1000000, .stop_at = stop_at };

			cr_assert_not(crew_run(&crew, &job, threads));
			cr_assert_not(job.wrong);
			cr_assert_eq(job.taken, stop_at);
			cr_assert_leq(job.handed, stop_at + 2 * threads + 2);
		}
}

Test(crew, fails_when_stopped_at_the_last_item)
{
	struct job job = { .count = 10, .stop_at = 10 };

	cr_assert_not(crew_run(&crew, &job, 4));
	cr_assert_eq(job.taken, 10);
}

Test(crew, releases_each_block_once)
{
	struct job job = { .count = 100 };

	atomic_store(&released, 0);
	cr_assert(crew_run(&crew, &job, 1));
	cr_assert_eq(atomic_load(&released), 1);
	atomic_store(&released, 0);
	job = (struct job){ .count = 100, .stop_at = 50 };
	cr_assert_not(crew_run(&crew, &job, 4));
	cr_assert_leq(atomic_load(&released), 4 * 2 + 2);
	cr_assert_geq(atomic_load(&released), 1);
}

static void work_nothing(void *context, void *item)
{
	(void)context;
	((struct item *)item)->worked = 1;
}

Test(crew, needs_no_release)
{
	const struct crew plain = {
		.item_size = sizeof(struct item),
		.next = next,
		.work = work_nothing,
		.take = take,
	};
	struct job job = { .count = 20000 };

	cr_assert(crew_run(&plain, &job, 4));
	cr_assert_not(job.wrong);
	cr_assert_eq(job.taken, 20000);
}

/* The first item is by far the slowest: the others are parked, up to a bound. */
static void work_slow_first(void *context, void *item)
{
	struct job *job = context;
	struct item *own = item;

	if (own->number == 0)
		usleep(200000);
	own->worked = 1;
	atomic_fetch_add(&job->worked, 1);
}

static bool take_after_others(void *context, void *item)
{
	struct job *job = context;
	struct item *own = item;
	int worked = atomic_load(&job->worked);

	if (own->number == 0 && (worked < 4 || worked > 3 * 2 + 2))
		job->wrong = true;
	return take(context, item);
}

Test(crew, goes_on_while_the_first_item_is_slow)
{
	const struct crew slow = {
		.item_size = sizeof(struct item),
		.next = next,
		.work = work_slow_first,
		.take = take_after_others,
	};
	struct job job = { .count = 500 };

	cr_assert(crew_run(&slow, &job, 3));
	cr_assert_not(job.wrong);
	cr_assert_eq(job.taken, 500);
}

Test(crew, has_the_size_that_was_wanted)
{
	setenv("CJFR_JOBS", "7", 1);
	cr_assert_eq(crew_size(3), 3);
	cr_assert_eq(crew_size(0), 7);
	cr_assert_eq(crew_size(-1), 7);
	cr_assert_eq(crew_size(1000000), 256);
}

Test(crew, ignores_a_senseless_number_of_jobs)
{
	static const char *const texts[] = { "",   "0",	 "-3", "2x",  "x",
					     " 2", "2 ", "+2", "1.5", "0x10" };
	int processors;

	unsetenv("CJFR_JOBS");
	processors = crew_size(0);
	cr_assert_geq(processors, 1);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		setenv("CJFR_JOBS", texts[i], 1);
		cr_assert_eq(crew_size(0), processors, "%s", texts[i]);
	}
	setenv("CJFR_JOBS", "99999999999999999999999999", 1);
	cr_assert_eq(crew_size(0), 256);
	setenv("CJFR_JOBS", "007", 1);
	cr_assert_eq(crew_size(0), 7);
}
