/*
 * adding.h - what an aggregator makes of values, in whatever way they come.
 *
 *	ADDS(SUM, whole, "long 3", WHOLE(INT, 1), WHOLE(INT, 2));
 *
 * The values are in the order of their ranks. They are added in that order and in
 * others, in one chunk and in several; the result must always be the same.
 */
#ifndef UNIT_ADDING_H
#define UNIT_ADDING_H

#include <stddef.h>

#include "query/aggregate.h"

struct adding {
	const struct column *column;	/* what the values are declared as */
	enum aggregator aggregator;
	const struct datum *values;
	size_t count;
};

/* Fails the test unless the result is always the wanted one, told as ask.h has it. */
void adding_expect(const struct adding *adding, const char *wanted, int line);

/* Adds them again and again, each time with another request for memory refused. */
void adding_survive(const struct adding *adding);

/* The declared types. */
extern const struct column whole_column, real_column, span_column, time_column,
	other_column;

#define WHOLE(kind_, number_) { .kind = DATUM_##kind_, .number = (number_) }
#define REAL(kind_, real_) { .kind = DATUM_##kind_, .real = (real_) }
#define SPAN_OF(seconds_, nanos_)                                              \
	{ .kind = DATUM_SPAN, .nanos = (nanos_), .number = (seconds_) }
#define TIME_OF(seconds_, nanos_)                                              \
	{ .kind = DATUM_TIME, .nanos = (nanos_), .number = (seconds_) }
#define THING_OF(...)                                                          \
	{ .kind = DATUM_THING, .thing = &(const struct thing){ __VA_ARGS__ } }
#define TEXT_OF(text_)                                                         \
	THING_OF(.kind = THING_TEXT, .text = { (text_), sizeof(text_) - 1 })
#define NOTHING { .kind = DATUM_NULL }

/* The kind is that of an aggregator, without AGGREGATOR_. */
#define ADDING(kind_, column_, ...)                                            \
	{ .column = &column_##_column, .aggregator = AGGREGATOR_##kind_,       \
	  .values = (const struct datum[]){ __VA_ARGS__ },                     \
	  .count = sizeof((const struct datum[]){ __VA_ARGS__ }) /             \
		   sizeof(struct datum) }

#define ADDS(kind_, column_, wanted, ...)                                      \
	adding_expect(&(const struct adding)ADDING(kind_, column_, __VA_ARGS__), \
		      wanted, __LINE__)

/* None at all. */
#define ADDS_NONE(kind_, column_, wanted)                                      \
	adding_expect(&(const struct adding){ .column = &column_##_column,     \
					      .aggregator = AGGREGATOR_##kind_ }, \
		      wanted, __LINE__)

#endif
