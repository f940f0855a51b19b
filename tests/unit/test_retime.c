#include <criterion/criterion.h>

#include "copy/retime.h"
#include "jfr/header.h"

static struct clock clock_at(int64_t nanos, int64_t ticks, int64_t frequency)
{
	struct header header = { .start_nanos = nanos,
				 .start_ticks = ticks,
				 .ticks_per_second = frequency };

	return clock_of(&header);
}

static struct field field_of(struct type *type, enum op_kind kind, enum unit unit,
			     bool is_unsigned)
{
	type->primitive = kind;
	return (struct field){
		.type = type, .shown = type, .unit = unit, .is_unsigned = is_unsigned
	};
}

Test(retime, is_not_needed_with_the_same_clock)
{
	struct retime retime = { clock_at(5, 6, 7), clock_at(5, 6, 7), 0 };

	cr_expect_not(retime_is_needed(&retime));
	retime.to = clock_at(4, 6, 7);
	cr_expect(retime_is_needed(&retime));
	retime.to = clock_at(5, 5, 7);
	cr_expect(retime_is_needed(&retime));
	retime.to = clock_at(5, 6, 8);
	cr_expect(retime_is_needed(&retime));
}

Test(retime, keeps_times)
{
	struct retime retime = { clock_at(1000, 10, 2000000000),
				 clock_at(100, 7, 1000000000), 0 };
	struct type type = { .id = 0 };
	struct field when = field_of(&type, OP_LONG, UNIT_TIMESTAMP_TICKS, false);
	struct field span = field_of(&type, OP_LONG, UNIT_TIMESPAN_TICKS, false);

	cr_expect_eq(retime_number(&retime, &when, 14), 7 + 902);
	cr_expect_eq(retime_number(&retime, &when, INT64_MIN), INT64_MIN);
	cr_expect_eq(retime_number(&retime, &when, 10 - 2000), 7 - 100);
	cr_expect_eq(retime_number(&retime, &span, 14), 7);
	cr_expect_eq(retime_number(&retime, &span, -14), -7);
	cr_expect_eq(retime_number(&retime, &span, INT64_MAX), INT64_MAX);
	cr_expect_eq(retime_number(&retime, &span, INT64_MIN), INT64_MIN);
	cr_expect_eq(retime_start(&retime, 1000), 7 + 900);
	cr_expect_eq(retime.clipped, 0);
}

/* What no field of that type can hold becomes the nearest that it can. */
Test(retime, stays_within_the_field)
{
	static const struct {
		enum op_kind kind;
		bool is_unsigned;
		int64_t from, to;
	} cases[] = {
		{ OP_BYTE, false, 1, 100 },
		{ OP_BYTE, false, 2, 127 },
		{ OP_BYTE, false, -2, -128 },
		{ OP_BYTE, true, 2, 127 },
		{ OP_SHORT, false, 400, 32767 },
		{ OP_SHORT, true, 400, 40000 },
		{ OP_SHORT, true, 700, 65535 },
		{ OP_CHAR, false, 700, 65535 },
		{ OP_INT, false, 30000000, INT32_MAX },
		{ OP_INT, true, 30000000, 3000000000 },
		{ OP_INT, true, 50000000, UINT32_MAX },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct retime retime = { clock_at(0, 0, 10000000),
					 clock_at(0, 0, 1000000000), 0 };
		struct type type = { .id = 0 };
		struct field field = field_of(&type, cases[i].kind, UNIT_TIMESPAN_TICKS,
					      cases[i].is_unsigned);
		int64_t ticks = retime_number(&retime, &field, cases[i].from);

		cr_expect_eq(ticks, cases[i].to, "%zu: %lld", i, (long long)ticks);
		cr_expect_eq(retime.clipped, ticks != cases[i].from * 100);
	}
}

/* As a chunk's own header tells them: with any clock that has two ticks for each. */
Test(retime, begins_chunks_before_all_times_in_them)
{
	static const int64_t frequencies[] = { 1000000000, 2000000000, 2599968123,
					       3187200000 };

	for (size_t i = 0; i < 4; i++) {
		struct retime retime = { clock_at(0, 0, 1000000000),
					 clock_at(5000, 77, frequencies[i]), 0 };

		for (int64_t start = 123456; start < 123556; start++) {
			struct clock own = clock_at(start, retime_start(&retime, start),
						    frequencies[i]);

			for (int64_t when = start; when < start + 10; when++)
				cr_expect_eq(clock_nanos(&own,
							 clock_ticks(&retime.to, when)),
					     when);
		}
	}
}
