/*
 * now.h - what the clocks say, in nanoseconds.
 */
#ifndef BASE_NOW_H
#define BASE_NOW_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND (1000 * MILLISECOND)

static inline int64_t now_by(clockid_t clock)
{
	struct timespec time = { .tv_sec = 0 };

	clock_gettime(clock, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

/* That of the CPU time of any thread of the process: so the kernel numbers them. */
static inline clockid_t clock_of_thread(pid_t tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 6);
}

/* Since some point in the past: for durations, and as ticks of recordings. */
static inline int64_t now_ticks(void)
{
	return now_by(CLOCK_MONOTONIC);
}

/* Since 1970. */
static inline int64_t now_nanos(void)
{
	return now_by(CLOCK_REALTIME);
}

#endif
