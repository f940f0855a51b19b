/* The expected results are those of Function in JDK 25. */
#include <criterion/criterion.h>
#include <math.h>

#include "adding.h"

Test(aggregate, counts_whatever_there_is)
{
	ADDS_NONE(COUNT, whole, "long 0");
	ADDS(COUNT, whole, "long 1", NOTHING);
	ADDS(COUNT, other, "long 3", TEXT_OF("a"), NOTHING, TEXT_OF("a"));
	ADDS(COUNT, span, "long 2", SPAN_OF(1, 5), NOTHING);
}

Test(aggregate, sums_whole_numbers_and_wraps)
{
	ADDS_NONE(SUM, whole, "null");
	ADDS(SUM, whole, "null", NOTHING, NOTHING);
	ADDS(SUM, whole, "long -7", WHOLE(INT, -7));
	ADDS(SUM, whole, "long 6", WHOLE(BYTE, 1), NOTHING, WHOLE(SHORT, 2),
	     WHOLE(LONG, 3));
	ADDS(SUM, whole, "long -9223372036854775808", WHOLE(LONG, INT64_MAX),
	     WHOLE(LONG, 1));
	ADDS(SUM, whole, "long -2", WHOLE(LONG, INT64_MAX), WHOLE(LONG, INT64_MAX));
	/* A later chunk may have other numbers in the field: they are cast. */
	ADDS(SUM, whole, "long 3", WHOLE(INT, 1), REAL(DOUBLE, 2.9));
	ADDS(SUM, whole, "long 0", REAL(FLOAT, NAN));
	ADDS(SUM, whole, "null", WHOLE(BOOLEAN, 1), WHOLE(CHAR, 'x'), TEXT_OF("1"));
}

/* One after the other, in their order: 1e16 + 1 is 1e16. */
Test(aggregate, sums_doubles_in_their_order)
{
	ADDS_NONE(SUM, real, "null");
	ADDS(SUM, real, "double 0.29999999999999999", REAL(DOUBLE, 0.3));
	ADDS(SUM, real, "double 1", REAL(DOUBLE, 1e16), REAL(DOUBLE, 1),
	     REAL(DOUBLE, -1e16), REAL(DOUBLE, 1));
	ADDS(SUM, real, "double 2", REAL(DOUBLE, 1e16), REAL(DOUBLE, -1e16),
	     REAL(DOUBLE, 1), REAL(DOUBLE, 1));
	ADDS(SUM, real, "double 0.59999999999999998", REAL(DOUBLE, 0.3),
	     REAL(DOUBLE, 0.2), REAL(DOUBLE, 0.1));
	ADDS(SUM, real, "double 0.60000000000000009", REAL(DOUBLE, 0.1),
	     REAL(DOUBLE, 0.2), REAL(DOUBLE, 0.3));
	ADDS(SUM, real, "double 0.20000000298023224", REAL(FLOAT, 0.1f),
	     REAL(FLOAT, 0.1f));
	ADDS(SUM, real, "double 1.5", REAL(FLOAT, NAN), REAL(FLOAT, 1.5f), NOTHING,
	     REAL(FLOAT, INFINITY), REAL(FLOAT, -INFINITY));
	ADDS(SUM, real, "null", REAL(FLOAT, NAN));
}

Test(aggregate, sums_timespans)
{
	ADDS_NONE(SUM, span, "null");
	ADDS(SUM, span, "span 4.000000001", SPAN_OF(1, 600000000), NOTHING,
	     SPAN_OF(2, 400000001));
	ADDS(SUM, span, "span -2.000000001", SPAN_OF(-1, 0), SPAN_OF(-1, 1));
	ADDS(SUM, span, "span -9223372036854775808.000000000", SPAN_OF(INT64_MIN, 0));
	ADDS(SUM, span, "span 9223372036854775807.999999999",
	     SPAN_OF(INT64_MAX, 999999999));
	ADDS(SUM, span, "span -1.999999998", SPAN_OF(INT64_MAX, 999999999),
	     SPAN_OF(INT64_MAX, 999999999));
	ADDS(SUM, span, "null", WHOLE(LONG, 5));
	/* Here it fails in Java. */
	ADDS(SUM, span, "span 9223372036854775807.999999999",
	     SPAN_OF(INT64_MAX, 999999999), SPAN_OF(0, 1));
}

