/*
 * pulse.h - what happens at each tick: the handler of SIGPROF.
 *
 *	timer ──SIGPROF──> pulse ──ticker──> walker ──> walk (JVM, under the guard)
 *	                     │                  └────> raw sample into the walker's lane
 *	                     └ not ours: the handler that was there before
 *
 * Walkers are few, each with room for frames and a raw lane; a tick takes one that is
 * free and gives it back. So thousands of threads need no buffers of their own; when
 * all are busy, the tick is dropped and counted, and nobody waits.
 *
 * The handler, once installed, stays: signals may come late, and without one the
 * process would be killed.
 */
#ifndef SAMPLER_PULSE_H
#define SAMPLER_PULSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/store.h"
#include "jfr/rawsample.h"
#include "sampler/tally.h"
#include "sampler/ticks.h"
#include "sampler/walk.h"

struct walker {
	_Alignas(CACHE_LINE) atomic_bool is_busy;
	struct lane *lane;
	struct walk_frame *frames;	/* depth + 1 */
	struct rawframe *raw;		/* depth */
	int64_t owed[2];		/* nanoseconds since a sample, by is_native */
};

struct pulse {
	struct ticks *ticks;
	struct tally *tally;
	struct walk walk;
	int depth;			/* frames, at most */
	/* Nanoseconds between samples; 0: none wanted. May be set at any time. */
	atomic_int_fast64_t java_period, native_period;
	/* What is asked of the JVM in the handler; async-signal-safe. May be NULL. */
	void *context;
	/* The JNIEnv of the calling thread; NULL: it is none of Java's. */
	void *(*env)(void *context);
	/* Where in a thread's structure (eetop) its JNIEnv lies; 0: not known. */
	uintptr_t env_at;
	/*
	 * The key of the virtual thread that runs on this one, whose structure is at
	 * `vm`; 0: none does, or it is not known.
	 */
	uint64_t (*mounted)(void *context, uintptr_t vm);
	/* A thread that waits does so to enter a monitor. */
	bool (*entering)(void *context, uintptr_t vm);
	/* How a frame runs; `pc` is 0 but for the innermost. */
	enum rawframe_type (*type)(void *context, uint64_t method, uintptr_t pc);
	/* Its own. */
	struct walker *walkers;
	unsigned walker_count;
	atomic_bool is_on;
	atomic_uint busy;		/* handlers that run */
};

/*
 * Makes the walkers, with lanes of the store; the rest is set by the caller, before.
 * There is one at a time, and it stays where it is. ERR_MEMORY.
 */
bool pulse_open(struct pulse *pulse, struct store *store, struct err *err);

/*
 * After pulse_stop: stacks have so many frames at most from now on. ERR_MEMORY, ERR_SYSTEM (a
 * handler is at work): they have as many as before, or fewer.
 */
bool pulse_set_depth(struct pulse *pulse, int depth, struct err *err);

/*
 * Installs the handler, if it is not there yet. From here on ticks are answered. May be
 * called again after pulse_stop. ERR_SYSTEM, also if another one has taken its place since: each would call the other.
 */
bool pulse_start(struct pulse *pulse, struct err *err);

/* No tick is answered any more; waits, but not long, for those that are. */
void pulse_stop(struct pulse *pulse);

/* True if a handler is at work: then pulse_close does nothing. */
bool pulse_is_busy(struct pulse *pulse);

/* After pulse_stop: the walkers are gone, but for those that a handler still uses. */
void pulse_close(struct pulse *pulse);

/* False: another handler of SIGPROF has taken the place of ours. */
bool pulse_is_installed(void);

#endif
