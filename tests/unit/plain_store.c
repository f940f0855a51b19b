/*
 * plain_store.c - threads, their signal handlers and a flusher, all at once in one
 * store, without Criterion, which does not run under ThreadSanitizer. Prints a line per
 * case.
 *
 * Each writer numbers its events without gaps as it commits them, so that what is told
 * must be 1, 2, 3 and so on for each, up to what it has committed in the end. The key
 * in an event is the epoch that was given out as the present one when it was written.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/emit.h"
#include "jfr/cursor.h"

#define WRITERS_MAX 5000
#define KB ((size_t)1024)
#define MB (KB * KB)
#define UNTIL_WOKEN (-1)

struct trial {
	const char *name;
	int threads, lives, events;	/* at a time; one after the other; of each */
	size_t buffer, memory;
	int pause;			/* of the flusher, in microseconds */
	int burst, rest;		/* events until a writer rests, and how long */
	int refusal;			/* each n-th telling is refused; 0: none */
	bool has_signals;
	bool has_no_membarrier;		/* the system call is taken for missing */
	int rounds;			/* until lanes are closed; 0: they are not */
	unsigned least, most;		/* that may be lost, of a hundred */
	const char *path;
};

/* The last is the flusher's, the others are its thread's or handler's. */
struct writer {
	uint64_t attempts, sent, committed, told;
};

static struct pit {
	const struct trial *trial;
	struct store store;
	atomic_uint key, writer_count, signals;
	atomic_int running;
	sem_t wakings;
	struct writer writers[WRITERS_MAX];
	/* The flusher's. */
	unsigned evicted, flips, calls;
	uint64_t wrong;
} pit;

/* What the signal handler on this thread writes to. */
static __thread struct lane *volatile signal_lane;
static __thread unsigned signal_writer;

static void pause_for(int microseconds)
{
	struct timespec time = { .tv_nsec = microseconds * 1000L };

	nanosleep(&time, NULL);
}

/* --- writers ------------------------------------------------------------------ */

/* Some are long, some too long for their room, some are given up. */
static void write_event(struct lane *lane, unsigned number)
{
	struct writer *writer = &pit.writers[number];
	uint64_t attempt = ++writer->attempts;
	size_t filling = attempt % 97 == 0 ? 150 : attempt % 5;
	struct emit event;

	writer->sent++;
	if (!emit_begin(&event, lane, EVENT_THREAD_START, EMIT_ROOM(3) + filling))
		return;
	emit_long(&event, atomic_load_explicit(&pit.key, memory_order_relaxed));
	emit_long(&event, number);
	emit_long(&event, (int64_t)writer->committed + 1);
	if (attempt % 1021 == 0)
		filling += 100;
	while (filling--)
		emit_long(&event, 1);
	if (attempt % 511 == 0)
		sched_yield();
	if (pit.trial->rest && attempt % 7 == 0)
		pause_for(pit.trial->rest / 10);
	if (attempt % 1531 == 0) {
		lane_cancel(lane);
		writer->sent--;
	} else if (emit_commit(&event)) {
		writer->committed++;
	}
}

static void on_signal(int signal)
{
	(void)signal;
	if (!signal_lane)
		return;
	write_event(signal_lane, signal_writer);
	atomic_fetch_add_explicit(&pit.signals, 1, memory_order_relaxed);
}

static unsigned new_writer(void)
{
	return atomic_fetch_add_explicit(&pit.writer_count, 1, memory_order_relaxed);
}

static void *write_events(void *unused)
{
	const struct trial *trial = pit.trial;
	struct lane *lane = store_lane(&pit.store), *second;
	unsigned number = new_writer();

	(void)unused;
	if (trial->has_signals) {
		signal_writer = new_writer();
		signal_lane = store_lane(&pit.store);
	}
	for (int i = 0; i < trial->events; i++) {
		if (trial->burst && i % trial->burst == 0)
			pause_for(trial->rest / 2 + (int)number * 761 % trial->rest);
		write_event(lane, number);
	}
	second = signal_lane;
	signal_lane = NULL;
	lane_release(second);
	lane_release(lane);
	return NULL;
}