Test(aggregate, has_no_sum_of_other_things)
{
	ADDS(SUM, time, "null", TIME_OF(5, 0), TIME_OF(6, 0));
	ADDS(SUM, other, "null", TEXT_OF("1"), TEXT_OF("2"));
	ADDS(SUM, other, "null", WHOLE(BOOLEAN, 1));
}

Test(aggregate, has_means_of_numbers)
{
	ADDS_NONE(AVERAGE, whole, "null");
	ADDS(AVERAGE, whole, "double 7", WHOLE(LONG, 7));
	ADDS(AVERAGE, whole, "double 1.5", WHOLE(INT, 1), NOTHING, WHOLE(INT, 2));
	ADDS(AVERAGE, whole, "double -9.2233720368547758e+18", WHOLE(LONG, INT64_MIN),
	     WHOLE(LONG, INT64_MIN));
	ADDS(AVERAGE, real, "double 0.20000000000000004", REAL(DOUBLE, 0.1),
	     REAL(DOUBLE, 0.2), REAL(DOUBLE, 0.3), REAL(DOUBLE, NAN));
	ADDS(AVERAGE, real, "null", REAL(DOUBLE, INFINITY));
	ADDS(AVERAGE, other, "null", TEXT_OF("1"));
	ADDS(AVERAGE, time, "null", TIME_OF(5, 0));
}

/* 2^53 and 1: the sum is a double, and takes them one after the other. */
Test(aggregate, has_means_of_whole_numbers_rounded_in_their_order)
{
	ADDS(AVERAGE, whole, "double 3002399751580330.5", WHOLE(LONG, 9007199254740992),
	     WHOLE(LONG, 1), WHOLE(LONG, 1));
	ADDS(AVERAGE, whole, "double 3002399751580331.5", WHOLE(LONG, 1), WHOLE(LONG, 1),
	     WHOLE(LONG, 9007199254740992));
}

Test(aggregate, has_means_of_timespans_to_the_nanosecond)
{
	ADDS_NONE(AVERAGE, span, "null");
	ADDS(AVERAGE, span, "span 1.500000000", SPAN_OF(1, 0), SPAN_OF(2, 0), NOTHING);
	ADDS(AVERAGE, span, "span 0.000000002", SPAN_OF(0, 1), SPAN_OF(0, 2));
	ADDS(AVERAGE, span, "span 0.000000001", SPAN_OF(0, 1), SPAN_OF(0, 1),
	     SPAN_OF(0, 2));
	ADDS(AVERAGE, span, "span -2.499999999", SPAN_OF(-1, 0), SPAN_OF(-3, 999999997));
	/* Above 2^52 nanoseconds there are no halves left to round. */
	ADDS(AVERAGE, span, "span 4503599.627370497", SPAN_OF(4503599, 627370497));
	ADDS(AVERAGE, span, "span 9223372036.854775807", SPAN_OF(INT64_MAX, 999999999));
	ADDS(AVERAGE, span, "span -9223372037.145224192", SPAN_OF(INT64_MIN, 0));
}

Test(aggregate, takes_the_first_and_the_last)
{
	ADDS_NONE(FIRST, whole, "null");
	ADDS_NONE(LAST, whole, "null");
	ADDS_NONE(LAST_BATCH, whole, "null");
	ADDS(FIRST, whole, "int 1", WHOLE(INT, 1), WHOLE(INT, 2), NOTHING);
	ADDS(FIRST, whole, "null", NOTHING, WHOLE(INT, 2), WHOLE(INT, 3));
	ADDS(LAST, whole, "null", WHOLE(INT, 1), WHOLE(INT, 2), NOTHING);
	ADDS(LAST, whole, "int 3", NOTHING, WHOLE(INT, 2), WHOLE(INT, 3));
	ADDS(LAST_BATCH, whole, "int 3", NOTHING, WHOLE(INT, 2), WHOLE(INT, 3));
	ADDS(FIRST, other, "'a'", TEXT_OF("a"), TEXT_OF("b"), TEXT_OF("c"));
	ADDS(LAST, other, "'c'", TEXT_OF("a"), TEXT_OF("b"), TEXT_OF("c"));
	ADDS(LAST, other, "thread main", TEXT_OF("a"),
	     THING_OF(.kind = THING_THREAD, .text = { "main", 4 }, .id = 7));
}

