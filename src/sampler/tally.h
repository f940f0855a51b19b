/*
 * tally.h - what became of the ticks, counted since the sampling began.
 *
 * Each tick that is delivered counts once as TALLY_TICKS and once among the outcomes,
 * from TALLY_FIRST_OUTCOME to TALLY_LAST_OUTCOME. Counters only grow; any thread and
 * signal handlers add to them.
 */
#ifndef SAMPLER_TALLY_H
#define SAMPLER_TALLY_H

#include <stdatomic.h>
#include <stdint.h>

enum tally_what {
	TALLY_TICKS,
	/* Outcomes: a sample was taken ... */
	TALLY_FIRST_OUTCOME,
	TALLY_JAVA = TALLY_FIRST_OUTCOME,
	TALLY_NATIVE,		/* in a native method, or of a thread that waits */
	/* ... or was not wanted, or could not be written ... */
	TALLY_OTHER_THREAD,	/* no thread of Java */
	TALLY_UNWANTED,		/* such samples are wanted less often, or not at all */
	TALLY_DROPPED,		/* all walkers were busy, or no buffer was free */
	/* ... or the walk failed: in the order of the JVM's numbers, 0, -1, -2 ... */
	TALLY_NO_JAVA_FRAME,
	TALLY_NO_CLASS_EVENTS,
	TALLY_GC_ACTIVE,
	TALLY_UNKNOWN_NOT_JAVA,
	TALLY_NOT_WALKABLE_NOT_JAVA,
	TALLY_UNKNOWN_JAVA,
	TALLY_NOT_WALKABLE_JAVA,
	TALLY_UNKNOWN_STATE,
	TALLY_THREAD_EXIT,
	TALLY_DEOPTIMIZATION,
	TALLY_SAFEPOINT,
	TALLY_OTHER_FAILURE,
	TALLY_FAULT,		/* memory was not there */
	TALLY_LAST_OUTCOME = TALLY_FAULT,
	/* Beside the outcomes. */
	TALLY_RETRIED,		/* samples that only a second attempt gave */
	TALLY_MERGED,		/* ticks that the system made one with another */
	TALLY_MISSED,		/* the thread ended before the system looked */
	TALLY_UNTIMED,		/* threads that the system gave no timer */
	/* Nanoseconds of CPU time. */
	TALLY_HANDLER_TIME,	/* in the signal handler */
	TALLY_CALLBACK_TIME,	/* in what the JVM calls because of the sampler */
	TALLY_COUNT,
};

struct tally {
	atomic_uint_fast64_t of[TALLY_COUNT];
};

static inline void tally_add(struct tally *tally, enum tally_what what, uint64_t more)
{
	atomic_fetch_add_explicit(&tally->of[what], more, memory_order_relaxed);
}

static inline uint64_t tally_get(const struct tally *tally, enum tally_what what)
{
	return atomic_load_explicit(&tally->of[what], memory_order_relaxed);
}

#endif
