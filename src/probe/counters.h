/*
 * counters.h - how often timed methods ran, and how long: counters of each thread.
 *
 *	CjfrRuntime.timing ──> counter [thread][method]    plain loads and stores
 *	flusher ──> counters_sum: all threads' of a method
 *
 * Each thread of the JVM has a row of counters, one per method, that nobody else writes:
 * so counting takes no lock and no atomic. Code of Java's finds the row by the address
 * of the JVM's structure of the thread (Thread.eetop), in a hash table that it reads
 * straight from memory (CjfrRuntime.java, the other side of this contract):
 *
 *	root (a long)	table address | log2 of its entries, in the low 6 bits
 *	entry		32 bytes: thread address; where its row begins; where it ends;
 *			a word for us. It is number (thread * COUNTERS_GOLDEN >>>
 *			64 - log2), or one of the COUNTERS_PROBES - 1 behind it;
 *			number 0 is always empty
 *	counter		32 bytes: struct counter, at row + 32 * id
 *
 * What is not found so is asked of counters_row, which makes it. Tables and rows are
 * replaced by larger ones, and never freed while anybody may still read them; counts in
 * rows that were replaced go on to be summed. A thread that ended leaves its row, with
 * what it holds, to others.
 *
 * Virtual threads have no such structure (eetop is 0): they share a few rows, which are
 * in the table as those of threads 1 to COUNTERS_SHARED, and which they change with
 * atomics only, so that it does not matter on which carrier they run, or when they
 * change it.
 *
 * Any thread; a lock is held for short, nothing is called back.
 */
#ifndef PROBE_COUNTERS_H
#define PROBE_COUNTERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

#define COUNTERS_GOLDEN UINT64_C(0x9e3779b97f4a7c15)
#define COUNTERS_PROBES 4
#define COUNTERS_SHARED 16		/* rows of virtual threads */

/* Times in nanoseconds. Read by CjfrRuntime at these places. */
struct counter {
	uint64_t count;
	int64_t total;
	int64_t min_plus_one;		/* 0: none yet. Of times above 0 only */
	int64_t max;
};

_Static_assert(sizeof(struct counter) == 32, "CjfrRuntime knows it so");

struct counters;

/* NULL without memory. */
struct counters *counters_new(void);

/* Where the root is: a long that CjfrRuntime reads. */
const volatile uint64_t *counters_root(const struct counters *counters);

/*
 * The row of a thread, with room for method `id` at least; is_ignored: what it counts is
 * counted nowhere (the recorder's own thread). NULL without memory. The calling thread is
 * that thread.
 */
struct counter *counters_row(struct counters *counters, uint64_t thread, uint32_t id,
			     bool is_ignored);

/* A row that virtual threads share, 0 to COUNTERS_SHARED - 1: all its writers use atomics. */
struct counter *counters_shared_row(struct counters *counters, unsigned which,
				    uint32_t id);

/* A call ended, in a row of the calling thread's own; in a shared one. */
void counter_count(struct counter *counter, int64_t duration);
void counter_count_shared(struct counter *counter, int64_t duration);

/* That thread has ended, or is about to, and counts no more. */
void counters_leave(struct counters *counters, uint64_t thread);

/* The same of all threads but those whose addresses are keys of the map. */
void counters_leave_others(struct counters *counters, const struct map *alive);

/*
 * Adds up what all threads have of `count` methods from `first` on, into sums[]. Of calls
 * that are just being counted there may be times already: counter_since leaves none that
 * cannot be.
 */
void counters_sum(struct counters *counters, uint32_t first, uint32_t count,
		  struct counter *sums);

/*
 * A method without probes is to be counted from now on: its longest and shortest time are
 * forgotten. How often and how long cannot be, as a call that began when it had a probe may
 * count any time: of these the sum so far is taken, and counter_since takes it off again.
 */
void counters_anew(struct counters *counters, uint32_t id);

/* What came since `before`, which is a sum of the same method, or 0. */
void counter_since(struct counter *sum, const struct counter *before);

/* Nobody runs that method any more, nor will: its counters become 0, for another one. */
void counters_zero(struct counters *counters, uint32_t id);

/* Adds b to a. */
void counter_add(struct counter *a, const struct counter *b);

/* Frees all. Nobody may count any more: for tests; an agent keeps them. */
void counters_free(struct counters *counters);

#endif
