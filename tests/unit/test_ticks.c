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
	return ticks_add(&ticks, tid, key);
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
	ticks_remove(&ticks, gettid(), 7);
	cr_expect_not(ticks_has(&ticks, gettid()));
	cr_expect_eq(ticks_count(&ticks), 0);
	ticks_remove(&ticks, gettid(), 7);
	ticks_remove(&ticks, NOBODY, 7);
}

/* Who is late: the thread that had the number is gone, and another has it. */
Test(ticks, are_not_removed_for_another_key)
{
	cr_assert(add(gettid(), 7));
	ticks_remove(&ticks, gettid(), 8);
	ticks_remove(&ticks, gettid(), 0);
	cr_expect(ticks_has(&ticks, gettid()));
	cr_assert(add(gettid(), 0));
	ticks_remove(&ticks, gettid(), 7);
	cr_expect(ticks_has(&ticks, gettid()));
	ticks_remove(&ticks, gettid(), 0);
	cr_expect_not(ticks_has(&ticks, gettid()));
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
	cr_expect_eq(ticker->key, 8);
}

Test(ticks, use_tickers_again)
{
	for (int i = 0; i < 10000; i++) {
		cr_assert(add(gettid(), 0));
		if (i % 3)
			ticks_remove(&ticks, gettid(), 0);
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
	ticks_remove(&ticks, gettid(), 7);
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
	ticks_remove(&ticks, gettid(), 7);
	cr_assert(add(gettid(), 8));
	cr_expect_eq(ticker->key, 7);
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
	if (ticker && ticker->key == (uint64_t)gettid())
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
	cr_expect_eq(ticks_interval(&ticks), HOUR, "CPU time is short by itself");
	for (int i = 0; i < MANY; i++)
		pthread_join(threads[i], NULL);
}

/* --- time that passes for all --------------------------------------------------- */

/* What a thread adds to the interval of all. */
#define EACH (SECOND / TICKS_PER_SECOND)
#define CROWD 100

static pid_t crowd[CROWD];
static sem_t is_over;

static void *wait_for_end(void *place)
{
	*(pid_t *)place = gettid();
	pthread_barrier_wait(&all_there);
	sem_wait(&is_over);
	return NULL;
}

static void gather(pthread_t *threads)
{
	pthread_barrier_init(&all_there, NULL, CROWD + 1);
	sem_init(&is_over, 0, 0);
	for (int i = 0; i < CROWD; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, wait_for_end, &crowd[i]),
			     0);
	pthread_barrier_wait(&all_there);
}

static void dismiss(pthread_t *threads)
{
	for (int i = 0; i < CROWD; i++)
		sem_post(&is_over);
	for (int i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
}

/* What the timer of one of them has, and what its ticker says. */
static void expect_interval(int i, int64_t interval)
{
	struct ticker *block = atomic_load(&ticks.blocks[0]);
	struct ticker *ticker = &block[number_of(crowd[i])];
	struct itimerspec times;

	cr_assert_eq(timer_gettime(ticker->timer, &times), 0);
	cr_expect_eq(times.it_interval.tv_sec * SECOND + times.it_interval.tv_nsec,
		     interval, "thread %d", i);
	cr_expect_eq(atomic_load(&ticker->interval), interval);
}

/* Intervals are as of so many threads, for those in that order. */
Test(ticks, are_fewer_where_many_threads_wait)
{
	pthread_t threads[CROWD];

	begin(TICK_WALL, 40 * EACH);
	signal(SIGPROF, SIG_IGN);
	gather(threads);
	for (int i = 0; i < CROWD; i++)
		cr_assert(add(crowd[i], 7));
	cr_expect_eq(ticks_interval(&ticks), 100 * EACH);
	expect_interval(0, 40 * EACH);
	expect_interval(39, 40 * EACH);
	expect_interval(40, 41 * EACH);
	expect_interval(99, 100 * EACH);
	ticks_tune(&ticks);
	expect_interval(0, 100 * EACH);
	expect_interval(74, 100 * EACH);
	expect_interval(75, 76 * EACH);
	for (int i = 99; i >= 80; i--)
		ticks_remove(&ticks, crowd[i], 7);
	ticks_tune(&ticks);
	expect_interval(0, 80 * EACH);
	expect_interval(75, 76 * EACH);
	for (int i = 79; i >= 20; i--)
		ticks_remove(&ticks, crowd[i], 7);
	ticks_tune(&ticks);
	cr_expect_eq(ticks_interval(&ticks), 100 * EACH, "since it was asked for");
	cr_expect_eq(ticks_interval(&ticks), 40 * EACH);
	expect_interval(0, 40 * EACH);
	dismiss(threads);
}

/* --- real timers -------------------------------------------------------------- */

static atomic_int came, strange;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	bool is_ours;
	struct ticker *ticker = ticks_find(&ticks, info, &is_ours);

	(void)signal;
	(void)context;
	if (ticker && ticker->tid == gettid())
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

Test(ticks, come_while_the_thread_computes)
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

Test(ticks, come_for_a_thread_that_another_added)
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

Test(ticks, come_while_the_thread_waits)
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

/* --- ticks that are due when a thread ends -------------------------------------- */

/* Long enough for a tick to be due, and often too short for the system to look. */
static void *live_for_short(void *unused)
{
	int64_t end_of_life;

	if (!add(gettid(), 7))
		return NULL;
	end_of_life = now_by(CLOCK_THREAD_CPUTIME_ID) + MILLISECOND + MILLISECOND / 10;
	while (now_by(CLOCK_THREAD_CPUTIME_ID) < end_of_life)
		continue;
	ticks_remove(&ticks, gettid(), 7);
	return unused;
}

Test(ticks, are_counted_as_missed_where_the_thread_ends_first)
{
	const int lives = 1000;
	uint64_t missed = 0;
	int count = 0;

	begin_real(TICK_CPU);
	while (count < lives && missed < 5) {
		pthread_t thread;

		cr_assert_eq(pthread_create(&thread, NULL, live_for_short, NULL), 0);
		pthread_join(thread, NULL);
		missed = tally_get(&tally, TALLY_MISSED);
		count++;
	}
	cr_expect_geq((int)missed + atomic_load(&came), count, "one is due in each");
}

Test(ticks, are_not_missed_by_those_who_do_not_compute)
{
	cr_assert(add(gettid(), 7));
	ticks_remove(&ticks, gettid(), 7);
	cr_assert(add(gettid(), 7));
	ticks_stop(&ticks);
	cr_expect_eq(tally_get(&tally, TALLY_MISSED), 0);
}
