/* The expected times are what Java's arithmetic gives; tests/oracle compares more. */
#include <criterion/criterion.h>

#include "jfr/clock.h"
#include "jfr/header.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define START_NANOS 1796063519123456789

static struct header header_of(int64_t ticks, int64_t nanos, int64_t frequency)
{
	return (struct header){
		.start_ticks = ticks,
		.start_nanos = nanos,
		.ticks_per_second = frequency,
	};
}

static const struct {
	int64_t start_ticks, start_nanos, frequency, ticks;
	int64_t nanos, span;
} cases[] = {
	{ 0, 0, 1000000000, 0, 0, 0 },
	{ 1000, START_NANOS, 1000000000, 1001, START_NANOS + 1, 1001 },
	{ 1000, START_NANOS, 1000000000, 999, START_NANOS - 1, 999 },
	{ 5, 0, 24000000, 29, 1000, 1208 },
	{ 0, 0, 24000000, 1, 41, 41 },
	{ 0, 0, 24000000, -1, -41, -41 },
	{ 0, 0, 2299998000, INT64_MAX, 4010165242254460928, 4010165242254460928 },
	{ 0, 0, 3187200000, 9007199254740993, 2826053983038715, 2826053983038715 },
	{ 0, 0, 1, 9223372036, 9223372035999998976, 9223372035999998976 },
	{ 0, 0, 1, 9223372037, INT64_MAX, INT64_MAX },
	{ 0, 0, 1, INT64_MIN, INT64_MIN, INT64_MIN },
	{ 0, 10, -1000000000, 3, 7, -3 },
	{ 0, 0, INT64_MAX, INT64_MAX, 999999999, 999999999 },
	{ 0, 0, INT64_MIN, 1, 0, 0 },
	/* without a frequency: infinite, or not a number */
	{ 0, 0, 0, 0, 0, 0 },
	{ 7, 5, 0, 7, 5, INT64_MAX },
	{ 0, 5, 0, 7, INT64_MIN + 4, INT64_MAX },
	{ 0, 5, 0, -7, INT64_MIN + 5, INT64_MIN },
	/* sums and differences wrap around */
	{ INT64_MIN, 0, 1000000000, INT64_MAX, -1, INT64_MAX },
	{ INT64_MIN, 0, 1000000000, 1, INT64_MIN, 1 },
	{ 0, INT64_MAX, 1000000000, 1, INT64_MIN, 1 },
};

Test(clock, converts_as_java_does)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct header header = header_of(cases[i].start_ticks,
						 cases[i].start_nanos,
						 cases[i].frequency);
		struct clock clock = clock_of(&header);

		cr_expect_eq(clock_nanos(&clock, cases[i].ticks), cases[i].nanos,
			     "nanos of case %zu", i);
		cr_expect_eq(clock_span(&clock, cases[i].ticks), cases[i].span,
			     "span of case %zu", i);
	}
}

/* Ten seconds of a recording, `later` after the one whose clock is asked. */
static struct header later_chunk(int64_t ticks, int64_t nanos)
{
	struct header header = header_of(1000 + ticks, START_NANOS + nanos, 24000000);

	header.duration_nanos = 10000000000;
	return header;
}

Test(clock, agrees_with_later_chunks_of_its_run)
{
	struct header first = later_chunk(0, 0);
	struct header next = later_chunk(24000000 * 60ll, 60000000000);
	struct header drifted = later_chunk(24000000 * 60ll, 60999999999);
	struct clock clock = clock_of(&first);

	cr_expect(clock_agrees(&clock, &first));
	cr_expect(clock_agrees(&clock, &next));
	cr_expect(clock_agrees(&clock, &drifted));
}

Test(clock, disagrees_with_another_run)
{
	struct header first = later_chunk(0, 0);
	struct header early = later_chunk(24000000 * 60ll, 58900000000);
	struct header late = later_chunk(24000000 * 60ll, 61100000000);
	struct header other = later_chunk(0, 86400000000000);
	struct clock clock = clock_of(&first);

	cr_expect(!clock_agrees(&clock, &early));
	cr_expect(!clock_agrees(&clock, &late));
	cr_expect(!clock_agrees(&clock, &other));
}

Test(clock, disagrees_with_another_frequency)
{
	struct header first = later_chunk(0, 0);
	struct header faster = later_chunk(0, 0);
	struct clock clock = clock_of(&first);

	faster.ticks_per_second = 1000000000;
	cr_expect(!clock_agrees(&clock, &faster));
	faster.duration_nanos = 0;	/* still being written: only its start counts */
	cr_expect(clock_agrees(&clock, &faster));
}

Test(clock, survives_nonsense)
{
	static const int64_t odd[] = { INT64_MIN, -1000000000, -1, 0, 1, INT64_MAX };
	struct header first = later_chunk(0, 0);
	struct clock clock = clock_of(&first);

	for (size_t i = 0; i < COUNT(odd) * COUNT(odd) * COUNT(odd); i++) {
		struct header header =
			header_of(odd[i % 6], odd[i / 6 % 6], odd[i / 36]);
		struct clock own = clock_of(&header);

		for (size_t j = 0; j < COUNT(odd); j++) {
			header.duration_nanos = odd[j];
			clock_agrees(&clock, &header);
			clock_agrees(&own, &first);
			clock_agrees(&own, &header);
		}
		cr_expect(!clock_agrees(&clock, &header));
	}
}

