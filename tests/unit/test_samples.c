/* The expected results are those of Function in JDK 25. */
#include <criterion/criterion.h>
#include <math.h>

#include "adding.h"

#define L(number) WHOLE(LONG, number)
#define D(real) REAL(DOUBLE, real)

Test(samples, have_a_median)
{
	ADDS_NONE(MEDIAN, whole, "null");
	ADDS(MEDIAN, whole, "null", NOTHING, TEXT_OF("1"));
	ADDS(MEDIAN, whole, "int 7", WHOLE(INT, 7), NOTHING);
	ADDS(MEDIAN, whole, "double 4.5", WHOLE(INT, 7), WHOLE(INT, 2));
	ADDS(MEDIAN, whole, "int 3", WHOLE(INT, 7), WHOLE(INT, -2), WHOLE(INT, 3));
	ADDS(MEDIAN, whole, "double 3.5", L(7), L(3), L(-2), L(4));
	ADDS(MEDIAN, whole, "double 9.2233720368547758e+18", L(INT64_MAX), L(INT64_MAX));
	ADDS(MEDIAN, real, "double 0.5", D(0.5), D(1.5), D(-INFINITY));
	/* NaN is a number here, and the greatest. */
	ADDS(MEDIAN, real, "double 1.5", D(0.5), D(NAN), D(1.5));
	ADDS(MEDIAN, real, "double nan", D(0.5), D(NAN));
	ADDS(MEDIAN, real, "float 0.5", REAL(FLOAT, 0.5f));
}

Test(samples, have_a_median_of_timespans)
{
	ADDS_NONE(MEDIAN, span, "null");
	ADDS(MEDIAN, span, "span 1.000000005", SPAN_OF(1, 5));
	ADDS(MEDIAN, span, "span 0.000000001", SPAN_OF(0, 1), NOTHING, SPAN_OF(0, 2));
	ADDS(MEDIAN, span, "span 0.000000000", SPAN_OF(-1, 999999999), SPAN_OF(0, 0));
	ADDS(MEDIAN, span, "span 2.000000000", SPAN_OF(3, 0), SPAN_OF(1, 0),
	     SPAN_OF(2, 0));
	ADDS(MEDIAN, span, "null", WHOLE(LONG, 5));
	/* Nanoseconds overflow: forever is -1.000000001 s, what is missing 0. */
	ADDS(MEDIAN, span, "span -1.999999999", SPAN_OF(INT64_MAX, 999999999));
	ADDS(MEDIAN, span, "span 0.000000000", SPAN_OF(INT64_MIN, 0));
}

/* The place is 0.9 * (n + 1), counted from 1, and the ends are as far as it goes. */
Test(samples, have_percentiles)
{
	ADDS_NONE(P90, whole, "null");
	ADDS(P90, whole, "int 5", WHOLE(INT, 5), NOTHING);
	ADDS(P90, whole, "long 9", L(9), L(5));
	ADDS(P90, whole, "long 8", L(1), L(2), L(3), L(4), L(5), L(6), L(7), L(8));
	ADDS(P90, whole, "long 9", L(1), L(2), L(3), L(4), L(5), L(6), L(7), L(8),
	     L(9));
	ADDS(P90, whole, "double 9.9000000000000004", L(1), L(2), L(3), L(4), L(5), L(6),
	     L(7), L(8), L(9), L(10));
	ADDS(P95, whole, "long 10", L(1), L(2), L(3), L(4), L(5), L(6), L(7), L(8), L(9),
	     L(10));
	ADDS(P99, whole, "long 3", L(1), L(3), L(2));
	ADDS(P999, whole, "long 3", L(1), L(3), L(2));
	ADDS(P90, real, "double 2.5", D(2.5), D(NAN), D(1.5), D(INFINITY));
	ADDS(P90, other, "null", TEXT_OF("1"));
	ADDS(P90, time, "null", TIME_OF(1, 0));
}

