/*
 * inventory.h - where the bytes of a recording go: events, chunks, constants.
 *
 * Counted chunk by chunk on as many threads as asked, added up in order. A chunk's own
 * counts are gone with it: what stays are sums, and the largest strings and stack
 * traces.
 */
#ifndef COUNT_INVENTORY_H
#define COUNT_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "count/census.h"
#include "count/largest.h"
#include "count/producer.h"
#include "count/tally.h"
#include "jfr/damage.h"
#include "jfr/input.h"

struct inventory_chunk {
	const char *file;		/* NULL: nothing with a name */
	size_t number;			/* 0-based, in its file */
	uint64_t offset, bytes;
	struct header header;
	uint64_t events;		/* without metadata and checkpoints */
	uint64_t event_bytes, constant_bytes, metadata_bytes;
	bool is_unfinished;
	const char *fault;		/* what is damaged first; NULL: nothing */
	const struct producer *producer;
};

struct inventory_pool {
	struct str name;		/* of the type */
	uint64_t counts[CENSUS_COUNTS];
};

struct inventory {
	/* What is wanted besides the events; to be set, all else must be zeroed. */
	bool wants_chunks, wants_pools;
	size_t top;			/* strings and stack traces of pools */
	const struct filter *filter;	/* which events are counted; NULL: all */

	struct tally tally;
	uint64_t bytes;			/* of all chunks */
	VEC(struct inventory_chunk) chunks;
	VEC(struct inventory_pool) pools;	/* the largest first, then by name */
	struct largest strings, stacks;
	/* private */
	uint64_t secret[2];		/* seeds of digests */
	struct map by_name;		/* digest, or one behind it -> index in pools */
	struct arena arena;		/* names, producers */
};

/*
 * Counts the whole input. What cannot be read is told in `damage`. False if no chunk
 * can be opened or memory runs out.
 */
bool inventory_take(struct inventory *inventory, struct input *input, int threads,
		    struct damage *damage, struct err *err);

void inventory_clear(struct inventory *inventory);

#endif
