/*
 * The expected orders are those of TableSorter in JDK 25, but for whole numbers against
 * NaN and infinity, where it fails.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "query/datum.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define INTEGER(kind_, value) { .kind = DATUM_##kind_, .number = (value) }
#define REAL(kind_, value) { .kind = DATUM_##kind_, .real = (value) }
#define TIME(kind_, seconds, fraction)                                                 \
	{ .kind = DATUM_##kind_, .nanos = (fraction), .number = (seconds) }
#define THING(thing_) { .kind = DATUM_THING, .thing = (thing_) }
#define NONE { .kind = DATUM_NULL }

static const struct thing text_a = { .text = { "a", 1 } };
static const struct thing text_a_again = { .text = { "a", 1 } };
static const struct thing text_b = { .text = { "b", 1 } };
static const struct thing text_tilde = { .text = { "\xef\xbd\x9e", 3 } };
static const struct thing text_face = { .text = { "\xf0\x9f\x98\x80", 4 } };
static const struct thing thread_a = { .kind = THING_THREAD, .text = { "a", 1 } };
static const struct thing thread_b = { .kind = THING_THREAD, .text = { "b", 1 } };

static int sign(int number)
{
	return (number > 0) - (number < 0);
}

static const struct {
	struct datum a, b;
	int order;
} orders[] = {
	{ INTEGER(INT, 1), INTEGER(LONG, 2), -1 },
	{ INTEGER(LONG, 2), INTEGER(SHORT, 2), 0 },
	{ INTEGER(BYTE, -1), INTEGER(INT, 0), -1 },
	{ INTEGER(LONG, INT64_MIN), INTEGER(LONG, INT64_MAX), -1 },

	{ INTEGER(INT, 1), REAL(DOUBLE, 1), 0 },
	{ INTEGER(INT, 1), REAL(DOUBLE, 1.5), -1 },
	{ INTEGER(INT, 2), REAL(DOUBLE, 1.5), 1 },
	{ INTEGER(INT, -1), REAL(DOUBLE, -1.5), 1 },
	{ INTEGER(INT, -2), REAL(DOUBLE, -1.5), -1 },
	{ INTEGER(INT, 0), REAL(DOUBLE, -0.0), 0 },
	{ INTEGER(INT, 0), REAL(DOUBLE, 1e-300), -1 },
	{ INTEGER(INT, 0), REAL(DOUBLE, -1e-300), 1 },
	{ INTEGER(INT, 0), REAL(DOUBLE, 1e18), -1 },
	{ INTEGER(INT, -1), REAL(DOUBLE, 1e18), -1 },
	{ INTEGER(INT, 1), REAL(DOUBLE, -1e18), 1 },
	{ INTEGER(INT, 0), REAL(DOUBLE, 1e300), -1 },
	{ INTEGER(INT, 5), REAL(DOUBLE, -1e300), 1 },
	{ INTEGER(INT, 16777217), REAL(FLOAT, 16777216), 1 },
	{ INTEGER(LONG, 9007199254740993), REAL(DOUBLE, 0x1p53), 1 },
	{ INTEGER(LONG, INT64_MAX), REAL(DOUBLE, 0x1p63), -1 },
	{ INTEGER(LONG, INT64_MAX), REAL(DOUBLE, 0x1p63 - 1024), 1 },
	{ INTEGER(LONG, INT64_MAX), REAL(DOUBLE, 0x1p64 - 2048), -1 },
	{ INTEGER(LONG, INT64_MIN), REAL(DOUBLE, -0x1p63), 1 },
	{ INTEGER(LONG, INT64_MIN), REAL(DOUBLE, 0x1p53), -1 },
	{ INTEGER(LONG, INT64_MAX), REAL(DOUBLE, -0x1p53), 1 },
	{ INTEGER(LONG, 1152921504606846976), REAL(DOUBLE, 0x1p60), -1 },
	{ INTEGER(LONG, 1152921504606847000), REAL(DOUBLE, 0x1p60), 0 },
	{ INTEGER(LONG, 1152921504606847001), REAL(DOUBLE, 0x1p60), 1 },
	{ INTEGER(LONG, -1152921504606846976), REAL(DOUBLE, -0x1p60), 1 },
	{ INTEGER(LONG, -1152921504606847000), REAL(DOUBLE, -0x1p60), 0 },
	{ INTEGER(LONG, INT64_MAX), REAL(DOUBLE, NAN), -1 },
	{ INTEGER(LONG, INT64_MAX), REAL(DOUBLE, INFINITY), -1 },
	{ INTEGER(LONG, INT64_MIN), REAL(DOUBLE, -INFINITY), 1 },

	{ REAL(DOUBLE, -0.0), REAL(DOUBLE, 0.0), -1 },
	{ REAL(DOUBLE, INFINITY), REAL(DOUBLE, NAN), -1 },
	{ REAL(DOUBLE, NAN), REAL(DOUBLE, -NAN), 0 },
	{ REAL(DOUBLE, 0.1), REAL(FLOAT, 0.1f), -1 },
	{ REAL(DOUBLE, 1.5), REAL(FLOAT, 1.5f), 0 },

	{ NONE, NONE, 0 },
	{ NONE, INTEGER(INT, -1), -1 },
	{ NONE, THING(&text_a), -1 },
	{ NONE, INTEGER(BOOLEAN, 0), -1 },
	{ THING(&text_a), INTEGER(INT, 1), -1 },
	{ INTEGER(CHAR, 'b'), INTEGER(INT, 1), -1 },
	{ INTEGER(BOOLEAN, 1), REAL(DOUBLE, -1.5), -1 },
	{ INTEGER(BOOLEAN, 0), INTEGER(BOOLEAN, 1), -1 },
	{ INTEGER(CHAR, 'a'), INTEGER(CHAR, 'b'), -1 },
	{ INTEGER(CHAR, 'a'), INTEGER(BOOLEAN, 1), 0 },

	{ THING(&text_a), THING(&text_b), -1 },
	{ THING(&text_a), THING(&text_a_again), 0 },
	{ THING(&text_face), THING(&text_tilde), -1 },
	{ THING(&thread_a), THING(&thread_b), 0 },
	{ THING(&thread_a), THING(&text_b), 0 },

	{ TIME(TIME, 1, 5), TIME(TIME, 1, 6), -1 },
	{ TIME(TIME, 1, 6), TIME(TIME, 2, 0), -1 },
	{ TIME(SPAN, -1, 999999999), TIME(SPAN, 0, 0), -1 },
	{ TIME(SPAN, 5, 0), TIME(TIME, 0, 0), 0 },
};

Test(datum, has_an_order)
{
	for (size_t i = 0; i < COUNT(orders); i++) {
		const struct datum *a = &orders[i].a, *b = &orders[i].b;

		cr_expect_eq(sign(datum_compare(a, b)), orders[i].order, "%zu", i);
		cr_expect_eq(sign(datum_compare(b, a)), -orders[i].order, "%zu", i);
	}
}

Test(datum, is_the_same_as_equals_has_it)
{
	static const struct {
		struct datum a, b;
		bool is;
	} samples[] = {
		{ NONE, NONE, true },
		{ NONE, INTEGER(INT, 0), false },
		{ INTEGER(INT, 1), INTEGER(INT, 1), true },
		{ INTEGER(INT, 1), INTEGER(LONG, 1), false },
		{ INTEGER(INT, 1), INTEGER(INT, 2), false },
		{ REAL(DOUBLE, NAN), REAL(DOUBLE, -NAN), true },
		{ REAL(DOUBLE, 0.0), REAL(DOUBLE, -0.0), false },
		{ REAL(DOUBLE, 1.5), REAL(FLOAT, 1.5f), false },
		{ REAL(FLOAT, 1.5f), REAL(FLOAT, 1.5f), true },
		{ TIME(TIME, 1, 5), TIME(TIME, 1, 5), true },
		{ TIME(TIME, 1, 5), TIME(TIME, 1, 6), false },
		{ TIME(SPAN, 1, 5), TIME(TIME, 1, 5), false },
		{ THING(&text_a), THING(&text_a), true },
		{ THING(&text_a), THING(&text_b), false },
	};

	for (size_t i = 0; i < COUNT(samples); i++) {
		const struct datum *a = &samples[i].a, *b = &samples[i].b;

		cr_expect_eq(datum_is(a, b), samples[i].is, "%zu", i);
		cr_expect_eq(datum_is(b, a), samples[i].is, "%zu", i);
	}
}

/* A list of two, on the heap: items is a flexible member. */
static struct datum list_of(const struct datum items[2])
{
	struct datum_list *list = malloc(sizeof(*list) + 2 * sizeof(list->items[0]));

	list->count = 2;
	memcpy(list->items, items, 2 * sizeof(list->items[0]));
	return (struct datum){ .kind = DATUM_LIST, .list = list };
}

Test(datum, lists_are_the_same_if_their_items_are)
{
	static const struct datum items[][2] = {
		{ INTEGER(INT, 1), THING(&text_a) },
		{ INTEGER(INT, 1), THING(&text_b) },
		{ INTEGER(LONG, 1), THING(&text_a) },
	};
	struct datum list = list_of(items[0]), same = list_of(items[0]);

	cr_expect(datum_is(&list, &same));
	for (size_t i = 1; i < COUNT(items); i++) {
		struct datum other = list_of(items[i]);

		cr_expect_not(datum_is(&list, &other));
		cr_expect_eq(datum_compare(&list, &other), 0);
		free((void *)other.list);
	}
	((struct datum_list *)same.list)->count = 1;
	cr_expect_not(datum_is(&list, &same));
	cr_expect_not(datum_is(&same, &list));
	cr_expect_not(datum_is(&list, &DATUM_NONE));
	free((void *)list.list);
	free((void *)same.list);
}
