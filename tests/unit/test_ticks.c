#include <criterion/criterion.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/now.h"
#include "fault.h"
#include "sampler/ticks.h"

#define HOUR (3600 * SECOND)
#define PATIENCE 60		/* seconds; what is waited for comes at once */
#define NOBODY 0x3ffffff0	/* no thread has this number */

static struct tally tally;
static struct ticks ticks;

static void begin(enum tick_mode mode, int64_t interval)
{
	ticks_open(&ticks, mode, interval, &tally);
	ticks_start(&ticks);
}

/* What is only added and removed, and found by signals that are made up. */
static void begin_quiet(void)
{
	begin(TICK_CPU, HOUR);
}

static void end(void)
{
	ticks_stop(&ticks);
	for (size_t i = 0; i < TICKS_BLOCKS; i++)
		free(atomic_load(&ticks.blocks[i]));
}

TestSuite(ticks, .init = begin_quiet, .fini = end);

static bool add(pid_t tid, uint64_t key)
{
	return ticks_add(&ticks, &(struct tick_thread){ .tid = tid, .key = key });
}

static uint32_t number_of(pid_t tid)
{
	return map_find(&ticks.by_tid, (uint64_t)tid);
}

static siginfo_t signal_of(int code, uint32_t cookie, uint32_t number)
{
	uint64_t word = (uint64_t)cookie << 32 | number;
	siginfo_t info = { .si_signo = SIGPROF, .si_code = code };

	info.si_value.sival_ptr = (void *)(uintptr_t)word;
	return info;
}

/* Whom a signal finds; *is_ours is what it says of it. */
static struct ticker *find(siginfo_t info, bool *is_ours)
{
	struct ticker *ticker = ticks_find(&ticks, &info, is_ours);

	if (ticker)
		ticks_let_go(ticker);
	return ticker;
}

Test(ticks, are_for_threads_that_are_added)
{
	cr_expect_not(ticks_has(&ticks, gettid()));
	cr_assert(add(gettid(), 7));
	cr_expect(ticks_has(&ticks, gettid()));
	cr_expect_eq(ticks_count(&ticks), 1);
	ticks_remove(&ticks, gettid());
	cr_expect_not(ticks_has(&ticks, gettid()));
	cr_expect_eq(ticks_count(&ticks), 0);
	ticks_remove(&ticks, gettid());
	ticks_remove(&ticks, NOBODY);
}

Test(ticks, are_not_for_threads_that_are_gone)
{
	cr_expect_not(add(NOBODY, 7));
	cr_expect_not(ticks_has(&ticks, NOBODY));
	cr_expect_eq(number_of(NOBODY), MAP_NONE);
	cr_expect_eq(tally_get(&tally, TALLY_UNTIMED), 0);
}

Test(ticks, are_there_between_start_and_stop)
{
	cr_assert(add(gettid(), 7));
	ticks_stop(&ticks);
	cr_expect_eq(ticks_count(&ticks), 0);
	cr_expect_not(add(gettid(), 7));
	cr_expect_not(ticks_has(&ticks, gettid()));
	ticks_start(&ticks);
	cr_expect(add(gettid(), 7));
	cr_expect_eq(ticks_count(&ticks), 1);
}

Test(ticks, belong_to_one_key)
{
	struct ticker *ticker;
	bool is_ours;

	cr_assert(add(gettid(), 7));
	cr_assert(add(gettid(), 7));
	cr_expect_eq(ticks.used, 1);
	cr_assert(add(gettid(), 8));
	cr_expect_eq(ticks_count(&ticks), 1);
	ticker = find(signal_of(SI_TIMER, ticks.cookie, number_of(gettid())), &is_ours);
	cr_assert_not_null(ticker);
	cr_expect_eq(ticker->of.key, 8);
}

Test(ticks, use_tickers_again)
{
	for (int i = 0; i < 10000; i++) {
		cr_assert(add(gettid(), 0));
		if (i % 3)
			ticks_remove(&ticks, gettid());
	}
	cr_expect_leq(ticks.used, 2);
	cr_expect_leq(ticks_count(&ticks), 1);
}

/* --- whose signal it is ------------------------------------------------------- */

