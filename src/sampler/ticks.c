#include "sampler/ticks.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
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

static clockid_t clock_of(const struct ticks *ticks, pid_t tid)
{
	return ticks->mode == TICK_WALL ? CLOCK_MONOTONIC : clock_of_thread(tid);
}

static struct timespec timespec_of(int64_t nanos)
{
	return (struct timespec){ nanos / SECOND, nanos % SECOND };
}

/* The interval that so many threads may have. */
static int64_t interval_of(const struct ticks *ticks, size_t threads)
{
	int64_t least = (int64_t)threads * (SECOND / TICKS_PER_SECOND);

	return ticks->mode == TICK_WALL && least > ticks->interval ? least
								   : ticks->interval;
}

static bool set_timer(struct ticks *ticks, struct ticker *ticker, int64_t interval)
{
	uint64_t first = next_random(&ticks->random) % (uint64_t)interval + 1;
	struct itimerspec times = {
		.it_value = timespec_of((int64_t)first),
		.it_interval = timespec_of(interval),
	};

	atomic_store_explicit(&ticker->interval, interval, memory_order_relaxed);
	if (ticks->longest < interval)
		ticks->longest = interval;
	return timer_settime(ticker->timer, 0, &times, NULL) == 0;
}

/* Starts a timer for the ticker, whose number is that; else errno says why not. */
static bool start_timer(struct ticks *ticks, struct ticker *ticker, uint32_t number)
{
	uint64_t word = (uint64_t)ticks->cookie << COOKIE_SHIFT | number;
	pid_t tid = atomic_load(&ticker->tid);
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGPROF,
		.sigev_value.sival_ptr = (void *)(uintptr_t)word,
		.sigev_notify_thread_id = tid,
	};

	if (timer_create(clock_of(ticks, tid), &event, &ticker->timer) != 0)
		return false;
	if (!set_timer(ticks, ticker, interval_of(ticks, ticks->timed + 1))) {
		int error = errno;

		timer_delete(ticker->timer);
		errno = error;
		return false;
	}
	ticker->is_timed = true;
	ticks->timed++;
	return true;
}

/*
 * A tick is due, but has not come: the kernel looks at clocks of CPU time at its own
 * ticks. Then it says that the shortest time is left that there is.
 */
static bool is_due(const struct ticks *ticks, const struct ticker *ticker)
{
	struct itimerspec left;

	return ticks->mode == TICK_CPU && ticker->is_timed &&
	       timer_gettime(ticker->timer, &left) == 0 && left.it_value.tv_sec == 0 &&
	       left.it_value.tv_nsec == 1;
}

/* True if a timer of the first is to have the second. */
typedef bool is_to_tune(int64_t own, int64_t interval);

static bool is_off(int64_t own, int64_t interval)
{
	return own - interval >= interval / 4 || interval - own >= interval / 4;
}

static bool is_another(int64_t own, int64_t interval)
{
	return own != interval;
}

