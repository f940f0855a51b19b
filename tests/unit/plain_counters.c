/*
 * plain_counters.c - threads that count while rows and tables grow, others end, and sums
 * are taken, without Criterion, which does not run under ThreadSanitizer. Prints a line
 * per case.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "javacount.h"

#define IDS 2000
#define THREADS_MAX 64

struct trial {
	const char *name;
	int threads, lives;		/* at a time; one after the other */
	int calls;			/* of each life */
	bool is_shared;			/* all as virtual threads */
	bool has_others;		/* each second life never leaves */
};

static struct {
	const struct trial *trial;
	struct counters *counters;
	atomic_uint lives, running;
	atomic_ulong expected[IDS];
	unsigned long wrong;
} pit;

/* No two live ones have the same, as with structures of the JVM's. */
static uint64_t new_life(void)
{
	unsigned life = atomic_fetch_add(&pit.lives, 1);

	return pit.trial->is_shared ? 1 + life % COUNTERS_SHARED
				    : UINT64_C(0x7f0000001000) + life * UINT64_C(0x9c0);
}

static void *live(void *unused)
{
	const struct trial *trial = pit.trial;

	for (int i = 0; i < trial->lives; i++) {
		uint64_t thread = new_life();

		for (int k = 0; k < trial->calls; k++) {
			uint32_t id = (uint32_t)k % (uint32_t)(1 + k / 16) % IDS;

			if (!javacount(pit.counters, thread, id, 1 + k % 100))
				abort();
			atomic_fetch_add_explicit(&pit.expected[id], 1,
						  memory_order_relaxed);
		}
		if (!trial->has_others || i % 2)
			counters_leave(pit.counters, thread);
	}
	atomic_fetch_sub(&pit.running, 1);
	return unused;
}

/* Counts only grow, and make sense; in the end they are what they must be. */
static void look(bool is_over)
{
	static struct counter before[IDS], now[IDS];
	const struct counter none = { 0 };

	counters_sum(pit.counters, 0, IDS, now);
	for (int i = 0; i < IDS; i++) {
		counter_since(&now[i], &none);
		pit.wrong += now[i].count < before[i].count;
		pit.wrong += (uint64_t)now[i].total > now[i].count * (uint64_t)now[i].max;
		before[i] = now[i];
	}
	if (is_over) {
		for (int i = 0; i < IDS; i++) {
			pit.wrong += now[i].count != atomic_load(&pit.expected[i]);
			before[i] = (struct counter){ 0 };
		}
	}
}

static bool run(const struct trial *trial)
{
	pthread_t threads[THREADS_MAX];
	bool is_over = false;

	pit.trial = trial;
	pit.wrong = 0;
	pit.lives = 0;
	pit.running = (unsigned)trial->threads;
	for (int i = 0; i < IDS; i++)
		pit.expected[i] = 0;
	pit.counters = counters_new();
	if (!pit.counters)
		return false;
	for (int i = 0; i < trial->threads; i++) {
		if (pthread_create(&threads[i], NULL, live, NULL) != 0)
			abort();
	}
	while (!is_over) {
		is_over = !atomic_load(&pit.running);
		look(is_over);
	}
	for (int i = 0; i < trial->threads; i++)
		pthread_join(threads[i], NULL);
	counters_free(pit.counters);
	printf("# %u lives, %lu wrong\n", (unsigned)pit.lives, pit.wrong);
	return pit.wrong == 0;
}

static const struct trial trials[] = {
	{ .name = "8 threads whose rows grow", .threads = 8, .lives = 1,
	  .calls = 200000 },
	{ .name = "threads that come and go", .threads = 8, .lives = 300,
	  .calls = 200 },
	{ .name = "the same, and many stay", .threads = 8, .lives = 300, .calls = 500,
	  .has_others = true },
	{ .name = "64 threads in rows that all share", .threads = 64, .lives = 2,
	  .calls = 20000, .is_shared = true },
};

int main(void)
{
	size_t count = sizeof(trials) / sizeof(trials[0]);
	int failures = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < count; i++) {
		bool is_good = run(&trials[i]);

		failures += !is_good;
		printf("%sok %zu - %s\n", is_good ? "" : "not ", i + 1, trials[i].name);
	}
	printf("1..%zu\n", count);
	return failures != 0;
}
