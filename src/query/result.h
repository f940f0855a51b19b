/*
 * result.h - what a query gives: rows of values, for the columns of its plan.
 */
#ifndef QUERY_RESULT_H
#define QUERY_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "query/datum.h"
#include "query/lexicon.h"
#include "query/plan.h"

/* The cells of one part of the plan, and then those of the others that the row has. */
struct cells {
	const struct cells *next;
	uint32_t part;
	struct datum items[];
};

/*
 * Zeroed it is empty; plan (borrowed), limit, zone and run_nanos are set before. Rows, and
 * what they refer to, belong to whoever made them (inquiry.h), and must last as long.
 */
struct result {
	const struct plan *plan;
	VEC(const struct cells *) rows;	/* all, also those past the limit; NULL: a row
					   without cells */
	const struct datum *blanks;	/* by column, where a row has no such part; NULL:
					   all are null */
	size_t limit;			/* rows shown; QUERY_NO_LIMIT */
	struct arena arena;		/* rows, totals */
	double *totals;			/* sums of columns that are normalized; NULL if
					   none is */
	int64_t run_nanos;		/* the time recorded, for shares of it */
	int zone;			/* in which times are told */
};

/*
 * Makes the totals, and sorts the rows: stable, by ORDER BY or by what jfr-tool.md 5.7 has
 * without it. False, ERR_MEMORY.
 */
bool result_finish(struct result *result, struct err *err);

/*
 * Sorts by this column alone, before all else. False, ERR_MEMORY: the rows are in the
 * order they had.
 */
bool result_sort(struct result *result, size_t column, enum query_direction direction,
		 struct err *err);

/* A cell as it was gathered. */
const struct datum *result_value(const struct result *result, const struct cells *row,
				 size_t column);

/*
 * A cell as it is shown: of a normalized column, the share; of a length of time, if so
 * wanted, its share of the time recorded.
 */
struct datum result_cell(const struct result *result, const struct cells *row,
			 size_t column);

/* Rows that are shown: all, or as many as the limit says. */
size_t result_shown(const struct result *result);

void result_clear(struct result *result);

#endif
