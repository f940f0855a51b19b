/*
 * removed.h - of which types a filter did not take all events.
 *
 * As for the JDK, types are told apart by their numbers alone, and have the name that was
 * met first: in recordings that were joined one number may stand for several.
 */
#ifndef COPY_REMOVED_H
#define COPY_REMOVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "jfr/metadata.h"

/* Events of a type, all of them and those not taken. */
struct removed_count {
	uint64_t total, removed;
};

struct removed_row {
	int64_t id;
	struct str name;
	struct removed_count count;
	size_t place;		/* in the JDK's map; of removed_order */
};

/* A zeroed struct is a valid empty one. */
struct removed {
	VEC(struct removed_row) rows;
	struct map by_id;
	struct arena arena;		/* names */
};

/* Adds what one chunk has of a type. False without memory. */
bool removed_add(struct removed *removed, const struct type *type,
		 const struct removed_count *count);

/*
 * Leaves only rows of which something was removed, in the order of their names; those of
 * the same name are in the order in which the JDK has them. False without memory.
 */
bool removed_order(struct removed *removed);

void removed_clear(struct removed *removed);

#endif
