/*
 * sense.h - what constants say, whatever their keys are.
 *
 * A constant means what its values say, together with what its type is declared to be
 * made of, and what those it refers to mean. That is told as a number: equal meanings
 * have equal ones, others have mostly another. In a circle of constants each is followed
 * a few steps.
 *
 *	struct map last = { 0 };
 *
 *	sense_open(&sense, &chunk)		the chunk's pools are loaded
 *	sense_differs(&sense, &last, type)	a key of the type has another meaning
 *	sense_keep(&sense, &last)
 *	sense_close(&sense);
 */
#ifndef COPY_SENSE_H
#define COPY_SENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "jfr/chunk.h"

struct sense {
	const struct chunk *chunk;
	uint64_t **hashes;	/* by type index, of its constants; NULL: no pool */
	bool *is_used;		/* by type index: fields refer to its constants */
};

/* False without memory; then, too: sense_close. */
bool sense_open(struct sense *sense, const struct chunk *chunk);

/*
 * True if a key of the type means something else than in `last`, where meanings of an
 * earlier chunk are, by number of type and key; a zeroed map has none. What nobody
 * refers to, as to the copy of the header in each chunk, has no meaning.
 */
bool sense_differs(const struct sense *sense, const struct map *last,
		     const struct type *type);

/* Forgets what is in `last`, and keeps these meanings there. False without memory. */
bool sense_keep(const struct sense *sense, struct map *last);

void sense_close(struct sense *sense);

#endif
