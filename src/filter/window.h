/*
 * window.h - a window of time, asked with the ticks of events.
 *
 * An event is in it if it overlaps it: its end is not before `from` and its start not
 * after `to`. The answer is always that of comparing the nanoseconds that the clock
 * gives; but for ticks that are out of all reason it takes no division.
 */
#ifndef FILTER_WINDOW_H
#define FILTER_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "jfr/clock.h"

struct window {
	struct clock clock;
	int64_t from, to;	/* nanoseconds since 1970 UTC; both belong to it */
	/* In ticks since the clock's start. */
	int64_t reach;		/* no farther away, nanoseconds grow with the ticks */
	int64_t first, last;	/* of those within reach that are in the window */
};

/* Nothing is in one whose `to` is before its `from`. */
struct window window_of(const struct clock *clock, int64_t from, int64_t to);

/* The same by way of nanoseconds, for ticks out of reach. */
bool window_has_nanos(const struct window *window, int64_t start, int64_t end);

/* Start and end of an event, in ticks. */
static inline bool window_has(const struct window *window, int64_t start, int64_t end)
{
	uint64_t zero = (uint64_t)window->clock.start_ticks;
	uint64_t reach = (uint64_t)window->reach;
	int64_t from = (int64_t)((uint64_t)start - zero);
	int64_t to = (int64_t)((uint64_t)end - zero);

	if ((uint64_t)from + reach > 2 * reach || (uint64_t)to + reach > 2 * reach)
		return window_has_nanos(window, start, end);
	return to >= window->first && from <= window->last;
}

#endif