Test(ticks, find_the_ticker_of_a_signal)
{
	uint32_t number;
	bool is_ours;

	cr_assert(add(gettid(), 7));
	number = number_of(gettid());
	cr_expect_not_null(find(signal_of(SI_TIMER, ticks.cookie, number), &is_ours));
	cr_expect(is_ours);
	cr_expect_null(find(signal_of(SI_TIMER, ticks.cookie + 1, number), &is_ours));
	cr_expect_not(is_ours, "a timer of somebody else");
	cr_expect_null(find(signal_of(SI_TIMER, 0, number), &is_ours));
	cr_expect_not(is_ours);
	cr_expect_null(find(signal_of(SI_QUEUE, ticks.cookie, number), &is_ours));
	cr_expect_not(is_ours, "no timer");
	cr_expect_null(find(signal_of(SI_USER, ticks.cookie, number), &is_ours));
	cr_expect_not(is_ours);
}

Test(ticks, find_nobody_when_it_is_late)
{
	uint32_t number;
	bool is_ours;

	cr_assert(add(gettid(), 7));
	number = number_of(gettid());
	ticks_remove(&ticks, gettid());
	cr_expect_null(find(signal_of(SI_TIMER, ticks.cookie, number), &is_ours));
	cr_expect(is_ours);
	cr_expect_null(find(signal_of(SI_TIMER, ticks.cookie, 5), &is_ours));
	cr_expect(is_ours, "never used, but in memory");
	cr_expect_null(find(signal_of(SI_TIMER, ticks.cookie, 100000), &is_ours));
	cr_expect_null(find(signal_of(SI_TIMER, ticks.cookie, UINT32_MAX), &is_ours));
	cr_expect(is_ours);
}

static void *find_first(void *result)
{
	bool is_ours;

	*(bool *)result = find(signal_of(SI_TIMER, ticks.cookie, 0), &is_ours);
	return is_ours ? result : NULL;
}

Test(ticks, are_found_on_their_own_thread)
{
	pthread_t thread;
	bool is_found = true;
	void *is_ours;

	cr_assert(add(gettid(), 7));
	cr_assert_eq(number_of(gettid()), 0);
	cr_assert_eq(pthread_create(&thread, NULL, find_first, &is_found), 0);
	pthread_join(thread, &is_ours);
	cr_expect_not_null(is_ours);
	cr_expect_not(is_found);
}

/* A handler that still runs has it, whatever becomes of the thread meanwhile. */
Test(ticks, are_not_used_again_while_they_are_held)
{
	siginfo_t info;
	struct ticker *ticker;
	bool is_ours;

	cr_assert(add(gettid(), 7));
	info = signal_of(SI_TIMER, ticks.cookie, number_of(gettid()));
	ticker = ticks_find(&ticks, &info, &is_ours);
	cr_assert_not_null(ticker);
	ticks_remove(&ticks, gettid());
	cr_assert(add(gettid(), 8));
	cr_expect_eq(ticker->of.key, 7);
	ticks_let_go(ticker);
	for (uint64_t key = 9; key < 20; key++)
		cr_assert(add(gettid(), key));
	cr_expect_eq(ticks.used, 2);
}

/* --- what the system and memory refuse ---------------------------------------- */

static void limit_timers(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_SIGPENDING, &limit);
	limit.rlim_cur = count;
	cr_assert_eq(setrlimit(RLIMIT_SIGPENDING, &limit), 0);
}

Test(ticks, count_a_thread_without_a_timer_once)
{
	limit_timers(0);
	cr_expect_not(add(gettid(), 7));
	cr_expect_not(add(gettid(), 7));
	cr_expect_not(ticks_has(&ticks, gettid()));
	cr_expect_eq(ticks_count(&ticks), 0);
	cr_expect_eq(tally_get(&tally, TALLY_UNTIMED), 1);
	limit_timers(1000);
	cr_expect(add(gettid(), 7), "may have one later");
	cr_expect_eq(ticks_count(&ticks), 1);
}

Test(ticks, fail_without_memory)
{
	for (size_t n = 1;; n++) {
		bool is_added;

		fault_at(n);
		is_added = add(gettid(), 7);
		if (!fault_happened()) {
			fault_at(0);
			cr_expect(is_added);
			cr_expect_gt(n, 1);
			break;
		}
		fault_at(0);
		cr_expect_not(is_added);
		cr_expect_eq(ticks_count(&ticks), 0);
	}
}

/* --- many threads ------------------------------------------------------------- */

#define MANY (TICKS_BLOCK + 50)

