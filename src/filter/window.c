#include "filter/window.h"

/* Tried first; the sum of two that far apart still fits 64 bits. */
#define REACH_MAX (INT64_C(1) << 61)

/* Nanoseconds since 1970 at a number of ticks since the clock's start. */
static bool nanos_at(const struct clock *clock, int64_t since, int64_t *nanos)
{
	return !__builtin_add_overflow(clock->start_nanos, clock_span(clock, since),
				       nanos);
}

/* Up to there nothing wraps around, and more ticks never are fewer nanoseconds. */
static int64_t find_reach(const struct clock *clock)
{
	int64_t reach = REACH_MAX, nanos;

	if (!(clock->divisor > 0))
		return 0;
	while (reach > 0 && (!nanos_at(clock, reach, &nanos) ||
			     !nanos_at(clock, -reach, &nanos)))
		reach /= 2;
	return reach;
}

/* The least of the ticks within reach at which it is that late; reach + 1: none. */
static int64_t find_first(const struct window *window, int64_t late)
{
	int64_t low = -window->reach, high = window->reach + 1;

	while (low < high) {
		int64_t middle = low + (high - low) / 2, nanos;

		if (nanos_at(&window->clock, middle, &nanos) && nanos >= late)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

struct window window_of(const struct clock *clock, int64_t from, int64_t to)
{
	struct window window = { .clock = *clock, .from = from, .to = to };

	if (to < from) {	/* or else it had what lasts longer than that */
		window.from = from = INT64_MAX;
		window.to = to = INT64_MIN;
	}
	window.reach = find_reach(clock);
	window.first = find_first(&window, from);
	window.last = to < INT64_MAX ? find_first(&window, to + 1) - 1 : window.reach;
	return window;
}

bool window_has_nanos(const struct window *window, int64_t start, int64_t end)
{
	return clock_nanos(&window->clock, end) >= window->from &&
	       clock_nanos(&window->clock, start) <= window->to;
}