/* One thread after the other, each with a lane and a number of its own. */
static void *live(void *unused)
{
	const struct trial *trial = pit.trial;

	for (int i = 0; i < trial->lives; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, write_events, unused) != 0)
			abort();
		for (int k = 0; trial->has_signals && k < trial->events / 5; k++)
			pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
	}
	atomic_fetch_sub(&pit.running, 1);
	return NULL;
}

/* --- the flusher -------------------------------------------------------------- */

/* Events of a writer come one after the other, with keys that are still there. */
static bool take(struct cursor *cursor)
{
	const unsigned char *start = cursor->at;
	uint64_t size = cursor_varint(cursor);
	uint64_t type = cursor_varint(cursor);
	uint64_t key = cursor_varint(cursor);
	uint64_t number = cursor_varint(cursor);
	uint64_t count = cursor_varint(cursor);

	if (cursor->bad || type != EVENT_THREAD_START || number >= WRITERS_MAX ||
	    size > (size_t)(cursor->end - start))
		return false;
	cursor->at = start + size;
	return count == ++pit.writers[number].told && key > pit.evicted;
}

static bool told(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct cursor cursor = cursor_of((const unsigned char *)bytes, size);

	(void)context;
	if (pit.trial->refusal && ++pit.calls % (unsigned)pit.trial->refusal == 0)
		return false;
	pit.wrong += !lane || !size;
	while (cursor_left(&cursor)) {
		if (!take(&cursor))
			pit.wrong++;
	}
	return true;
}

/* The keys of the epoch before go when nobody can use them any more. */
static void round_of_flusher(void)
{
	unsigned present = atomic_load_explicit(&pit.key, memory_order_relaxed);
	unsigned past = 0;

	if (pit.flips++ % 3 == 0) {
		atomic_store_explicit(&pit.key, present + 1, memory_order_relaxed);
		pit.wrong += store_flip(&pit.store) != present + 1;
	} else if (store_is_past(&pit.store, present - 1)) {
		past = present - 1;
	}
	if (store_drain(&pit.store, told, NULL) && past)
		pit.evicted = past;
	store_settle(&pit.store);
}

static void wait_a_while(void)
{
	struct timespec until;

	if (pit.trial->pause != UNTIL_WOKEN) {
		pause_for(pit.trial->pause);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 20000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	sem_timedwait(&pit.wakings, &until);
}

static void wake(void *context)
{
	sem_post(context);
}

/* --- trials ------------------------------------------------------------------- */

static void drain_all(void)
{
	while (!store_drain(&pit.store, told, NULL))
		continue;
}

/* Nothing is told after this: what is committed then is missed. */
static void close_lanes(void)
{
	store_close_lanes(&pit.store);
	drain_all();
	store_settle(&pit.store);
}

static void run_threads(void)
{
	pthread_t threads[64];
	int count = pit.trial->threads, rounds = 0;

	atomic_store(&pit.running, count);
	for (int i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, live, NULL) != 0)
			abort();
	}
	while (atomic_load(&pit.running)) {
		if (!pit.trial->rounds || rounds < pit.trial->rounds)
			round_of_flusher();
		if (++rounds == pit.trial->rounds)
			close_lanes();
		wait_a_while();
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	if (!pit.trial->rounds)
		drain_all();
}

static bool is_as_sent(void)
{
	uint64_t sent = 0, committed = 0, wrong = pit.wrong, lost, bytes;
	unsigned count = atomic_load(&pit.writer_count);

	for (unsigned i = 0; i < count; i++) {
		sent += pit.writers[i].sent;
		committed += pit.writers[i].committed;
		wrong += pit.writers[i].told != pit.writers[i].committed;
	}
	store_lost(&pit.store, &lost, &bytes);
	printf("# %llu sent, %u by signals, %llu committed, %llu lost, %llu wrong, "
	       "%u lanes, %u of %u slots, epoch %u, %u past\n",
	       (unsigned long long)sent, (unsigned)pit.signals,
	       (unsigned long long)committed, (unsigned long long)lost,
	       (unsigned long long)wrong, (unsigned)pit.store.lane_count,
	       (unsigned)pit.store.slots.count, (unsigned)pit.store.slots.limit,
	       (unsigned)pit.store.epoch, pit.evicted);
	if (wrong || (lost == 0) != (bytes == 0) ||
	    (pit.trial->rounds ? committed + lost >= sent : committed + lost != sent) ||
	    !pit.signals == pit.trial->has_signals)
		return false;
	return lost * 100 >= sent * pit.trial->least &&
	       lost * 100 <= sent * pit.trial->most;
}