static pthread_barrier_t all_there, all_looked;
static atomic_int found;

static void *wait_for_all(void *unused)
{
	bool is_ours;
	struct ticker *ticker;

	(void)unused;
	add(gettid(), (uint64_t)gettid());
	pthread_barrier_wait(&all_there);
	ticker = find(signal_of(SI_TIMER, ticks.cookie, number_of(gettid())), &is_ours);
	if (ticker && ticker->of.key == (uint64_t)gettid())
		atomic_fetch_add(&found, 1);
	pthread_barrier_wait(&all_looked);
	return NULL;
}

Test(ticks, are_for_many_threads)
{
	static pthread_t threads[MANY];

	pthread_barrier_init(&all_there, NULL, MANY);
	pthread_barrier_init(&all_looked, NULL, MANY + 1);
	for (int i = 0; i < MANY; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, wait_for_all, NULL), 0);
	pthread_barrier_wait(&all_looked);
	cr_expect_eq(ticks_count(&ticks), MANY);
	cr_expect_eq(atomic_load(&found), MANY);
	for (int i = 0; i < MANY; i++)
		pthread_join(threads[i], NULL);
}

/* --- real timers -------------------------------------------------------------- */

static atomic_int came, strange;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	bool is_ours;
	struct ticker *ticker = ticks_find(&ticks, info, &is_ours);

	(void)signal;
	(void)context;
	if (ticker && ticker->of.tid == gettid())
		atomic_fetch_add(&came, 1);
	else
		atomic_fetch_add(&strange, 1);
	if (ticker)
		ticks_let_go(ticker);
}

static void begin_real(enum tick_mode mode)
{
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	sigaction(SIGPROF, &action, NULL);
	ticks_stop(&ticks);
	begin(mode, MILLISECOND);
}

/* Computes until so many came, or all patience is gone. */
static void *compute(void *wanted)
{
	int64_t end_of_patience = now_by(CLOCK_THREAD_CPUTIME_ID) + PATIENCE * SECOND;
	volatile unsigned number = 1;

	while (atomic_load(&came) < *(int *)wanted &&
	       now_by(CLOCK_THREAD_CPUTIME_ID) < end_of_patience) {
		for (int i = 0; i < 10000; i++)
			number = number * 3 + 1;
	}
	return NULL;
}

Test(ticks, come_while_the_thread_computes, .timeout = 10 * PATIENCE)
{
	int wanted = 10;

	begin_real(TICK_CPU);
	cr_assert(add(gettid(), 7));
	compute(&wanted);
	cr_expect_geq(atomic_load(&came), 10);
	cr_expect_eq(atomic_load(&strange), 0);
}

static pid_t tid_of_other;
static sem_t has_begun;

static void *compute_named(void *wanted)
{
	tid_of_other = gettid();
	sem_post(&has_begun);
	return compute(wanted);
}

Test(ticks, come_for_a_thread_that_another_added, .timeout = 10 * PATIENCE)
{
	pthread_t thread;
	int wanted = 5;

	begin_real(TICK_CPU);
	sem_init(&has_begun, 0, 0);
	cr_assert_eq(pthread_create(&thread, NULL, compute_named, &wanted), 0);
	sem_wait(&has_begun);
	cr_expect(add(tid_of_other, 7));
	pthread_join(thread, NULL);
	cr_expect_geq(atomic_load(&came), 5);
	cr_expect_eq(atomic_load(&strange), 0);
}

Test(ticks, come_while_the_thread_waits, .timeout = 2 * PATIENCE)
{
	const struct timespec pause = { .tv_nsec = MILLISECOND };
	int64_t end_of_patience = now_ticks() + PATIENCE * SECOND;

	begin_real(TICK_WALL);
	cr_assert(add(gettid(), 7));
	while (atomic_load(&came) < 10 && now_ticks() < end_of_patience)
		nanosleep(&pause, NULL);
	cr_expect_geq(atomic_load(&came), 10);
	cr_expect_eq(atomic_load(&strange), 0);
}

Test(ticks, come_no_more_when_they_are_stopped)
{
	int before, wanted = 3;

	begin_real(TICK_CPU);
	cr_assert(add(gettid(), 7));
	compute(&wanted);
	ticks_stop(&ticks);
	before = atomic_load(&came);
	for (volatile int i = 0; i < 100000000; i++)
		continue;
	cr_expect_eq(atomic_load(&came), before);
}
