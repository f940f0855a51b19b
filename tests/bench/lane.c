/*
 * lane - what it takes to write an event of 24 bytes into a lane: three numbers.
 *
 *	lane [-s FILE] [THREADS]...
 *
 * For each count of threads (1 and 2) a line says how many nanoseconds of processor
 * time one event took, while a flusher takes what they write, as a recording would.
 * When it cannot keep up the threads sleep, other than in a recording, which would lose
 * events. The clock is not asked for each event: that is measured for itself.
 *
 * The buffers are in a memfd, or in a FILE of that name, which must not be there yet: its
 * file system is what is measured, too.
 */
#include <err.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "engine/emit.h"

#define EVENTS 20000000
#define THREADS 64
#define BUFFER ((size_t)8 << 10)	/* the default of recordings */
#define MEMORY ((size_t)64 << 20)

static struct store store;
static atomic_int running;
static atomic_int_fast64_t nanos;	/* of all writers */
static uint64_t bytes_told;
static const char *path;		/* of the spill file; NULL: memfd */

static int64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool told(void *context, uint64_t lane, const char *bytes, size_t size)
{
	(void)context;
	(void)lane;
	(void)bytes;
	bytes_told += size;
	return true;
}

static void pause_for(int64_t nanoseconds)
{
	struct timespec time = { .tv_nsec = nanoseconds };

	nanosleep(&time, NULL);
}

static void *write_events(void *unused)
{
	struct lane *lane = store_lane(&store);
	int64_t ticks = now(CLOCK_MONOTONIC) | INT64_C(1) << 45;
	int64_t start = now(CLOCK_THREAD_CPUTIME_ID);

	for (int64_t i = 0; i < EVENTS; i++) {
		struct emit event;

		while (!emit_begin(&event, lane, EVENT_THREAD_START, EMIT_ROOM(3)))
			pause_for(200000);
		emit_long(&event, ticks + i);
		emit_long(&event, INT64_C(1) << 45 | (i & 1023));
		emit_long(&event, INT64_C(1) << 50 | i);
		emit_commit(&event);
	}
	atomic_fetch_add(&nanos, now(CLOCK_THREAD_CPUTIME_ID) - start);
	lane_release(lane);
	atomic_fetch_sub(&running, 1);
	return unused;
}

static void measure(int threads)
{
	pthread_t ids[THREADS];

	struct err why = { ERR_NONE, "" };

	if (!store_open(&store, path, BUFFER, MEMORY, &why))
		errx(1, "%s", why.text);
	if (store_fd(&store) < 0)
		errx(1, "no space for a spill file");
	if (path)
		unlink(path);
	atomic_store(&running, threads);
	atomic_store(&nanos, 0);
	bytes_told = 0;
	for (int i = 0; i < threads; i++) {
		if (pthread_create(&ids[i], NULL, write_events, NULL))
			errx(1, "no further thread");
	}
	while (atomic_load(&running)) {
		store_drain(&store, told, NULL);
		store_settle(&store);
		pause_for(100000);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	store_drain(&store, told, NULL);
	printf("%2d threads: %5.1f ns for an event of %.0f bytes\n", threads,
	       (double)nanos / EVENTS / threads, (double)bytes_told / EVENTS / threads);
	store_close(&store);
}

static _Noreturn void usage(void)
{
	errx(2, "usage: lane [-s FILE] [THREADS]...");
}

int main(int argc, char **argv)
{
	int64_t start = now(CLOCK_MONOTONIC), end = start;
	int option;

	while ((option = getopt(argc, argv, "s:")) != -1) {
		if (option != 's')
			usage();
		path = optarg;
	}
	for (int i = 0; i < 1000000; i++)
		end = now(CLOCK_MONOTONIC);
	printf("the clock: %.1f ns\n", (double)(end - start) / 1000000);
	if (optind == argc) {
		measure(1);
		measure(2);
	}
	for (int i = optind; i < argc; i++) {
		int threads = atoi(argv[i]);

		if (threads < 1 || threads > THREADS)
			usage();
		measure(threads);
	}
	return 0;
}
