/*
 * inquiry.h - queries asked of a recording, all of them in one go over its chunks.
 *
 *	struct inquiry inquiry = { .filter = &filter };
 *
 *	if (!inquiry_ask(&inquiry, text, false, &at, err)) ...	for each query
 *	if (!inquiry_run(&inquiry, input, threads, damage, err)) ...
 *	... inquiry.questions.items[i].result
 *	inquiry_clear(&inquiry);
 */
#ifndef QUERY_INQUIRY_H
#define QUERY_INQUIRY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "filter/filter.h"
#include "filter/outcome.h"
#include "jfr/damage.h"
#include "jfr/input.h"
#include "query/gather.h"
#include "query/lexicon.h"
#include "query/plan.h"
#include "query/query.h"
#include "query/result.h"

struct question {
	struct query query;
	bool is_planned;		/* the recording has its types and fields */
	struct plan plan;
	struct err err;			/* why not, and what is wrong with it */
	size_t at;			/* where in the query */
	struct shape shape;
	struct gathering gathering;
	struct result result;		/* sorted */
};

struct inquiry {
	/* Set before. */
	const struct filter *filter;	/* events that count; NULL: all */
	bool asks_all_types;		/* SELECT * of each type of the first chunk */

	VEC(struct question) questions;
	const struct str *types;	/* names of the event types of the first chunk */
	size_t type_count;
	int zone;			/* in which times are told: that of the input */
	struct outcome outcome;		/* of the filter */
	/* private */
	struct lexicon lexicon;
	bool has_begun;			/* the first chunk was seen */
	bool has_span;			/* start and end are known */
	int64_t start, end;		/* of the chunks, nanoseconds since 1970 */
	struct arena arena;
};

/* Adds a query (lenient: query.h); false as query_parse. */
bool inquiry_ask(struct inquiry *inquiry, struct str text, bool is_lenient, size_t *at,
		 struct err *err);

/* Asks all; of those not planned there is no result. False as sweep_run. */
bool inquiry_run(struct inquiry *inquiry, struct input *input, int threads,
		 struct damage *damage, struct err *err);

void inquiry_clear(struct inquiry *inquiry);

#endif