/* Of the numbers 0 to count - 1, mixed up. */
static void expect_of_many(enum aggregator aggregator, size_t count, double wanted)
{
	struct column column = whole_column;
	_Alignas(16) unsigned char state[256] = { 0 };
	const struct function *function;
	struct rank rank = { .end = 0 };
	bool failed = false;
	struct datum result;

	column.aggregator = aggregator;
	function = aggregate_function(&column);
	cr_assert_leq(function->size, sizeof(state));
	for (size_t i = 0; i < count; i++) {
		struct datum value = L((int64_t)(i * 7919 % count));

		rank.at = i;
		function->add(state, &(const struct addend){ value, &rank, &failed });
	}
	result = function->result(state);
	cr_expect_eq(datum_real(&result), wanted, "%zu: %.17g", count,
		     datum_real(&result));
	cr_expect_not(failed);
	function->clear(state);
}

Test(samples, have_percentiles_of_many)
{
	expect_of_many(AGGREGATOR_P90, 1000, 899.9);
	expect_of_many(AGGREGATOR_P95, 1000, 949.9499999999999);
	expect_of_many(AGGREGATOR_P99, 1000, 989.99);
	expect_of_many(AGGREGATOR_P999, 998, 997);
	expect_of_many(AGGREGATOR_P999, 999, 998);
	expect_of_many(AGGREGATOR_P999, 1000, 998.999);
	expect_of_many(AGGREGATOR_P999, 1001, 999.998);
	expect_of_many(AGGREGATOR_MEDIAN, 1000, 499.5);
	expect_of_many(AGGREGATOR_MEDIAN, 1001, 500);
}

Test(samples, have_percentiles_of_timespans)
{
	ADDS_NONE(P99, span, "null");
	ADDS(P90, span, "span 0.000000009", SPAN_OF(0, 1), SPAN_OF(0, 2), SPAN_OF(0, 3),
	     SPAN_OF(0, 4), SPAN_OF(0, 5), SPAN_OF(0, 6), SPAN_OF(0, 7), SPAN_OF(0, 8),
	     SPAN_OF(0, 9), SPAN_OF(0, 10));
	ADDS(P99, span, "span 4.000000000", SPAN_OF(4, 0), NOTHING, SPAN_OF(2, 0));
	ADDS(P95, span, "span 4.000000000", SPAN_OF(4, 0));
	ADDS(P999, span, "span 5.000000000", SPAN_OF(4, 0), SPAN_OF(5, 0));
}

Test(samples, have_a_deviation)
{
	ADDS_NONE(DEVIATION, whole, "null");
	ADDS(DEVIATION, whole, "double 0", L(5));
	ADDS(DEVIATION, whole, "double 2", L(2), L(4), NOTHING, L(4), L(4), L(5), L(5),
	     L(7), L(9));
	ADDS(DEVIATION, real, "double 0.5", D(0.1), D(1.1), D(NAN));
	ADDS(DEVIATION, real, "null", D(INFINITY));
	ADDS(DEVIATION, other, "null", TEXT_OF("1"));
	ADDS(DEVIATION, span, "span 0.500000000", SPAN_OF(1, 0), SPAN_OF(2, 0));
	ADDS(DEVIATION, span, "span 0.000000000", SPAN_OF(0, 1), SPAN_OF(0, 2));
	ADDS_NONE(DEVIATION, span, "null");
}

Test(samples, deviate_beyond_what_doubles_count)
{
	ADDS(DEVIATION, real, "double 4330127018922192.5", D(1e16), D(1), D(1), D(1));
}

Test(samples, survive_without_memory)
{
	const struct adding all[] = {
		ADDING(MEDIAN, whole, L(1), L(2), L(3)),
		ADDING(P99, span, SPAN_OF(1, 0), SPAN_OF(2, 0)),
		ADDING(DEVIATION, real, D(1), D(2)),
		ADDING(SUM, real, D(1), D(2)),
		ADDING(AVERAGE, whole, L(1), L(2)),
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		adding_survive(&all[i]);
}
