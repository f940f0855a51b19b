/*
 * plain_pulse.c - threads with timers and signals, one that takes their tickers away
 * and gives them others, and a flusher, all at once, without Criterion, which does not
 * run under ThreadSanitizer. Prints a line per case.
 *
 * A walk gives the number of the thread that runs as the method of each frame, and keys
 * begin with the number of the thread that they are for: in no sample may they differ.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/now.h"
#include "sampler/guard.h"
#include "sampler/pulse.h"

#define KB ((size_t)1024)
#define THREADS 8
#define DEPTH 16
#define KEY_SHIFT 16
#define OTHER_KEYS 100

struct trial {
	const char *name;
	int lives, ticks;		/* of each thread, and in each of its lives */
	size_t memory;
	unsigned walkers;		/* 0: as many as there are */
	bool has_meddler;		/* other keys come while ticks do */
	bool has_faults;
};

static struct pit {
	const struct trial *trial;
	struct store store;
	struct tally tally;
	struct ticks ticks;
	struct pulse pulse;
	atomic_int running;
	atomic_int tids[THREADS];
	atomic_uint walks;
	/* The flusher's. */
	uint64_t samples, wrong;
} pit;

static volatile char *nothing;

/* It runs handlers with all signals blocked, faults too: they kill. */
#if defined(__SANITIZE_THREAD__)
#define IS_WATCHED true
#elif defined(__has_feature)
#define IS_WATCHED __has_feature(thread_sanitizer)
#else
#define IS_WATCHED false
#endif

/* --- what the handler asks ------------------------------------------------------ */

static void walk_thread(struct walk_trace *trace, int32_t depth, void *context)
{
	unsigned walk = atomic_fetch_add_explicit(&pit.walks, 1, memory_order_relaxed);
	void *self = (void *)(uintptr_t)gettid();

	(void)context;
	if (pit.trial->has_faults && walk % 13 == 0)
		*nothing;
	trace->count = (int32_t)(walk % 20) - 2;
	if (trace->count > depth)
		trace->count = depth;
	if (walk % 50 == 0)
		sched_yield();
	for (int i = 0; i < trace->count; i++)
		trace->frames[i] = (struct walk_frame){ i, self };
}

static void *env(void *context)
{
	return context;
}

static enum rawframe_type type(void *context, uint64_t method, uintptr_t pc)
{
	(void)context;
	(void)pc;
	if (pit.trial->has_faults && method % 2)
		*nothing;
	return RAWFRAME_COMPILED;
}

/* --- threads -------------------------------------------------------------------- */

static uint64_t key_of(pid_t tid, unsigned number)
{
	return (uint64_t)tid << KEY_SHIFT | number;
}

static bool add(pid_t tid, unsigned number)
{
	return ticks_add(&pit.ticks, tid, key_of(tid, number));
}

static uint64_t word_of(pid_t tid)
{
	uint32_t number;

	pthread_mutex_lock(&pit.ticks.lock);
	number = map_find(&pit.ticks.by_tid, (uint64_t)tid);
	pthread_mutex_unlock(&pit.ticks.lock);
	return (uint64_t)pit.ticks.cookie << 32 | number;
}

/* As from a timer, on the calling thread. */
static void send_tick(pid_t tid)
{
	siginfo_t info = { .si_signo = SIGPROF, .si_code = SI_TIMER };

	info.si_value.sival_ptr = (void *)(uintptr_t)word_of(tid);
	syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, SIGPROF, &info);
}

/* Under ThreadSanitizer signals come when the C library is called. */
static void *live(void *place)
{
	pid_t tid = gettid();

	atomic_store((atomic_int *)place, tid);
	for (int i = 0; i < pit.trial->lives; i++) {
		add(tid, 1);
		for (int k = 0; k < pit.trial->ticks; k++) {
			send_tick(tid);
			if (k % 10 == 0)
				sched_yield();
		}
		ticks_remove(&pit.ticks, tid, key_of(tid, 1));
	}
	atomic_store((atomic_int *)place, 0);
	atomic_fetch_sub(&pit.running, 1);
	return NULL;
}

static unsigned other_key(unsigned round)
{
	return 2 + round % OTHER_KEYS;
}

static void *meddle(void *unused)
{
	for (unsigned i = 0; atomic_load(&pit.running); i++) {
		pid_t tid = atomic_load(&pit.tids[i % THREADS]);

		/* That of the round before is what it got last. */
		if (tid && i % 3 == 0)
			ticks_remove(&pit.ticks, tid,
				     key_of(tid, other_key(i - THREADS)));
		else if (tid)
			add(tid, other_key(i));
	}
	return unused;
}

/* --- the flusher ---------------------------------------------------------------- */

static bool is_right(struct rawsample *sample)
{
	struct rawframe frame;
	uint32_t count = 0;
	uint64_t tid = sample->thread >> KEY_SHIFT;

	while (rawsample_next(sample, &frame)) {
		if (frame.method != tid || frame.bytecode != (int32_t)count++)
			return false;
	}
	return count == sample->count && count > 0 && count <= DEPTH;
}

static bool take(void *context, uint64_t lane, const char *bytes, size_t size)
{
	const char *end = bytes + size;
	struct rawsample sample;

	(void)context;
	pit.wrong += !(lane & LANE_RAW);
	for (; bytes < end; bytes = sample.end) {
		if (!rawsample_read(&sample, bytes, (size_t)(end - bytes))) {
			pit.wrong++;
			break;
		}
		pit.samples++;
		pit.wrong += !is_right(&sample);
	}
	return true;
}

