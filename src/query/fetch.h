/*
 * fetch.h - the values that a listener of a plan takes from events of a type.
 *
 *	struct fetch *fetch = fetch_new(depict, plan, listener, type, arena);
 *
 *	values = ... the values of the event, as event_decode gives them
 *	if (fetch_accepts(fetch, depict, values, zone))
 *		data = fetch_values(fetch, depict, values, zone);
 *
 * Made anew for each chunk, as types and constants belong to it.
 */
#ifndef QUERY_FETCH_H
#define QUERY_FETCH_H

#include <stdbool.h>

#include "base/arena.h"
#include "jfr/chunk.h"
#include "query/depict.h"
#include "query/plan.h"

/* Where an input finds its value in events of a type. */
struct getter {
	enum getter_kind {
		GETTER_FIXED,		/* always `fixed` */
		GETTER_VALUE,		/* of the field at the slot */
		GETTER_CONSTANT,	/* by the key at the slot */
		GETTER_OBJECT,		/* in the struct at the slot */
		GETTER_SETTING,		/* the event type whose id is at the slot */
		GETTER_SAME,		/* what use number `slot` has got */
	} kind;
	enum reach reach;
	struct str path;
	uint32_t slot;
	const struct field *field;
	struct recall *recall;
	struct datum fixed;
};

/* A use of the listener whose value depends on the event. */
struct fetch_step {
	uint32_t use;
	struct getter getter;
	const struct column *text;	/* it is made text, as in this column; NULL: not */
};

struct fetch_filter {
	struct getter getter;
	const struct plan_filter *filter;
};

struct fetch {
	const struct plan *plan;
	const struct plan_listener *listener;
	struct fetch_step *steps;
	size_t step_count;
	struct fetch_filter *filters;
	size_t filter_count;
	struct datum *data;		/* of the uses, of the last event */
	bool has_fixed_key;		/* what rows are grouped by is always the same */
	uint32_t needs;			/* values of the event that are looked at */
};

/* In the arena; NULL without memory. */
struct fetch *fetch_new(struct depict *depict, const struct plan *plan,
			const struct plan_listener *listener, const struct type *type,
			struct arena *arena);

/* Marks the types whose constants it may look at (type_mark). False without memory. */
bool fetch_mark(const struct fetch *fetch, bool *marks);

/* True if the event passes the filters of its source. */
bool fetch_accepts(const struct fetch *fetch, struct depict *depict,
		   const struct value *values, int zone);

/* One datum for each use of the listener, until the next event. */
const struct datum *fetch_values(const struct fetch *fetch, struct depict *depict,
				 const struct value *values, int zone);

#endif
