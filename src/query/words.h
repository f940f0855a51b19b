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
 * The same text without a copy, of what has it at hand: most things, and what is
 * missing. Bytes NULL: words_add makes it.
 */
struct str words_ready(const struct column *column, const struct datum *datum,
		       enum words_form form);

/*
 * Appends a number as Java's NumberFormat has it in English: 1,234,567.891; at most three
 * decimals, half to even by the exact value; "-0", "∞", "NaN" as "NaN" (plain.h).
 */
void words_add_number(struct buf *to, const struct datum *number);

#endif