static void flush_until_all_are_gone(void)
{
	const struct timespec pause = { .tv_nsec = MILLISECOND };

	while (atomic_load(&pit.running)) {
		store_drain(&pit.store, take, NULL);
		nanosleep(&pause, NULL);
	}
}

/* --- trials --------------------------------------------------------------------- */

static void run_threads(void)
{
	pthread_t threads[THREADS], meddler;

	atomic_store(&pit.running, THREADS);
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, live, &pit.tids[i]) != 0)
			abort();
	}
	if (pit.trial->has_meddler && pthread_create(&meddler, NULL, meddle, NULL) != 0)
		abort();
	flush_until_all_are_gone();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	if (pit.trial->has_meddler)
		pthread_join(meddler, NULL);
	ticks_stop(&pit.ticks);
	pulse_stop(&pit.pulse);
	store_drain(&pit.store, take, NULL);
}

static uint64_t count(enum tally_what what)
{
	return tally_get(&pit.tally, what);
}

static bool is_as_counted(void)
{
	uint64_t ticks = count(TALLY_TICKS), outcomes = 0, lost, bytes;
	uint64_t samples = count(TALLY_JAVA) + count(TALLY_NATIVE);

	for (int i = TALLY_FIRST_OUTCOME; i <= TALLY_LAST_OUTCOME; i++)
		outcomes += count((enum tally_what)i);
	store_lost(&pit.store, &lost, &bytes);
	printf("# %llu ticks, %llu samples, %llu dropped, %llu faults, %llu retried, "
	       "%llu lost, %u tickers, %llu wrong\n",
	       (unsigned long long)ticks, (unsigned long long)pit.samples,
	       (unsigned long long)count(TALLY_DROPPED),
	       (unsigned long long)count(TALLY_FAULT),
	       (unsigned long long)count(TALLY_RETRIED), (unsigned long long)lost,
	       pit.ticks.used, (unsigned long long)pit.wrong);
	return ticks > 0 && ticks == outcomes && samples > 0 &&
	       samples == pit.samples && !pit.wrong && lost <= count(TALLY_DROPPED) &&
	       pit.trial->has_faults ==
		       (count(TALLY_FAULT) + count(TALLY_RETRIED) > 0);
}

static bool begin(const struct trial *trial)
{
	memset(&pit, 0, sizeof(pit));
	pit.trial = trial;
	ticks_open(&pit.ticks, TICK_CPU, MILLISECOND, &pit.tally);
	pit.pulse = (struct pulse){
		.ticks = &pit.ticks,
		.tally = &pit.tally,
		.walk = { .jvm = walk_thread, .is_guarded = true },
		.depth = DEPTH,
		.java_period = MILLISECOND,
		.native_period = MILLISECOND,
		.context = &pit,
		.env = env,
		.type = type,
	};
	if (!guard_install(NULL) ||
	    !store_open(&pit.store, NULL, 4 * KB, trial->memory, NULL) ||
	    !pulse_open(&pit.pulse, &pit.store, NULL) ||
	    !pulse_start(&pit.pulse, NULL))
		return false;
	ticks_start(&pit.ticks);
	return true;
}

static bool run(const struct trial *trial)
{
	unsigned walkers;
	bool is_good;

	if (!begin(trial))
		return false;
	walkers = pit.pulse.walker_count;
	if (trial->walkers)
		pit.pulse.walker_count = trial->walkers;
	run_threads();
	is_good = is_as_counted();
	pit.pulse.walker_count = walkers;
	pulse_close(&pit.pulse);
	store_close(&pit.store);
	for (size_t i = 0; i < TICKS_BLOCKS; i++)
		free(atomic_load(&pit.ticks.blocks[i]));
	return is_good;
}

static const struct trial trials[] = {
	{ .name = "8 threads", .lives = 10, .ticks = 1000, .memory = 1024 * KB },
	{ .name = "8 threads, two walkers", .lives = 10, .ticks = 1000,
	  .memory = 1024 * KB, .walkers = 2 },
	{ .name = "8 threads, few buffers", .lives = 10, .ticks = 1000,
	  .memory = 36 * KB },
	{ .name = "threads that come and go", .lives = 500, .ticks = 20,
	  .memory = 1024 * KB },
	{ .name = "threads whose tickers are taken away", .lives = 10, .ticks = 1000,
	  .memory = 1024 * KB, .has_meddler = true },
	{ .name = "threads with faults", .lives = 10, .ticks = 1000,
	  .memory = 1024 * KB, .has_meddler = true, .has_faults = true },
};

int main(void)
{
	size_t total = sizeof(trials) / sizeof(trials[0]);
	int failures = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (nothing == MAP_FAILED)
		return 1;
	for (size_t i = 0; i < total; i++) {
		bool is_skipped = IS_WATCHED && trials[i].has_faults;
		bool is_good = is_skipped || run(&trials[i]);

		failures += !is_good;
		printf("%sok %zu - %s%s\n", is_good ? "" : "not ", i + 1,
		       trials[i].name,
		       is_skipped ? " # SKIP ThreadSanitizer blocks faults" : "");
	}
	printf("1..%zu\n", total);
	return failures != 0;
}
