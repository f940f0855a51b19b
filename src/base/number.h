/*
 * number.h - decimal numbers as people write them: 12, 1.5, .5, 2e6.
 *
 * A number is kept as its digits and never rounded: what it makes with a unit is
 * exact, as long as it has no more than 19 digits that count. Nothing here allocates
 * or depends on the locale.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct number {
	/* The number is digits * 10^exponent; it has no sign. */
	unsigned __int128 digits;
	int exponent;
	bool is_cut;		/* it is a little more: digits were dropped */
};

/*
 * Takes a number off the front of the text: digits, a point and digits, a power of
 * ten ("e6"). False, and nothing is taken, if it begins with none.
 */
bool number_take(struct str *text, struct number *number);

/*
 * All of the text as Java's Long.parseLong reads it: digits, with a sign or without.
 * False for what is none, or too large.
 */
bool number_java(struct str text, int64_t *number);

/* number * unit, rounded down; no more than NUMBER_HUGE. */
#define NUMBER_HUGE ((unsigned __int128)1 << 100)

struct product {
	unsigned __int128 whole;
	bool has_rest;		/* the exact product is greater */
};

struct product number_times(const struct number *number, uint64_t unit);

/* The nearest double, which may be infinite. */
double number_real(const struct number *number);

#endif
