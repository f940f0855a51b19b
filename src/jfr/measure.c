#include "jfr/measure.h"

int64_t measure_integer(const struct field *field, int64_t number)
{
	if (!field->is_unsigned)
		return number;
	switch (field->shown->primitive) {
	case OP_BYTE:
		return (uint8_t)number;
	case OP_SHORT:
		return (uint16_t)number;
	case OP_INT:
		return (uint32_t)number;
	default:
		return number;
	}
}

int64_t measure_widen(const struct field *field, int64_t number)
{
	/* A byte is widened to a short with its sign first: 0xff is 65535. */
	if (field->is_unsigned && field->shown->primitive == OP_BYTE)
		return (uint16_t)number;
	return measure_integer(field, number);
}

struct time measure_timespan(const struct field *field, int64_t number,
			     const struct clock *clock)
{
	int64_t span = measure_widen(field, number);

	if (span == INT64_MIN)
		return TIME_MISSING;
	if (span == INT64_MAX)
		return TIME_FOREVER;
	switch (field->unit) {
	case UNIT_TIMESPAN_TICKS:
		return time_of_nanos(clock_span(clock, span));
	case UNIT_TIMESPAN_MICROS:
		return time_of_micros(span);
	case UNIT_TIMESPAN_MILLIS:
		return time_of_millis(span);
	case UNIT_TIMESPAN_SECONDS:
		return (struct time){ span, 0 };
	default:
		return time_of_nanos(span);
	}
}

struct time measure_timestamp(const struct field *field, int64_t number,
			      const struct clock *clock)
{
	int64_t when = measure_widen(field, number);

	if (when == INT64_MIN)
		return TIME_MISSING;
	if (field->unit == UNIT_TIMESTAMP_MILLIS)
		return time_of_millis(when);
	return time_of_nanos(clock_nanos(clock, when));
}
