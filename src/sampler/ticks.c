#include "sampler/ticks.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/now.h"

/* Headers of the C library do not always name it. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define COOKIE_SHIFT 32

/* --- random numbers ----------------------------------------------------------- */

static uint64_t seed(void)
{
	uint64_t word = 0;

	if (getrandom(&word, sizeof(word), GRND_NONBLOCK) != sizeof(word))
		word ^= (uint64_t)now_nanos() * 0x9e3779b97f4a7c15u;
	return word ? word : 1;
}

/* Marsaglia's xorshift. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* --- tickers ------------------------------------------------------------------ */

static struct ticker *ticker_at(const struct ticks *ticks, uint32_t number)
{
	struct ticker *block;

	if (number >= TICKS_BLOCK * TICKS_BLOCKS)
		return NULL;
	block = atomic_load_explicit(&ticks->blocks[number / TICKS_BLOCK],
				     memory_order_acquire);
	return block ? &block[number % TICKS_BLOCK] : NULL;
}

/* One that was never used; MAP_NONE: no memory, or there are too many. */
static uint32_t new_ticker(struct ticks *ticks)
{
	uint32_t number = ticks->used;

	if (number == TICKS_BLOCK * TICKS_BLOCKS)
		return MAP_NONE;
	if (!ticker_at(ticks, number)) {
		struct ticker *block = calloc(TICKS_BLOCK, sizeof(*block));

		if (!block)
			return MAP_NONE;
		atomic_store_explicit(&ticks->blocks[number / TICKS_BLOCK], block,
				      memory_order_release);
	}
	ticks->used++;
	return number;
}

/*
 * A free one that no handler holds: a handler says so before it looks at the tid, which
 * is 0 by now. Few are held, as few handlers run.
 */
static uint32_t take_ticker(struct ticks *ticks)
{
	uint32_t *link = &ticks->free;

	while (*link != MAP_NONE) {
		struct ticker *ticker = ticker_at(ticks, *link);
		uint32_t number = *link;

		if (!atomic_load(&ticker->held)) {
			*link = ticker->next;
			return number;
		}
		link = &ticker->next;
	}
	return new_ticker(ticks);
}

static void free_ticker(struct ticks *ticks, uint32_t number)
{
	struct ticker *ticker = ticker_at(ticks, number);

	atomic_store(&ticker->tid, 0);
	if (ticker->is_timed) {
		timer_delete(ticker->timer);
		ticks->timed--;
	}
	ticker->next = ticks->free;
	ticks->free = number;
}

/* --- timers ------------------------------------------------------------------- */

/* The clock of any thread of the process, as the kernel numbers them. */
static clockid_t clock_of(const struct ticks *ticks, pid_t tid)
{
	if (ticks->mode == TICK_WALL)
		return CLOCK_MONOTONIC;
	return (clockid_t)(~(unsigned)tid << 3 | 6);
}

static struct timespec timespec_of(int64_t nanos)
{
	return (struct timespec){ nanos / SECOND, nanos % SECOND };
}

/* Starts a timer for the ticker, whose number is that; else errno says why not. */
static bool start_timer(struct ticks *ticks, struct ticker *ticker, uint32_t number)
{
	uint64_t word = (uint64_t)ticks->cookie << COOKIE_SHIFT | number;
	uint64_t first = next_random(&ticks->random) % (uint64_t)ticks->interval + 1;
	struct itimerspec times = {
		.it_value = timespec_of((int64_t)first),
		.it_interval = timespec_of(ticks->interval),
	};
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGPROF,
		.sigev_value.sival_ptr = (void *)(uintptr_t)word,
		.sigev_notify_thread_id = ticker->of.tid,
	};

	if (timer_create(clock_of(ticks, ticker->of.tid), &event, &ticker->timer) != 0)
		return false;
	if (timer_settime(ticker->timer, 0, &times, NULL) != 0) {
		int error = errno;

		timer_delete(ticker->timer);
		errno = error;
		return false;
	}
	ticker->is_timed = true;
	ticks->timed++;
	return true;
}

static bool set_shared(int64_t interval)
{
	struct timeval each = {
		.tv_sec = interval / SECOND,
		.tv_usec = interval % SECOND / 1000,
	};
	struct itimerval times = { .it_interval = each, .it_value = each };

	return setitimer(ITIMER_PROF, &times, NULL) == 0;
}

/* It measures the time that all threads run. An application that uses it keeps it. */
static void share_timer(struct ticks *ticks)
{
	struct itimerval used;

	if (ticks->mode != TICK_CPU || atomic_load(&ticks->is_shared) ||
	    getitimer(ITIMER_PROF, &used) != 0 || timerisset(&used.it_value))
		return;
	atomic_store(&ticks->is_shared, true);
	if (!set_shared(ticks->interval))
		atomic_store(&ticks->is_shared, false);
}

/* --- threads ------------------------------------------------------------------ */

static void remove_thread(struct ticks *ticks, pid_t tid)
{
	uint32_t number = map_find(&ticks->by_tid, (uint64_t)tid);

	if (number == MAP_NONE)
		return;
	map_remove(&ticks->by_tid, (uint64_t)tid);
	free_ticker(ticks, number);
}

/* A ticker for the thread, without a timer yet. MAP_NONE: no memory. */
static uint32_t enter_thread(struct ticks *ticks, const struct tick_thread *of)
{
	uint32_t number = take_ticker(ticks);
	struct ticker *ticker;

	if (number == MAP_NONE)
		return MAP_NONE;
	ticker = ticker_at(ticks, number);
	ticker->of = *of;
	ticker->is_timed = false;
	if (!map_put(&ticks->by_tid, (uint64_t)of->tid, number)) {
		free_ticker(ticks, number);
		return MAP_NONE;
	}
	atomic_store_explicit(&ticker->tid, of->tid, memory_order_release);
	return number;
}