/* Without an aggregator, and for what is grouped by. */
Test(aggregate, takes_the_last_that_is_not_null)
{
	ADDS_NONE(NONE, whole, "null");
	ADDS(NONE, whole, "int 2", NOTHING, WHOLE(INT, 1), WHOLE(INT, 2), NOTHING);
	ADDS(NONE, whole, "null", NOTHING, NOTHING);
	ADDS(NONE, other, "'b'", TEXT_OF("a"), TEXT_OF("b"), NOTHING, NOTHING);
}

Test(aggregate, finds_the_least_and_the_greatest)
{
	ADDS_NONE(MINIMUM, whole, "null");
	ADDS_NONE(MAXIMUM, whole, "null");
	ADDS(MINIMUM, whole, "int -5", WHOLE(INT, 3), NOTHING, WHOLE(INT, -5));
	ADDS(MAXIMUM, whole, "int 3", WHOLE(INT, 3), NOTHING, WHOLE(INT, -5));
	ADDS(MAXIMUM, real, "double nan", REAL(DOUBLE, NAN), REAL(DOUBLE, INFINITY));
	ADDS(MINIMUM, real, "double -inf", REAL(DOUBLE, NAN), REAL(DOUBLE, -INFINITY));
	ADDS(MINIMUM, real, "double -0", REAL(DOUBLE, 0.0), REAL(DOUBLE, -0.0));
	ADDS(MAXIMUM, real, "float 0.5", REAL(FLOAT, 0.5f), REAL(FLOAT, 0.25f));
	ADDS(MAXIMUM, other, "'b'", TEXT_OF("ab"), TEXT_OF("b"), TEXT_OF("aa"));
	ADDS(MINIMUM, other, "'aa'", TEXT_OF("ab"), TEXT_OF("b"), TEXT_OF("aa"));
	ADDS(MAXIMUM, other, "true", WHOLE(BOOLEAN, 0), WHOLE(BOOLEAN, 1));
	ADDS(MINIMUM, other, "char 97", WHOLE(CHAR, 'b'), WHOLE(CHAR, 'a'));
}

Test(aggregate, compares_times)
{
	ADDS(MINIMUM, time, "time -9223372036854775808.000000000", TIME_OF(5, 1),
	     TIME_OF(INT64_MIN, 0));
	ADDS(MAXIMUM, time, "time 5.000000002", TIME_OF(5, 1), TIME_OF(5, 2));
	ADDS(MAXIMUM, span, "span 9223372036854775807.999999999",
	     SPAN_OF(INT64_MAX, 999999999), SPAN_OF(5, 2), NOTHING);
	ADDS(MINIMUM, span, "span -1.000000000", SPAN_OF(-1, 0), SPAN_OF(0, 0));
}

/* Java can compare neither threads nor lists. */
Test(aggregate, passes_over_what_has_no_order)
{
	ADDS(MAXIMUM, other, "null", THING_OF(.kind = THING_THREAD, .id = 1),
	     THING_OF(.kind = THING_CLASS, .id = 2));
	ADDS(MINIMUM, other, "null", { .kind = DATUM_LIST,
				       .list = &(const struct datum_list){ 0 } });
}

Test(aggregate, subtracts_the_first_number_from_the_last)
{
	ADDS_NONE(DIFFERENCE, whole, "null");
	ADDS(DIFFERENCE, whole, "null", NOTHING);
	ADDS(DIFFERENCE, whole, "long 0", WHOLE(INT, 4));
	ADDS(DIFFERENCE, whole, "long -3", NOTHING, WHOLE(INT, 4), WHOLE(INT, 9),
	     WHOLE(INT, 1), NOTHING);
	ADDS(DIFFERENCE, whole, "long -1", WHOLE(LONG, INT64_MIN),
	     WHOLE(LONG, INT64_MAX));
	ADDS(DIFFERENCE, real, "float 0.200000018", REAL(FLOAT, 0.1f),
	     REAL(FLOAT, NAN), REAL(FLOAT, 0.3f), REAL(FLOAT, INFINITY));
	ADDS(DIFFERENCE, real, "double 0.19999999999999998", REAL(DOUBLE, 0.1),
	     REAL(DOUBLE, 0.3));
	ADDS(DIFFERENCE, whole, "double 1.5", WHOLE(INT, 1), REAL(FLOAT, 2.5f));
	ADDS(DIFFERENCE, other, "null", TEXT_OF("1"), TEXT_OF("2"));
	ADDS(DIFFERENCE, span, "null", SPAN_OF(1, 0), SPAN_OF(2, 0));
}

