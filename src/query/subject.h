/*
 * subject.h - what a word asks for: a view, an event type, a query, or all of them.
 */
#ifndef QUERY_SUBJECT_H
#define QUERY_SUBJECT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"
#include "query/views.h"

enum subject_kind {
	SUBJECT_ONE,		/* the first candidate that the recording has */
	SUBJECT_ALL_VIEWS,
	SUBJECT_ALL_EVENTS,
	SUBJECT_TYPES,		/* the list of event types */
};

struct candidate {
	const struct view *view;	/* NULL: an event type, or a query */
	struct str query;
	bool is_lenient;	/* types may be spelled otherwise (plan.h) */
};

#define SUBJECT_CANDIDATES_MAX 3

struct subject {
	enum subject_kind kind;
	bool is_query;			/* the word is the text of a query */
	struct candidate candidates[SUBJECT_CANDIDATES_MAX];
	size_t count;
};

/*
 * The names of the JDK come first: a view, in any case; then an event type, or what may
 * follow FROM in a query. What is spelled with other dashes comes behind. A text that
 * begins with SELECT, COLUMN or FORMAT is a query. Texts live in the arena, which tells
 * if memory ran out.
 */
void subject_of(struct subject *subject, const struct views *views, struct str word,
	       struct arena *arena);

#endif
