/*
 * kept.h - events kept in memory, for recordings that do not go to disk.
 *
 * The oldest are given up when all together take too much, or when their last events
 * are too old; never the newest. A zeroed struct is valid and keeps nothing.
 */
#ifndef ENGINE_KEPT_H
#define ENGINE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"

struct kept_batch {
	char *bytes;
	size_t size;
	uint64_t events;
	unsigned epoch;		/* in which its constants were used */
	int64_t from, to;	/* ticks: between these the events were collected */
};

struct kept {
	VEC(struct kept_batch) batches;		/* oldest first */
	uint64_t size, events;			/* of all of them */
};

/*
 * Keeps a copy of so many whole events, which came between `from` and `to`. False without
 * memory.
 */
bool kept_add(struct kept *kept, struct str events, uint64_t count, unsigned epoch,
	      int64_t from, int64_t to);

/* Gives up what is too much (bytes), or ended before `oldest` (ticks). */
void kept_trim(struct kept *kept, uint64_t max_size, int64_t oldest);

/* The epoch of the oldest batch; UINT_MAX if there is none. */
unsigned kept_epoch(const struct kept *kept);

void kept_clear(struct kept *kept);

#endif