/* So many tickers from there on. */
static void tune(struct ticks *ticks, uint32_t from, uint32_t count, is_to_tune *is)
{
	int64_t interval = interval_of(ticks, ticks->timed);

	for (uint32_t i = from; i < ticks->used && i < from + count; i++) {
		struct ticker *ticker = ticker_at(ticks, i);

		if (atomic_load(&ticker->tid) && ticker->is_timed &&
		    is(atomic_load_explicit(&ticker->interval, memory_order_relaxed),
		       interval))
			set_timer(ticks, ticker, interval);
	}
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
static uint32_t enter_thread(struct ticks *ticks, pid_t tid, uint64_t key)
{
	uint32_t number = take_ticker(ticks);
	struct ticker *ticker;

	if (number == MAP_NONE)
		return MAP_NONE;
	ticker = ticker_at(ticks, number);
	ticker->key = key;
	ticker->is_timed = false;
	if (!map_put(&ticks->by_tid, (uint64_t)tid, number)) {
		free_ticker(ticks, number);
		return MAP_NONE;
	}
	atomic_store_explicit(&ticker->tid, tid, memory_order_release);
	return number;
}

/*
 * The ticker that there is, if it is for the same thread: keys tell, but for threads
 * that are none of Java's, of which another may have got the number.
 */
static uint32_t present(struct ticks *ticks, pid_t tid, uint64_t key)
{
	uint32_t number = map_find(&ticks->by_tid, (uint64_t)tid);

	if (number == MAP_NONE || !key)
		return MAP_NONE;
	return ticker_at(ticks, number)->key == key ? number : MAP_NONE;
}

/* A thread that has no timer stays known, so that it is counted once. */
static bool add_thread(struct ticks *ticks, pid_t tid, uint64_t key)
{
	uint32_t number = present(ticks, tid, key);
	bool is_new = number == MAP_NONE;
	struct ticker *ticker;

	if (is_new) {
		remove_thread(ticks, tid);
		number = enter_thread(ticks, tid, key);
		if (number == MAP_NONE)
			return false;
	}
	ticker = ticker_at(ticks, number);
	if (ticker->is_timed || start_timer(ticks, ticker, number))
		return true;
	if (errno == EINVAL) {
		remove_thread(ticks, tid);
		return false;
	}
	if (is_new)
		tally_add(ticks->tally, TALLY_UNTIMED, 1);
	return false;
}

bool ticks_add(struct ticks *ticks, pid_t tid, uint64_t key)
{
	bool is_added;

	pthread_mutex_lock(&ticks->lock);
	is_added = ticks->is_on && add_thread(ticks, tid, key);
	pthread_mutex_unlock(&ticks->lock);
	return is_added;
}

void ticks_remove(struct ticks *ticks, pid_t tid, uint64_t key)
{
	struct ticker *ticker;

	pthread_mutex_lock(&ticks->lock);
	ticker = ticker_at(ticks, map_find(&ticks->by_tid, (uint64_t)tid));
	if (ticker && ticker->key == key) {
		if (tid == gettid() && is_due(ticks, ticker))
			tally_add(ticks->tally, TALLY_MISSED, 1);
		remove_thread(ticks, tid);
	}
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

int64_t ticks_interval(struct ticks *ticks)
{
	int64_t interval;

	pthread_mutex_lock(&ticks->lock);
	interval = ticks->longest;
	ticks->longest = interval_of(ticks, ticks->timed);
	pthread_mutex_unlock(&ticks->lock);
	return interval;
}

/* Threads that start or end meanwhile do not wait for all of them. */
void ticks_tune(struct ticks *ticks)
{
	if (ticks->mode != TICK_WALL)
		return;
	for (uint32_t from = 0; ticker_at(ticks, from); from += TICKS_BLOCK) {
		pthread_mutex_lock(&ticks->lock);
		tune(ticks, from, TICKS_BLOCK, is_off);
		pthread_mutex_unlock(&ticks->lock);
	}
}

/* --- life --------------------------------------------------------------------- */

void ticks_open(struct ticks *ticks, enum tick_mode mode, int64_t interval,
		struct tally *tally)
{
	*ticks = (struct ticks){
		.mode = mode,
		.interval = interval,
		.longest = interval,
		.tally = tally,
		.free = MAP_NONE,
		.random = seed(),
	};
	ticks->cookie = (uint32_t)(next_random(&ticks->random) >> 32) | 1;
	pthread_mutex_init(&ticks->lock, NULL);
}

void ticks_again(struct ticks *ticks, enum tick_mode mode, int64_t interval)
{
	pthread_mutex_lock(&ticks->lock);
	ticks->mode = mode;
	ticks->interval = ticks->longest = interval;
	pthread_mutex_unlock(&ticks->lock);
}

/* Threads that start or end meanwhile do not wait for all of them. */
void ticks_change(struct ticks *ticks, int64_t interval)
{
	pthread_mutex_lock(&ticks->lock);
	ticks->interval = interval;
	pthread_mutex_unlock(&ticks->lock);
	for (uint32_t from = 0; ticker_at(ticks, from); from += TICKS_BLOCK) {
		pthread_mutex_lock(&ticks->lock);
		tune(ticks, from, TICKS_BLOCK, is_another);
		pthread_mutex_unlock(&ticks->lock);
	}
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

struct ticker *ticks_find(struct ticks *ticks, const siginfo_t *info, bool *is_ours)
{
	uint64_t word = (uintptr_t)info->si_value.sival_ptr;
	struct ticker *ticker;

	*is_ours = info->si_code == SI_TIMER && word >> COOKIE_SHIFT == ticks->cookie;
	ticker = *is_ours ? ticker_at(ticks, (uint32_t)word) : NULL;
	return ticker ? hold(ticker, gettid()) : NULL;
}

void ticks_let_go(struct ticker *ticker)
{
	atomic_fetch_sub_explicit(&ticker->held, 1, memory_order_release);
}
