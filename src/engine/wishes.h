/*
 * wishes.h - what a recording wants of which chunks, where others may have wanted more: part
 * of its tape (recordings.h).
 */
#ifndef ENGINE_WISHES_H
#define ENGINE_WISHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "control/eventsettings.h"
#include "jfr/sieve.h"

/* From a chunk on, until the next wish. */
struct wish {
	uint64_t chunk;			/* number of the first */
	bool is_all;			/* all that is in it is wanted */
	struct sieve sieve;
};

/* By chunk. Zeroed: all is wanted. */
struct wishes {
	VEC(struct wish) of;
};

void wishes_clear(struct wishes *wishes);

/*
 * Of the chunk with that number what its own settings say, and of those behind it: the first
 * may have what was recorded `before`, too, the others only what is recorded now. Without
 * memory all is wanted, also of chunks before.
 */
void wishes_set(struct wishes *wishes, uint64_t chunk, const struct event_settings *own,
		const struct event_settings *before, const struct event_settings *now);

/* Chunks before that one are gone. */
void wishes_drop(struct wishes *wishes, uint64_t first);

/* What is wanted of a chunk; NULL: all that is in it. */
const struct sieve *wishes_sieve(const struct wishes *wishes, uint64_t chunk);

#endif
