/*
 * tally.h - how many events of which type a recording holds, and their bytes.
 *
 * Hops over the sizes of events; nothing of them is decoded, and constants are not needed. Within a run (jfr/run.h) types are told apart by
 * their ids; in different runs what has the same name is the same.
 */
#ifndef COUNT_TALLY_H
#define COUNT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "filter/outcome.h"
#include "filter/selection.h"
#include "jfr/chunk.h"
#include "jfr/damage.h"

struct tally_row {
	int64_t id;
	struct str name;
	uint64_t count;		/* may be 0: declared, but none was recorded */
	uint64_t size;		/* bytes of all of them */
	uint64_t place;		/* among rows of the same count and name */
	size_t run;		/* index of the one that last declared it */
	bool is_declared;	/* by metadata */
	bool is_experimental;
};

/* The types of a run. */
struct tally_run {
	const struct run *run;
	struct map by_id;
};

struct tally {
	VEC(struct tally_row) rows;	/* most events first, then by name */
	struct map by_name;		/* digest -> index in rows */
	VEC(struct tally_run) runs;
	size_t run;			/* index of that of the chunk being added */
	size_t name_width;		/* of the longest declared, UTF-16 units */
	size_t chunks;
	int64_t duration_nanos;		/* of all chunks */
	struct header first;		/* the header of the first chunk */
	struct outcome outcome;		/* of the filter */
	struct arena arena;		/* names */
};

/* Events of one type in one chunk. */
struct tally_count {
	uint64_t count;
	uint64_t size;
	size_t last;		/* offset of the last one in the chunk */
};

/* A chunk, counted on its own; zeroed at first, then it can be used again. */
struct tally_share {
	struct tally_count *table;	/* by id, of nearly all of its event types */
	size_t table_size;
	struct map others;		/* id -> index in extra */
	VEC(struct tally_count) extra;
	struct selection selection;	/* of the events counted; closed: all are */
};

/*
 * Any thread counts a chunk; one adds them in order, and puts the rows in order at the
 * end. False without memory.
 *
 * Of a filter (NULL: none) only the events and types that it takes are counted. For some
 * filters the chunk's constants must be loaded (filter_needs_constants).
 */
bool tally_chunk(struct tally_share *share, const struct chunk *chunk,
		 const struct filter *filter, struct damage *damage);
bool tally_add(struct tally *tally, struct tally_share *share,
	       const struct chunk *chunk);
void tally_order(struct tally *tally);

/* The count of a type, zeros if there are none of it. */
struct tally_count tally_share_of(const struct tally_share *share, uint64_t id);

/* Of all types together; `last` means nothing. */
struct tally_count tally_share_total(const struct tally_share *share);

void tally_share_clear(struct tally_share *share);

void tally_clear(struct tally *tally);

#endif
