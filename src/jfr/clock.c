/*
 * clock.c - ticks of a recording as time.
 */
#include "jfr/clock.h"

#include <time.h>

#include "jfr/header.h"

#define NANOS_PER_SECOND 1000000000
#define MICROS_PER_SECOND 1000000
#define MILLIS_PER_SECOND 1000

int64_t clock_integer(double number)
{
	if (number >= 0x1p63)
		return INT64_MAX;
	if (number <= -0x1p63)
		return INT64_MIN;
	if (number != number)
		return 0;
	return (int64_t)number;
}

/* Sums and differences wrap around, as Java's do. */
static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t subtract(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

struct clock clock_of(const struct header *header)
{
	return (struct clock){
		.start_ticks = header->start_ticks,
		.start_nanos = header->start_nanos,
		.divisor = (double)header->ticks_per_second / 1e9,
	};
}

int64_t clock_span(const struct clock *clock, int64_t ticks)
{
	return clock_integer((double)ticks / clock->divisor);
}

int64_t clock_nanos(const struct clock *clock, int64_t ticks)
{
	int64_t since = subtract(ticks, clock->start_ticks);

	return add(clock->start_nanos, clock_span(clock, since));
}

/* Whole numbers beyond this are not all doubles. */
#define DOUBLE_EXACT (INT64_C(1) << 53)

/* The least number of ticks that takes at least so long, whatever a double may hold. */
static int64_t least_ticks(int64_t nanos, int64_t per_second)
{
	__int128 product = (__int128)nanos * per_second;
	__int128 ticks = (product + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND;

	return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

int64_t clock_span_ticks(const struct clock *clock, int64_t nanos)
{
	static const int8_t tries[] = { 0, 1, -1 };
	int64_t per_second = clock_integer(clock->divisor * 1e9), near;

	if (per_second <= 0 || per_second == NANOS_PER_SECOND)
		return nanos;
	if (nanos < 0)
		return nanos == INT64_MIN ? nanos : -clock_span_ticks(clock, -nanos);
	near = least_ticks(nanos, per_second);
	for (size_t i = 0; i < sizeof(tries) && near < DOUBLE_EXACT; i++) {
		if (clock_span(clock, near + tries[i]) == nanos)
			return near + tries[i];
	}
	return near;
}

int64_t clock_ticks(const struct clock *clock, int64_t nanos)
{
	int64_t since = subtract(nanos, clock->start_nanos);

	return add(clock->start_ticks, clock_span_ticks(clock, since));
}

static bool within_a_second(int64_t a, int64_t b)
{
	int64_t distance;

	if (__builtin_sub_overflow(a, b, &distance))
		return false;
	return distance >= -NANOS_PER_SECOND && distance <= NANOS_PER_SECOND;
}

bool clock_agrees(const struct clock *clock, const struct header *header)
{
	struct clock own = clock_of(header);
	int64_t ticks = clock_integer((double)header->duration_nanos * own.divisor);
	int64_t end_ticks = add(header->start_ticks, ticks);
	int64_t end_nanos = add(header->start_nanos, header->duration_nanos);

	return within_a_second(clock_nanos(clock, header->start_ticks),
			       header->start_nanos) &&
	       within_a_second(clock_nanos(clock, end_ticks), end_nanos);
}

/* `per_second` is positive; the rest of the division never is negative. */
static struct time time_of(int64_t count, int32_t per_second)
{
	int64_t seconds = count / per_second;
	int32_t rest = (int32_t)(count % per_second);

	if (rest < 0) {
		seconds--;
		rest += per_second;
	}
	return (struct time){ seconds, rest * (NANOS_PER_SECOND / per_second) };
}

struct time time_of_nanos(int64_t nanos)
{
	return time_of(nanos, NANOS_PER_SECOND);
}

struct time time_of_micros(int64_t micros)
{
	return time_of(micros, MICROS_PER_SECOND);
}

struct time time_of_millis(int64_t millis)
{
	return time_of(millis, MILLIS_PER_SECOND);
}

int64_t time_nanos(struct time time)
{
	__int128 nanos = (__int128)time.seconds * NANOS_PER_SECOND + time.nanos;

	if (nanos < INT64_MIN || nanos > INT64_MAX)
		return nanos < 0 ? INT64_MIN : INT64_MAX;
	return (int64_t)nanos;
}

bool time_is(struct time a, struct time b)
{
	return a.seconds == b.seconds && a.nanos == b.nanos;
}

int time_compare(struct time a, struct time b)
{
	if (a.seconds != b.seconds)
		return a.seconds < b.seconds ? -1 : 1;
	return (a.nanos > b.nanos) - (a.nanos < b.nanos);
}

/* Since then, zones have changed at full minutes only. */
#define ZONES_TIDY 94694400	/* 1973 */

static int find_local_zone(int64_t seconds)
{
	struct tm moment;

	return localtime_r(&(time_t){ seconds }, &moment) ? (int)moment.tm_gmtoff : 0;
}

/* The last answer is kept by each thread: libc's has a lock that all queue up for. */
static int local_zone(int64_t seconds)
{
	static _Thread_local struct {
		int64_t minute;
		int zone;
	} last = { -1, 0 };

	if (seconds < ZONES_TIDY)
		return find_local_zone(seconds);
	if (seconds / 60 != last.minute) {
		last.minute = seconds / 60;
		last.zone = find_local_zone(seconds);
	}
	return last.zone;
}

int clock_zone_at(int zone, int64_t seconds)
{
	return zone == CLOCK_ZONE_LOCAL ? local_zone(seconds) : zone;
}

int64_t clock_utc_of_local(int zone, int64_t seconds)
{
	return subtract(seconds, clock_zone_at(zone, subtract(seconds,
							      clock_zone_at(zone,
									    seconds))));
}