Test(time, of_nanos_and_millis_has_no_negative_fraction)
{
	cr_expect(time_is(time_of_nanos(0), (struct time){ 0, 0 }));
	cr_expect(time_is(time_of_nanos(1999999999), (struct time){ 1, 999999999 }));
	cr_expect(time_is(time_of_nanos(-1), (struct time){ -1, 999999999 }));
	cr_expect(time_is(time_of_nanos(-1000000000), (struct time){ -1, 0 }));
	cr_expect(time_is(time_of_nanos(INT64_MIN),
			  (struct time){ -9223372037, 145224192 }));
	cr_expect(time_is(time_of_millis(1500), (struct time){ 1, 500000000 }));
	cr_expect(time_is(time_of_millis(-1), (struct time){ -1, 999000000 }));
	cr_expect(time_is(time_of_millis(INT64_MIN),
			  (struct time){ -9223372036854776, 192000000 }));
	cr_expect(time_is(time_of_millis(INT64_MAX),
			  (struct time){ 9223372036854775, 807000000 }));
}

Test(time, gives_its_nanos_as_far_as_they_fit)
{
	static const int64_t fitting[] = { 0, 1999999999, -1, INT64_MIN, INT64_MAX };

	for (size_t i = 0; i < sizeof(fitting) / sizeof(fitting[0]); i++)
		cr_expect_eq(time_nanos(time_of_nanos(fitting[i])), fitting[i]);
	cr_expect_eq(time_nanos((struct time){ 9223372036, 854775808 }), INT64_MAX);
	cr_expect_eq(time_nanos((struct time){ -9223372037, 145224191 }), INT64_MIN);
	cr_expect_eq(time_nanos(TIME_FOREVER), INT64_MAX);
	cr_expect_eq(time_nanos(TIME_MISSING), INT64_MIN);
}

Test(time, is_itself_alone)
{
	cr_expect(time_is(TIME_MISSING, TIME_MISSING));
	cr_expect(!time_is(TIME_MISSING, TIME_FOREVER));
	cr_expect(!time_is((struct time){ 1, 0 }, (struct time){ 1, 1 }));
	cr_expect(!time_is((struct time){ 1, 0 }, (struct time){ 2, 0 }));
}

Test(time, is_before_or_behind_another)
{
	cr_expect_eq(time_compare((struct time){ 1, 5 }, (struct time){ 1, 5 }), 0);
	cr_expect_lt(time_compare((struct time){ 1, 4 }, (struct time){ 1, 5 }), 0);
	cr_expect_gt(time_compare((struct time){ 1, 5 }, (struct time){ 1, 4 }), 0);
	cr_expect_lt(time_compare((struct time){ -2, 5 }, (struct time){ 1, 4 }), 0);
	cr_expect_lt(time_compare(TIME_MISSING, TIME_FOREVER), 0);
	cr_expect_gt(time_compare(TIME_FOREVER, (struct time){ INT64_MAX, 0 }), 0);
}

/* Readers find the same time again, as long as there is a tick for each nanosecond. */
Test(clock, has_ticks_for_times)
{
	static const int64_t frequencies[] = { 1000000000, 1000000001, 1999999999,
					       2599968000, 3187200000, 99999999999 };
	static const int64_t spans[] = {
		0, 1, -1, 2, 7, 999999999, -1000000001, 86400 * INT64_C(1000000000)
	};

	for (size_t i = 0; i < COUNT(frequencies); i++) {
		struct header header = header_of(12345, START_NANOS, frequencies[i]);
		struct clock clock = clock_of(&header);

		for (size_t k = 0; k < COUNT(spans); k++) {
			int64_t ticks = clock_span_ticks(&clock, spans[k]);

			cr_expect_eq(clock_span(&clock, ticks), spans[k],
				     "%lld at %lld", (long long)spans[k],
				     (long long)frequencies[i]);
			ticks = clock_ticks(&clock, START_NANOS + spans[k]);
			cr_expect_eq(clock_nanos(&clock, ticks),
				     START_NANOS + spans[k]);
		}
	}
}

Test(clock, has_ticks_for_any_time)
{
	struct header header = header_of(0, 0, 2600000000);
	struct clock clock = clock_of(&header);

	cr_expect_eq(clock_span_ticks(&clock, INT64_MAX), INT64_MAX);
	cr_expect_eq(clock_span_ticks(&clock, INT64_MIN), INT64_MIN);
	cr_expect_eq(clock_span_ticks(&clock, 1000000000000000001),
		     2600000000000000003);
	header = header_of(0, 0, 0);
	clock = clock_of(&header);
	cr_expect_eq(clock_span_ticks(&clock, 5), 5);
	header = header_of(0, 0, 1000);
	clock = clock_of(&header);
	cr_expect_eq(clock_span_ticks(&clock, 1500001), 2);
}
