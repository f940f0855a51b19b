/*
 * clock.h - ticks of a recording as time.
 *
 * The arithmetic is the JDK's to the last bit: doubles, truncated toward zero,
 * saturated at the ends of 64 bits (format.md 1.3).
 */
#ifndef JFR_CLOCK_H
#define JFR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct header;

/* Among zones, which else are seconds east of UTC: this machine's, at each time. */
#define CLOCK_ZONE_LOCAL INT32_MAX

/* Seconds east of UTC at that time, in seconds since 1970 UTC. Any thread. */
int clock_zone_at(int zone, int64_t seconds);

/* The time in seconds since 1970 UTC at which a clock on the wall shows that. */
int64_t clock_utc_of_local(int zone, int64_t seconds);

struct clock {
	int64_t start_ticks;
	int64_t start_nanos;	/* since 1970-01-01 UTC */
	double divisor;		/* ticks per nanosecond */
};

/*
 * A point in time (seconds since 1970 UTC) or a length of time, as Java's Instant
 * and Duration: nanos is 0..999999999 also for negative times.
 */
struct time {
	int64_t seconds;
	int32_t nanos;
};

#define TIME_MISSING ((struct time){ INT64_MIN, 0 })
#define TIME_FOREVER ((struct time){ INT64_MAX, 999999999 })

/* The clock that a chunk's header tells; ticks_per_second is not checked. */
struct clock clock_of(const struct header *header);

/*
 * True if a chunk's own header says the same times as this clock, within a second
 * at both its ends: then both come from one run of a JVM.
 */
bool clock_agrees(const struct clock *clock, const struct header *header);

/* Nanoseconds since 1970 UTC at a tick; nanoseconds in a number of ticks. */
int64_t clock_nanos(const struct clock *clock, int64_t ticks);
int64_t clock_span(const struct clock *clock, int64_t ticks);

/*
 * The other way round: a tick at which it is that time, a number of ticks that takes so
 * long. If there is none, the one behind it. Exact, also where readers, who reckon in
 * doubles, are not: beyond 2^53 ticks.
 */
int64_t clock_ticks(const struct clock *clock, int64_t nanos);
int64_t clock_span_ticks(const struct clock *clock, int64_t nanos);

/* Java's cast of a double to a long: truncates, saturates, and NaN is zero. */
int64_t clock_integer(double number);

/* A time or length of time from a count of these, positive or negative. */
struct time time_of_nanos(int64_t nanos);
struct time time_of_micros(int64_t micros);
struct time time_of_millis(int64_t millis);

/*
 * The nanoseconds, saturated at the ends of 64 bits, so that "without end" stays what it
 * is.
 */
int64_t time_nanos(struct time time);

/* The same to the nanosecond. */
bool time_is(struct time a, struct time b);

/* <0, 0, >0 as a is before b, the same, or behind it. */
int time_compare(struct time a, struct time b);

#endif
