/*
 * planned.h - plans made of queries, and what they are like, as text.
 *
 *	planned_of(&planned, &made.chunk, "SELECT item FROM Sale");
 *	cr_assert(planned.is_good, "%s", planned.err.text);
 *	... planned.plan
 *	planned_clear(&planned);
 */
#ifndef UNIT_PLANNED_H
#define UNIT_PLANNED_H

#include "make.h"
#include "query/planner.h"

struct planned {
	struct plan plan;
	struct arena arena;	/* of the query */
	struct err err;
	size_t at;
	bool is_good;
};

/* The query must be one. */
void planned_of(struct planned *planned, const struct chunk *chunk, const char *text);

/* The same; types may be spelled otherwise (query.h). */
void planned_leniently(struct planned *planned, const struct chunk *chunk,
		       const char *text);

void planned_clear(struct planned *planned);

/*
 * A line for each column: 'title', aggregator, flags, and where its values are:
 *
 *	'Max. Time' MAX left fixed integral timestamp <- t.E#startTime o.F#startTime
 */
void planned_tell(struct buf *to, const struct plan *plan);

/* Event types whose fields are of all kinds. */
extern const struct schema_type planned_types[];

/* A chunk with these and the JDK's types, but without events; for a whole suite. */
extern struct made planned_made;
void planned_open(void);
void planned_close(void);

#endif
