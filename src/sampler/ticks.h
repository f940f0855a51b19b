/*
 * ticks.h - a timer for each thread that is sampled.
 *
 * Each has a ticker, which its signal names by number (sigval, with a word that tells
 * ours from the application's own timers): tickers are never freed, only used again, so
 * a signal that comes late finds one that is free, or another's, whose tid is not its
 * own, and is ignored.
 *
 * Where time passes for all (TICK_WALL), all threads together tick TICKS_PER_SECOND
 * times a second at most: the more there are, the longer is the interval of each. CPU
 * time is short by itself.
 *
 * The first tick of a timer comes after a random part of the interval, so that threads
 * that live shorter than that are sampled, too.
 */
#ifndef SAMPLER_TICKS_H
#define SAMPLER_TICKS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/map.h"
#include "sampler/tally.h"

enum tick_mode {
	TICK_CPU,		/* time that the thread runs on a processor */
	TICK_WALL,		/* time that passes */
};

struct ticker {
	atomic_int tid;		/* 0: free */
	atomic_uint held;	/* by handlers: not used again meanwhile */
	/* POOL_THREAD; 0: none of Java's, which is only counted. Written while free. */
	uint64_t key;
	atomic_int_fast64_t interval;	/* nanoseconds between its ticks */
	/* Under the lock. */
	bool is_timed;		/* it has a timer; else the system gave none */
	timer_t timer;
	uint32_t next;		/* of those that are free; MAP_NONE: none */
};

#define TICKS_PER_SECOND 4000
#define TICKS_BLOCK 256
#define TICKS_BLOCKS 4096

struct ticks {
	enum tick_mode mode;
	int64_t interval;		/* nanoseconds, 1 ms or more: none is shorter */
	struct tally *tally;
	pthread_mutex_t lock;
	bool is_on;
	uint32_t cookie;
	struct map by_tid;		/* number of the ticker */
	_Atomic(struct ticker *) blocks[TICKS_BLOCKS];
	uint32_t used, free;		/* how many there are; the first free one */
	size_t timed;			/* how many have a timer */
	uint64_t random;
	int64_t longest;		/* interval */
};

/* Not on yet. There is one at a time, and it stays. */
void ticks_open(struct ticks *ticks, enum tick_mode mode, int64_t interval,
		struct tally *tally);

/*
 * They have been stopped, or not been started: so they will be when they start again. What
 * comes late of the timers from before finds its ticker free, or another's.
 */
void ticks_again(struct ticks *ticks, enum tick_mode mode, int64_t interval);

/* Another interval from now on: all timers get it. */
void ticks_change(struct ticks *ticks, int64_t interval);

/* From now on threads can be added; the handler of the signal is there (pulse.h). */
void ticks_start(struct ticks *ticks);

/*
 * A timer for the thread, which may be any of the process; what there was for that tid
 * under another key is replaced. False: the thread is gone, ticks are not on, or the
 * system gives no timer (counted: there is a limit for each user).
 */
bool ticks_add(struct ticks *ticks, pid_t tid, uint64_t key);

/*
 * The thread ends, or shall not be sampled any more. Nothing happens if what has that
 * tid now is another's. Of the calling thread, which ends, a tick that was due, but the
 * system has not looked since, is counted as missed.
 */
void ticks_remove(struct ticks *ticks, pid_t tid, uint64_t key);

/* True if the thread has a timer. */
bool ticks_has(struct ticks *ticks, pid_t tid);

/* How many threads have one. */
size_t ticks_count(struct ticks *ticks);

/* The longest interval that a timer had since this was last asked. */
int64_t ticks_interval(struct ticks *ticks);

/* Timers whose interval is off by a quarter or more get the one that is right now. */
void ticks_tune(struct ticks *ticks);

/* All timers are gone, and none is added until they start again. */
void ticks_stop(struct ticks *ticks);

/*
 * Whose tick a signal is, on the thread that got it; held until ticks_let_go. NULL: not
 * one of ours; *is_ours tells whether it came from a timer of ours, late.
 * Async-signal-safe.
 */
struct ticker *ticks_find(struct ticks *ticks, const siginfo_t *info, bool *is_ours);
void ticks_let_go(struct ticker *ticker);

#endif
