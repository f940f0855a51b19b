/*
 * words.h - the values of a column as the text of cells (jfr-tool.md 5.6).
 */
#ifndef QUERY_WORDS_H
#define QUERY_WORDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "query/plan.h"
#include "query/datum.h"

enum words_form {
	WORDS_FULL,
	WORDS_COMPACT,		/* methods without parameters, classes without package */
};

/* Appends the text. Times of day are told in the zone (jfr/clock.h). */
void words_add(struct buf *to, const struct column *column, const struct datum *datum,
	       enum words_form form, int zone);

/*
 * Appends a number as Java's NumberFormat has it in English: 1,234,567.891; at most three
 * decimals, half to even by the exact value; "-0", "∞", "NaN" as "NaN".
 */
void words_add_number(struct buf *to, const struct datum *number);

#endif
