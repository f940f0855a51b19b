/*
 * catalog.h - the types that recordings declare, each once.
 *
 * Within a run (jfr/run.h) types are told apart by their ids; in different runs what has
 * the same name is the same, as in tally.h. Of those that are the same it is the first
 * one. Not for threads to share.
 */
#ifndef COUNT_CATALOG_H
#define COUNT_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "filter/outcome.h"
#include "jfr/damage.h"
#include "jfr/input.h"

struct catalog_type {
	const struct type *type;
	size_t run;		/* index of the one that last declared it */
};

/* The types of a run. */
struct catalog_run {
	const struct run *run;
	struct map by_id;	/* -> index in types */
};

/* Zeroed it is an empty one. */
struct catalog {
	VEC(struct catalog_type) types;	/* in the order in which they were declared */
	struct outcome outcome;		/* of the filter */
	/* private */
	VEC(struct chunk *) chunks;	/* those that types come from */
	VEC(struct catalog_run) runs;
};

/*
 * Takes the types of the whole input, whatever the filter says: it is only asked what it
 * would take. What cannot be read is told in `damage`. False with err if no chunk can be
 * opened or memory runs out; what was taken until then must be cleared.
 */
bool catalog_take(struct catalog *catalog, struct input *input,
		  const struct filter *filter, struct damage *damage, struct err *err);

/* With it the types are gone. */
void catalog_clear(struct catalog *catalog);

#endif