static bool run(const struct trial *trial)
{
	bool is_good;
	struct err err = { 0 };

	memset(&pit, 0, sizeof(pit));
	pit.trial = trial;
	atomic_store(&pit.key, 1);
	sem_init(&pit.wakings, 0, 0);
	if (!store_open(&pit.store, trial->path, trial->buffer, trial->memory, &err))
		return false;
	if (trial->has_no_membarrier)
		pit.store.barrier = BARRIER_PAUSE;
	store_wake_by(&pit.store, wake, &pit.wakings);
	run_threads();
	is_good = is_as_sent() && store_fd(&pit.store) >= 0;
	store_close(&pit.store);
	if (trial->path)
		unlink(trial->path);
	return is_good;
}

#define FILE_PATH "plain_store.spill"

static const struct trial trials[] = {
	{ .name = "8 threads at full speed", .threads = 8, .lives = 1,
	  .events = 1000000, .buffer = 8 * KB, .memory = 32 * MB, .pause = UNTIL_WOKEN,
	  .most = 100 },
	{ .name = "8 threads, few buffers", .threads = 8, .lives = 1,
	  .events = 1000000, .buffer = 4 * KB, .memory = 68 * KB, .pause = 0,
	  .most = 100 },
	{ .name = "8 threads, a flusher that is too slow", .threads = 8, .lives = 1,
	  .events = 100000, .buffer = 4 * KB, .memory = 68 * KB, .pause = 20000,
	  .least = 10, .most = 100 },
	{ .name = "8 threads and signals on them", .threads = 8, .lives = 2,
	  .events = 300000, .buffer = 4 * KB, .memory = 1 * MB, .pause = 100,
	  .has_signals = true, .most = 100 },
	{ .name = "threads that come and go, with signals", .threads = 8, .lives = 300,
	  .events = 100, .buffer = 4 * KB, .memory = 132 * KB, .pause = 100,
	  .burst = 30, .rest = 200, .has_signals = true, .most = 100 },
	{ .name = "a chunk that takes nothing at times", .threads = 8, .lives = 10,
	  .events = 10000, .buffer = 4 * KB, .memory = 260 * KB, .pause = 500,
	  .refusal = 3, .most = 100, .path = FILE_PATH },
	{ .name = "more threads than buffers", .threads = 40, .lives = 1,
	  .events = 50, .buffer = 4 * KB, .memory = 36 * KB, .pause = 1000,
	  .burst = 1, .rest = 30000, .most = 50 },
	{ .name = "the same without membarrier", .threads = 40, .lives = 1,
	  .events = 10, .buffer = 4 * KB, .memory = 68 * KB, .pause = 1000,
	  .burst = 1, .rest = 300000, .has_no_membarrier = true, .most = 50 },
	{ .name = "lanes that are closed", .threads = 8, .lives = 1,
	  .events = 2000000, .buffer = 4 * KB, .memory = 8 * MB, .pause = 1000,
	  .rounds = 20, .most = 100 },
	{ .name = "lanes that come and go, with signals, and are closed",
	  .threads = 8, .lives = 300, .events = 100, .buffer = 4 * KB,
	  .memory = 1 * MB, .pause = 1000, .burst = 30, .rest = 200,
	  .has_signals = true, .rounds = 10, .most = 100 },
	{ .name = "the same without membarrier", .threads = 8, .lives = 300,
	  .events = 100, .buffer = 4 * KB, .memory = 1 * MB, .pause = 1000,
	  .burst = 30, .rest = 200, .has_signals = true, .rounds = 5,
	  .has_no_membarrier = true, .most = 100 },
};

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	size_t count = sizeof(trials) / sizeof(trials[0]);
	int failures = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sigaction(SIGUSR1, &action, NULL);
	unlink(FILE_PATH);
	for (size_t i = 0; i < count; i++) {
		bool is_good = run(&trials[i]);

		failures += !is_good;
		printf("%sok %zu - %s\n", is_good ? "" : "not ", i + 1, trials[i].name);
	}
	printf("1..%zu\n", count);
	return failures != 0;
}
