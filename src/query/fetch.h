/*
 * fetch.h - the values that a listener of a plan takes from events of a type.
 *
 *	struct fetch *fetch = fetch_new(depict, plan, listener, type, wants, arena);
 *
 *	values = ... the values of the event, as event_decode gives them
 *	if (fetch_accepts(fetch, depict, values, zone))
 *		fetch_values(fetch, depict, values, data);
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

struct fetch_filter {
	struct getter getter;
	const struct plan_filter *filter;
};

struct fetch {
	const struct plan *plan;
	const struct plan_listener *listener;
	struct getter *getters;		/* of the uses of the listener */
	struct fetch_filter *filters;
	size_t filter_count;
	uint32_t needs;			/* values of the event that are looked at */
};

/*
 * In the arena. `is_wanted` says of each column whether its values matter (COUNT does not
 * look at them); NULL without memory.
 */
struct fetch *fetch_new(struct depict *depict, const struct plan *plan,
			const struct plan_listener *listener, const struct type *type,
			const bool *is_wanted, struct arena *arena);

/* Marks the types whose constants it may look at (type_mark). False without memory. */
bool fetch_mark(const struct fetch *fetch, bool *marks);

/* True if the event passes the filters of its source. */
bool fetch_accepts(const struct fetch *fetch, struct depict *depict,
		   const struct value *values, int zone);

/* One datum for each use of the listener. */
void fetch_values(const struct fetch *fetch, struct depict *depict,
		  const struct value *values, int zone, struct datum *data);

#endif
