/*
 * gather.h - the events of a query, gathered into groups or rows.
 *
 * Of each chunk on its own, in any order; then settled, and merged in the order of the
 * chunks into one gathering, whose result is made at the end.
 */
#ifndef QUERY_GATHER_H
#define QUERY_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "query/aggregate.h"
#include "query/lexicon.h"
#include "query/plan.h"
#include "query/result.h"

/* What a use of a listener adds to. */
struct shape_slot {
	const struct function *function;
	size_t offset;			/* of the state */
	uint32_t use, column;
	uint32_t cell;			/* of the part */
	bool is_batch;			/* LAST_BATCH */
};

/* All of a listener; columns without a part have none. */
struct shape_slots {
	struct shape_slot *items;
	size_t count;
	uint32_t part;			/* of all of them */
};

/* How rows are gathered: of each part one state for each column. */
struct shape {
	const struct plan *plan;
	const struct function **functions;	/* by column, as are the offsets */
	size_t *offsets;		/* of the states, in those of the part */
	size_t *sizes;			/* of all states of a part */
	size_t key_size;		/* values of a key, at most */
	struct shape_slots *slots;	/* by listener */
	bool has_batch;			/* some column is LAST_BATCH */
};

/* In the arena. False without memory. */
bool shape_of(struct shape *shape, const struct plan *plan, struct arena *arena);

struct group;
struct fresh_row;

/* Zeroed but for shape and lexicon. Not for threads to share. */
struct gathering {
	const struct shape *shape;
	struct lexicon *lexicon;	/* of all values */
	struct map places;		/* digest of a key -> index in groups */
	VEC(struct group *) groups;
	VEC(struct fresh_row) fresh;	/* without GROUP BY; until settled */
	VEC(const struct cells *) rows;	/* then, in their order */
	bool has_last;
	struct rank last;		/* that of the last event, with GROUP BY */
	bool ends_new;			/* which made a group, once all is settled */
	struct batch *batches;		/* by column, for LAST_BATCH */
	const void *run;		/* that its chunk is of, to be compared alone; set
					   before it is merged */
	bool has_older_runs;		/* batches of other runs than the last were merged */
	struct datum *items;		/* of the key at hand */
	struct group **latest;		/* of each listener */
	struct arena arena;
	bool failed;			/* no memory */
};

/*
 * An event: `values` are those of the listener's uses. has_same_key: rows are grouped by
 * the same as for the event before, if the listener had one.
 */
void gather_add(struct gathering *gathering, const struct plan_listener *listener,
		const struct datum *values, bool has_same_key, const struct rank *rank);

/* True if no event was added, and nothing merged. */
bool gather_is_empty(const struct gathering *gathering);

/* All events of the chunk are in. */
void gather_settle(struct gathering *gathering);

/* Adds one that is settled, of a later chunk, whose values are of another lexicon. */
void gather_merge(struct gathering *gathering, const struct gathering *later);

/*
 * The rows, in the order of Java's HashMap, or of the events. The result must be zeroed
 * but for what is set before; the lexicon of the gathering must last as long as it. False
 * without memory.
 */
bool gather_result(struct gathering *gathering, struct result *result);

/* Forgets all, but keeps some memory for more. */
void gather_reset(struct gathering *gathering);

void gather_clear(struct gathering *gathering);

#endif
