/*
 * plain_crew.c - crews of 1 to 8 threads and what they share, without Criterion,
 * which does not run under ThreadSanitizer. Prints a line per case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/crew.h"
#include "base/map.h"
#include "base/memo.h"

#define CELLS 50

struct job {
	int count;
	int stop_at; /* 0: never */
	int pace;    /* how long work takes at most, in microseconds */
	struct memo *memo;
	int handed, taken; /* not atomic: each belongs to one stage */
	int wrong;
	uint32_t seed;
};

struct item {
	int number;
	int pause;
	bool bad;
	struct buf text;
	struct map map;
};

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void pause_for(int microseconds)
{
	struct timespec time = { .tv_nsec = microseconds * 1000L };

	if (microseconds)
		nanosleep(&time, NULL);
}

static bool next(void *context, void *item)
{
	struct job *job = context;
	struct item *own = item;

	if (job->handed == job->count)
		return false;
	own->number = job->handed++;
	own->pause = job->pace ? (int)(random_next(&job->seed) % job->pace) : 0;
	own->bad = false;
	buf_reset(&own->text);
	return true;
}

/* Each thread fills a map of its own; all look for texts in the same few cells. */
static void work(void *context, void *item)
{
	struct job *job = context;
	struct item *own = item;
	size_t cell = (size_t)own->number % CELLS;
	struct str found;

	pause_for(own->pause);
	map_clear(&own->map);
	for (uint32_t i = 0; i < 40; i++)
		own->bad |= !map_put(&own->map, (uint64_t)own->number * i, i);
	own->bad |= own->number && map_find(&own->map, (uint64_t)own->number * 7) != 7;

	buf_text(&own->text, "text ");
	buf_unsigned(&own->text, cell);
	memo_put(job->memo, 0, cell, (struct str){ own->text.bytes, own->text.size });
	found = memo_find(job->memo, 0, cell);
	own->bad |= found.bytes &&
		    !str_is(found, (struct str){ own->text.bytes, own->text.size });
}

static bool take(void *context, void *item)
{
	struct job *job = context;
	struct item *own = item;

	job->wrong += own->bad || own->number != job->taken;
	job->taken++;
	if (job->taken % 64 == 0)
		pause_for(job->pace * 4);
	return job->taken != job->stop_at;
}

static void release(void *item)
{
	struct item *own = item;

	buf_clear(&own->text);
	map_clear(&own->map);
}

static bool run(int threads, int count, int stop_at, int pace, size_t limit)
{
	const struct crew crew = {
		.item_size = sizeof(struct item),
		.next = next,
		.work = work,
		.take = take,
		.release = release,
	};
	struct memo_store *store = memo_store_new(limit);
	struct job job = {
		.count = count,
		.stop_at = stop_at,
		.pace = pace,
		.memo = memo_new(store, 1, CELLS),
		.seed = (uint32_t)(threads * 1000 + count),
	};
	bool stops = stop_at && stop_at <= count;
	bool done = crew_run(&crew, &job, threads);

	memo_store_free(store);
	return done == !stops && !job.wrong && job.taken == (stops ? stop_at : count) &&
	       job.handed <= job.taken + 2 * threads + 2;
}

static int failures, cases;

static void check(bool good, const char *what, int threads)
{
	failures += !good;
	printf("%sok %d - %s, %d at once\n", good ? "" : "not ", ++cases, what,
	       threads);
}

int main(void)
{
	static const int crews[] = { 1, 2, 4, 8 };

	for (size_t i = 0; i < sizeof(crews) / sizeof(crews[0]); i++) {
		int threads = crews[i];
		bool good = true;

		check(run(threads, 5000, 0, 0, 1 << 20), "many short items", threads);
		check(run(threads, 500, 0, 300, 1 << 20), "items of any length",
		      threads);
		check(run(threads, 500, 0, 50, 600), "a memo that is full", threads);
		for (int count = 0; count < 40; count++)
			good &= run(threads, count, 0, 20, 1 << 20);
		check(good, "few items", threads);
		for (int stop_at = 1; stop_at < 60; stop_at++)
			good &= run(threads, 100000, stop_at, 100, 1 << 20);
		check(good, "stopping early", threads);
		for (int count = 1; count < 40; count++)
			good &= run(threads, count, count, 20, 1 << 20);
		check(good, "stopping at the last item", threads);
	}
	printf("1..%d\n", cases);
	return failures != 0;
}
