/*
 * kept.h - events kept in memory, for recordings that do not go to disk: batches in a
 * stream of blocks of the spill file (jfr/spill.h).
 *
 * The oldest are given up when all together take too much, or when their last events
 * are too old; never the newest.
 */
#ifndef ENGINE_KEPT_H
#define ENGINE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "engine/stream.h"

struct kept_batch {
	uint64_t flush;		/* with which it came */
	uint64_t events;
	unsigned epoch;		/* in which its constants were used */
	int64_t from, to;	/* ticks: between these the events were collected */
	/* Where it is. */
	uint64_t begin, end;	/* in the stream, all of it */
	size_t size;		/* of its events */
};

struct kept {
	struct stream stream;
	struct spill_header *header;
	VEC(struct kept_batch) batches;		/* oldest first */
	uint64_t size, events;			/* of all of them */
};

/* Blocks are those of a file. */
void kept_init(struct kept *kept, struct blocks *blocks);

/* Keeps a copy of whole events; `batch` says what they are. False without memory. */
bool kept_add(struct kept *kept, struct str events, const struct kept_batch *batch);

/* Gives up what takes too much memory (bytes), or ended before `oldest` (ticks). */
void kept_trim(struct kept *kept, uint64_t max_size, int64_t oldest);

/* The oldest batch is somewhere else now. */
void kept_drop(struct kept *kept);

/* Those of later flushes did not come, after all. */
void kept_undo(struct kept *kept, uint64_t flush);

/* Appends the events of a batch. */
void kept_read(const struct kept *kept, const struct kept_batch *batch, struct buf *to);

/* The epoch of the oldest batch; UINT_MAX if there is none. */
unsigned kept_epoch(const struct kept *kept);

/* Keeps nothing any more; what is in the file stays there, or goes. */
void kept_clear(struct kept *kept, bool stays);

#endif
