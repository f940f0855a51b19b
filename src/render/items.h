/*
 * items.h - what a value consists of: the items of a list, the frames of a stack trace.
 */
#ifndef RENDER_ITEMS_H
#define RENDER_ITEMS_H

#include "query/datum.h"

static inline bool items_has(const struct datum *datum)
{
	return datum->kind == DATUM_LIST ||
	       (datum->kind == DATUM_THING && datum->thing->kind == THING_STACK);
}

/* Of such a value. */
static inline size_t items_count(const struct datum *datum)
{
	return datum->kind == DATUM_LIST ? datum->list->count : datum->thing->frame_count;
}

static inline struct datum items_get(const struct datum *datum, size_t i)
{
	if (datum->kind == DATUM_LIST)
		return datum->list->items[i];
	return (struct datum){ .kind = DATUM_THING, .thing = datum->thing->frames[i] };
}

#endif
