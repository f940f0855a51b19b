/*
 * measure.h - what the number in a field means.
 *
 * The rules, and where they are odd, are the JDK's (jfr-tool.md 0.5): the special
 * values are tested on the widened number, unsigned bytes widen twice.
 */
#ifndef JFR_MEASURE_H
#define JFR_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "jfr/clock.h"
#include "jfr/metadata.h"

static inline bool unit_is_timespan(enum unit unit)
{
	return unit >= UNIT_TIMESPAN_TICKS && unit <= UNIT_TIMESPAN_SECONDS;
}

static inline bool unit_is_timestamp(enum unit unit)
{
	return unit == UNIT_TIMESTAMP_TICKS || unit == UNIT_TIMESTAMP_MILLIS;
}

static inline bool unit_is_ticks(enum unit unit)
{
	return unit == UNIT_TIMESPAN_TICKS || unit == UNIT_TIMESTAMP_TICKS;
}

/* The number of a time, as the field's type and @Unsigned widen it. */
int64_t measure_widen(const struct field *field, int64_t number);

/* The field's unit must be one of a timespan; may be TIME_MISSING, TIME_FOREVER. */
struct time measure_timespan(const struct field *field, int64_t number,
			     const struct clock *clock);

/* The field's unit must be one of a timestamp; may be TIME_MISSING. */
struct time measure_timestamp(const struct field *field, int64_t number,
			      const struct clock *clock);

/*
 * The number with @Unsigned applied: a byte, short or int becomes positive. Of an
 * unsigned long the bits are kept; it is negative here when it is 2^63 or more.
 */
int64_t measure_integer(const struct field *field, int64_t number);

/* The number is an unsigned long of 2^63 or more: Java makes it a BigInteger. */
static inline bool measure_is_huge(const struct field *field, int64_t number)
{
	return number < 0 && field->is_unsigned && field->shown->primitive == OP_LONG;
}

#endif
