#include <criterion/criterion.h>

#include "filter/window.h"

/* The rule itself. */
static bool is_in(const struct window *window, int64_t start, int64_t end)
{
	return clock_nanos(&window->clock, end) >= window->from &&
	       clock_nanos(&window->clock, start) <= window->to;
}

static const struct clock plain = { .start_ticks = 100,
				    .start_nanos = 1000,
				    .divisor = 1 };

Test(window, takes_what_overlaps_it)
{
	struct window window = window_of(&plain, 1010, 1020);	/* ticks 110 to 120 */

	cr_expect(window_has(&window, 110, 120));
	cr_expect(window_has(&window, 0, 110));
	cr_expect(window_has(&window, 120, 999));
	cr_expect(window_has(&window, 0, 999));
	cr_expect(window_has(&window, 115, 115));
	cr_expect_not(window_has(&window, 0, 109));
	cr_expect_not(window_has(&window, 121, 999));
	/* One that ends before it starts. */
	cr_expect_not(window_has(&window, 121, 109));
	cr_expect(window_has(&window, 120, 110));
}

Test(window, may_be_open_or_empty)
{
	struct window all = window_of(&plain, INT64_MIN, INT64_MAX);
	struct window empty = window_of(&plain, 1020, 1010);
	struct window first = window_of(&plain, INT64_MIN, INT64_MIN);
	struct window last = window_of(&plain, INT64_MAX, INT64_MAX);

	cr_expect(window_has(&all, 0, 0));
	cr_expect(window_has(&all, INT64_MIN, INT64_MAX));
	cr_expect_not(window_has(&empty, 110, 119));
	cr_expect_not(window_has(&empty, 0, 999));
	cr_expect_not(window_has(&first, 110, 110));
	cr_expect_not(window_has(&last, 110, 110));
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state ^ *state >> 29;
}

/* A tick that is near to where the answer changes, or anywhere. */
static int64_t some_tick(const struct window *window, uint64_t *state)
{
	uint64_t random = next_random(state);
	int64_t near[] = { window->first,
			   window->last,
			   window->reach,
			   -window->reach,
			   0,
			   (int64_t)next_random(state) };
	uint64_t tick = (uint64_t)near[random % 6] + random / 6 % 7 - 3;

	return (int64_t)(tick +
			 (random / 64 % 8 ? (uint64_t)window->clock.start_ticks : 0));
}

static void try_window(const struct window *window, uint64_t *state)
{
	for (int i = 0; i < 200; i++) {
		int64_t start = some_tick(window, state),
			end = some_tick(window, state);

		cr_assert_eq(window_has(window, start, end), is_in(window, start, end),
			     "ticks %lld to %lld, divisor %g, from %lld to %lld",
			     (long long)start, (long long)end, window->clock.divisor,
			     (long long)window->from, (long long)window->to);
	}
}

Test(window, never_differs_from_nanoseconds)
{
	static const double divisors[] = { 1,	 0.001,	 2.4, 3.1e-9, 1e9,
					   1e18, 5e-324, 0,   -1,     __builtin_inf(),
					   -0.0 };
	static const int64_t starts[] = { 0, 1714557600000000000, INT64_MAX, INT64_MIN,
					  -1 };
	uint64_t state = 7;

	for (size_t d = 0; d < sizeof(divisors) / sizeof(divisors[0]); d++) {
		for (size_t s = 0; s < 25; s++) {
			struct clock clock = { .start_ticks = starts[s / 5],
					       .start_nanos = starts[s % 5],
					       .divisor = divisors[d] };
			int64_t at = (int64_t)next_random(&state);
			struct window windows[] = {
				window_of(&clock, clock.start_nanos, INT64_MAX),
				window_of(&clock, clock.start_nanos / 2,
					  clock.start_nanos / 2 + 1000000),
				window_of(&clock, at, at),
				window_of(&clock, INT64_MIN, at),
				window_of(&clock, INT64_MAX, INT64_MIN),
				window_of(&clock, INT64_MIN, INT64_MAX),
			};

			for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]);
			     i++)
				try_window(&windows[i], &state);
		}
	}
}

/* All that is real needs no division. */
Test(window, reaches_far)
{
	struct clock clock = { .start_ticks = 5, .start_nanos = 1714557600000000000,
			       .divisor = 2.4 };
	struct window window = window_of(&clock, 0, INT64_MAX);

	cr_expect_geq(window.reach, INT64_C(1) << 61);
}
