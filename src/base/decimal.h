/*
 * decimal.h - floating point numbers as the decimal text Java gives them.
 *
 * The digits are the shortest decimal that reads back as the same number (of its
 * own width), nearest to the exact value among those; Java 19 and later. At least
 * two digits are considered, so the smallest double is 4.9E-324.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>

#include "base/buf.h"

struct decimal {
	char digits[20];	/* '0'..'9', no leading or trailing zeros (zero: "0") */
	int count;		/* 1..17 */
	int point;		/* value = 0.digits * 10^point */
	bool negative;
};

/* The number must be finite. */
struct decimal decimal_of_double(double number);
struct decimal decimal_of_float(float number);

/* Java's String.valueOf: "1.0", "1.0E7", "9.999E-4", "-0.0", "NaN", "-Infinity". */
void decimal_add_double(struct buf *to, double number);
void decimal_add_float(struct buf *to, float number);

/*
 * Java's %.Nf (places 0..9): the shortest digits, then rounded half up; "NaN" and
 * "Infinity" for what is not finite.
 */
void decimal_add_fixed(struct buf *to, double number, int places);

#endif