/*
 * The ticker that there is, if it is for the same thread: keys tell, but for threads
 * that are none of Java's, of which another may have got the number.
 */
static uint32_t present(struct ticks *ticks, const struct tick_thread *of)
{
	uint32_t number = map_find(&ticks->by_tid, (uint64_t)of->tid);

	if (number == MAP_NONE || !of->key)
		return MAP_NONE;
	return ticker_at(ticks, number)->of.key == of->key ? number : MAP_NONE;
}

/* A thread that has no timer stays known, so that it is counted once. */
static bool add_thread(struct ticks *ticks, const struct tick_thread *of)
{
	uint32_t number = present(ticks, of);
	bool is_new = number == MAP_NONE;
	struct ticker *ticker;

	if (is_new) {
		remove_thread(ticks, of->tid);
		number = enter_thread(ticks, of);
		if (number == MAP_NONE)
			return false;
	}
	ticker = ticker_at(ticks, number);
	if (ticker->is_timed || start_timer(ticks, ticker, number))
		return true;
	if (errno == EINVAL) {
		remove_thread(ticks, of->tid);
		return false;
	}
	share_timer(ticks);
	if (is_new)
		tally_add(ticks->tally, TALLY_UNTIMED, 1);
	return false;
}

bool ticks_add(struct ticks *ticks, const struct tick_thread *of)
{
	bool is_added;

	pthread_mutex_lock(&ticks->lock);
	is_added = ticks->is_on && add_thread(ticks, of);
	pthread_mutex_unlock(&ticks->lock);
	return is_added;
}

void ticks_remove(struct ticks *ticks, pid_t tid)
{
	pthread_mutex_lock(&ticks->lock);
	remove_thread(ticks, tid);
	pthread_mutex_unlock(&ticks->lock);
}

bool ticks_has(struct ticks *ticks, pid_t tid)
{
	uint32_t number;
	bool has_timer;

	pthread_mutex_lock(&ticks->lock);
	number = map_find(&ticks->by_tid, (uint64_t)tid);
	has_timer = number != MAP_NONE && ticker_at(ticks, number)->is_timed;
	pthread_mutex_unlock(&ticks->lock);
	return has_timer;
}

size_t ticks_count(struct ticks *ticks)
{
	size_t count;

	pthread_mutex_lock(&ticks->lock);
	count = ticks->timed;
	pthread_mutex_unlock(&ticks->lock);
	return count;
}

/* --- life --------------------------------------------------------------------- */

void ticks_open(struct ticks *ticks, enum tick_mode mode, int64_t interval,
		struct tally *tally)
{
	*ticks = (struct ticks){
		.mode = mode,
		.interval = interval,
		.tally = tally,
		.free = MAP_NONE,
		.random = seed(),
	};
	ticks->cookie = (uint32_t)(next_random(&ticks->random) >> 32) | 1;
	pthread_mutex_init(&ticks->lock, NULL);
}

void ticks_start(struct ticks *ticks)
{
	pthread_mutex_lock(&ticks->lock);
	ticks->is_on = true;
	pthread_mutex_unlock(&ticks->lock);
}

void ticks_stop(struct ticks *ticks)
{
	pthread_mutex_lock(&ticks->lock);
	ticks->is_on = false;
	if (atomic_exchange(&ticks->is_shared, false))
		set_shared(0);
	for (uint32_t i = 0; i < ticks->used; i++)
		remove_thread(ticks, atomic_load(&ticker_at(ticks, i)->tid));
	map_clear(&ticks->by_tid);
	pthread_mutex_unlock(&ticks->lock);
}

/* --- the signal handler ------------------------------------------------------- */

/* The ticker, if it is the calling thread's: nobody uses it for another from now on. */
static struct ticker *hold(struct ticker *ticker, pid_t tid)
{
	atomic_fetch_add(&ticker->held, 1);
	if (atomic_load(&ticker->tid) == tid)
		return ticker;
	ticks_let_go(ticker);
	return NULL;
}

/* The calling thread's without a timer; it is looked for once. */
static struct ticker *find_untimed(struct ticks *ticks)
{
	static __thread uint32_t last;
	pid_t tid = gettid();
	struct ticker *ticker = ticker_at(ticks, last);

	if (!ticker || atomic_load(&ticker->tid) != tid)
		last = 0;
	while ((ticker = ticker_at(ticks, last)) && atomic_load(&ticker->tid) != tid)
		last++;
	ticker = ticker ? hold(ticker, tid) : NULL;
	if (!ticker || !atomic_load(&ticker->is_timed))
		return ticker;
	ticks_let_go(ticker);
	return NULL;
}

struct ticker *ticks_find(struct ticks *ticks, const siginfo_t *info, bool *is_ours)
{
	uint64_t word = (uintptr_t)info->si_value.sival_ptr;
	struct ticker *ticker;

	*is_ours = info->si_code == SI_KERNEL && atomic_load(&ticks->is_shared);
	if (*is_ours)
		return find_untimed(ticks);
	*is_ours = info->si_code == SI_TIMER && word >> COOKIE_SHIFT == ticks->cookie;
	ticker = *is_ours ? ticker_at(ticks, (uint32_t)word) : NULL;
	return ticker ? hold(ticker, gettid()) : NULL;
}

void ticks_let_go(struct ticker *ticker)
{
	atomic_fetch_sub_explicit(&ticker->held, 1, memory_order_release);
}