Test(aggregate, subtracts_times_as_timespans)
{
	ADDS_NONE(DIFFERENCE, time, "null");
	ADDS(DIFFERENCE, time, "null", NOTHING);
	ADDS(DIFFERENCE, time, "span 9223372036854775807.999999999", NOTHING,
	     TIME_OF(5, 0));
	ADDS(DIFFERENCE, time, "span 0.999999999", TIME_OF(5, 1), NOTHING, TIME_OF(6, 0));
	ADDS(DIFFERENCE, time, "span -3.999999999", TIME_OF(6, 1), TIME_OF(9, 0),
	     TIME_OF(4, 0));
	ADDS(DIFFERENCE, time, "span 0.000000000", TIME_OF(5, 1), TIME_OF(5, 1));
	ADDS(DIFFERENCE, time, "span 31557014167219205.000000007", TIME_OF(INT64_MIN, 0),
	     TIME_OF(5, 7));
	ADDS(DIFFERENCE, time, "span 0.000000000", TIME_OF(INT64_MIN, 0),
	     TIME_OF(INT64_MIN, 0));
}

/* What is grouped by is neither counted nor added. */
Test(aggregate, leaves_groups_as_they_are)
{
	const struct column group = { .group = 0, .order = -1,
				      .aggregator = AGGREGATOR_SUM };
	const struct column plain = { .group = -1, .order = -1 };

	cr_expect_eq(aggregate_function(&group), aggregate_function(&plain));
}

Test(aggregate, tells_the_end_of_the_last_event)
{
	const struct function *last = aggregate_function(
		&(const struct column){ .aggregator = AGGREGATOR_LAST_BATCH, .group = -1 });
	const struct rank ranks[] = { { .end = 5, .nanos = 500 }, { .end = 4 } };
	_Alignas(16) unsigned char state[128] = { 0 };
	bool failed = false;
	int64_t nanos;

	cr_assert_leq(last->size, sizeof(state));
	cr_expect_not(aggregate_batch_end(state, &nanos));
	for (size_t i = 0; i < 2; i++)
		last->add(state, &(const struct addend){ DATUM_NONE, &ranks[i], &failed });
	cr_expect(aggregate_batch_end(state, &nanos));
	cr_expect_eq(nanos, 500);
	cr_expect_not(failed);
}

Test(aggregate, orders_ranks)
{
	static const struct rank ranks[] = {
		{ .segment = 0, .end = 9, .at = 9 },
		{ .segment = 1, .end = -5, .at = 8 },
		{ .segment = 1, .end = 3, .at = 2 },
		{ .segment = 1, .end = 3, .at = 5, .turn = 0 },
		{ .segment = 1, .end = 3, .at = 5, .turn = 1 },
		{ .segment = 1, .end = 4, .at = 1 },
	};
	const size_t count = sizeof(ranks) / sizeof(ranks[0]);

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < count; k++) {
			cr_expect_eq(rank_is_before(&ranks[i], &ranks[k]), i < k);
			cr_expect_eq(rank_compare(&ranks[i], &ranks[k]),
				     i < k ? -1 : i > k);
		}
	}
}

Test(aggregate, survives_without_memory)
{
	const struct adding last = ADDING(LAST, other, TEXT_OF("a"), TEXT_OF("b"));
	const struct adding most =
		ADDING(MAXIMUM, other, TEXT_OF("a"), TEXT_OF("b"), TEXT_OF("c"));

	adding_survive(&last);
	adding_survive(&most);
}
