/*
 * hit.h - the fields of a recording that a name in a query means; for planner.c alone.
 *
 * A name may be qualified by a type or an alias, lead through structs by dots, be a
 * union ("[A|B].field"), or stand for something that is no field (jfr-tool.md 5.4).
 */
#ifndef QUERY_HIT_H
#define QUERY_HIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/vec.h"
#include "jfr/metadata.h"
#include "query/plan.h"

/* An event type that FROM names. */
struct origin {
	const struct type *type;
	struct str alias;	/* bytes NULL: none */
};

/* A field of one of them. */
struct hit {
	struct plan_input input;
	struct column kind;	/* what a column with it is like */
	struct str data_type;	/* columns of several must have the same */
};

struct hits {
	const struct origin *origins;
	size_t origin_count;
	struct arena *arena;		/* texts */
	VEC(struct hit) items;
	bool failed;			/* no memory */
};

/* Adds what the name means to the origins from `first` up to, not including, `end`. */
void hits_find(struct hits *hits, struct str name, size_t first, size_t end);

/* Adds the fields of an origin that SELECT * shows. */
void hits_add_all(struct hits *hits, size_t origin);

/* The label of a type or field, or { NULL, 0 }. */
struct str hit_type_label(const struct type *type);

#endif
