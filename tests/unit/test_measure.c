#include <criterion/criterion.h>

#include "jfr/header.h"
#include "jfr/measure.h"

static struct time span(enum op_kind primitive, enum unit unit, bool is_unsigned,
			int64_t number)
{
	struct type type = { .primitive = primitive };
	struct field field = {
		.type = &type, .shown = &type, .unit = unit, .is_unsigned = is_unsigned
	};
	struct header header = { .ticks_per_second = 2000000000 };
	struct clock clock = clock_of(&header);

	return measure_timespan(&field, number, &clock);
}

static struct time stamp(enum op_kind primitive, enum unit unit, int64_t number)
{
	struct type type = { .primitive = primitive };
	struct field field = { .type = &type, .shown = &type, .unit = unit };
	struct header header = { .ticks_per_second = 1000000000,
				 .start_ticks = 100,
				 .start_nanos = 5000000000 };
	struct clock clock = clock_of(&header);

	return measure_timestamp(&field, number, &clock);
}

static int64_t integer(enum op_kind primitive, bool is_unsigned, int64_t number)
{
	struct type type = { .primitive = primitive };
	struct field field = { .shown = &type, .is_unsigned = is_unsigned };

	return measure_integer(&field, number);
}

static void expect_time(struct time time, int64_t seconds, int32_t nanos, int line)
{
	cr_expect_eq(time.seconds, seconds, "line %d: %lld s", line,
		     (long long)time.seconds);
	cr_expect_eq(time.nanos, nanos, "line %d: %d ns", line, time.nanos);
}

#define EXPECT_TIME(time, seconds, nanos) expect_time(time, seconds, nanos, __LINE__)

Test(measure, takes_a_timespan_in_any_unit)
{
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_TICKS, false, 2000000002), 1, 1);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_NANOS, false, -1), -1, 999999999);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_NANOS, false, 1500000000), 1,
		    500000000);
	EXPECT_TIME(span(OP_INT, UNIT_TIMESPAN_MICROS, false, 1000001), 1, 1000);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_MICROS, false, -1), -1, 999999000);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_MICROS, false, -1000000), -1, 0);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_MICROS, false, INT64_MAX - 1),
		    9223372036854, 775806000);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_MILLIS, false, 1001), 1, 1000000);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_MILLIS, false, -1), -1, 999000000);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_SECONDS, false, -7), -7, 0);
}

Test(measure, knows_missing_and_endless_timespans_by_the_widened_number)
{
	static const enum unit units[] = { UNIT_TIMESPAN_TICKS, UNIT_TIMESPAN_NANOS,
					   UNIT_TIMESPAN_MICROS, UNIT_TIMESPAN_MILLIS,
					   UNIT_TIMESPAN_SECONDS };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		cr_expect(time_is(span(OP_LONG, units[i], false, INT64_MIN),
				  TIME_MISSING));
		cr_expect(time_is(span(OP_LONG, units[i], true, INT64_MIN),
				  TIME_MISSING));
		cr_expect(time_is(span(OP_LONG, units[i], false, INT64_MAX),
				  TIME_FOREVER));
		cr_expect_not(time_is(span(OP_INT, units[i], false, INT32_MIN),
				      TIME_MISSING));
		cr_expect_not(time_is(span(OP_INT, units[i], false, INT32_MAX),
				      TIME_FOREVER));
	}
}

Test(measure, widens_unsigned_timespans_as_the_jdk_does)
{
	EXPECT_TIME(span(OP_BYTE, UNIT_TIMESPAN_NANOS, true, -1), 0, 65535);
	EXPECT_TIME(span(OP_BYTE, UNIT_TIMESPAN_NANOS, true, 127), 0, 127);
	EXPECT_TIME(span(OP_BYTE, UNIT_TIMESPAN_NANOS, false, -1), -1, 999999999);
	EXPECT_TIME(span(OP_SHORT, UNIT_TIMESPAN_NANOS, true, -1), 0, 65535);
	EXPECT_TIME(span(OP_INT, UNIT_TIMESPAN_NANOS, true, -1), 4, 294967295);
	EXPECT_TIME(span(OP_LONG, UNIT_TIMESPAN_NANOS, true, -1), -1, 999999999);
}

Test(measure, takes_a_timestamp_in_any_unit)
{
	EXPECT_TIME(stamp(OP_LONG, UNIT_TIMESTAMP_TICKS, 107), 5, 7);
	EXPECT_TIME(stamp(OP_LONG, UNIT_TIMESTAMP_TICKS, 0), 4, 999999900);
	EXPECT_TIME(stamp(OP_LONG, UNIT_TIMESTAMP_MILLIS, 1234), 1, 234000000);
	EXPECT_TIME(stamp(OP_LONG, UNIT_TIMESTAMP_MILLIS, -1), -1, 999000000);
	EXPECT_TIME(stamp(OP_LONG, UNIT_TIMESTAMP_MILLIS, INT64_MAX), INT64_MAX / 1000,
		    807000000);
	EXPECT_TIME(stamp(OP_INT, UNIT_TIMESTAMP_MILLIS, INT32_MIN), -2147484,
		    352000000);
	cr_expect(
		time_is(stamp(OP_LONG, UNIT_TIMESTAMP_TICKS, INT64_MIN), TIME_MISSING));
	cr_expect(time_is(stamp(OP_LONG, UNIT_TIMESTAMP_MILLIS, INT64_MIN),
			  TIME_MISSING));
}

Test(measure, makes_unsigned_integers_positive)
{
	cr_expect_eq(integer(OP_BYTE, true, -1), 255);
	cr_expect_eq(integer(OP_SHORT, true, -1), 65535);
	cr_expect_eq(integer(OP_INT, true, -1), 4294967295);
	cr_expect_eq(integer(OP_INT, true, INT32_MIN), 2147483648);
	cr_expect_eq(integer(OP_LONG, true, -1), -1);
	cr_expect_eq(integer(OP_CHAR, true, 65535), 65535);
	cr_expect_eq(integer(OP_BYTE, false, -1), -1);
	cr_expect_eq(integer(OP_INT, false, INT32_MIN), INT32_MIN);
}

Test(measure, tells_longs_that_need_a_larger_integer)
{
	struct type of_long = { .primitive = OP_LONG },
		    of_int = { .primitive = OP_INT };
	struct field field = { .shown = &of_long, .is_unsigned = true };

	cr_expect(measure_is_huge(&field, -1));
	cr_expect_not(measure_is_huge(&field, INT64_MAX));
	field.shown = &of_int;
	cr_expect_not(measure_is_huge(&field, -1));
	field.shown = &of_long;
	field.is_unsigned = false;
	cr_expect_not(measure_is_huge(&field, -1));
}

Test(measure, tells_units_of_time_from_others)
{
	cr_expect(unit_is_timespan(UNIT_TIMESPAN_TICKS));
	cr_expect(unit_is_timespan(UNIT_TIMESPAN_SECONDS));
	cr_expect_not(unit_is_timespan(UNIT_NONE));
	cr_expect_not(unit_is_timespan(UNIT_TIMESTAMP_TICKS));
	cr_expect(unit_is_timestamp(UNIT_TIMESTAMP_TICKS));
	cr_expect(unit_is_timestamp(UNIT_TIMESTAMP_MILLIS));
	cr_expect_not(unit_is_timestamp(UNIT_TIMESPAN_SECONDS));
	cr_expect_not(unit_is_timestamp(UNIT_PERCENTAGE));
}
