/*
 * largest.h - the largest of many things, and no more of them than asked for.
 *
 * What is added twice, in any order, is one thing whose numbers are added up. Which
 * ones are kept depends on the things alone, not on their order.
 */
#ifndef COUNT_LARGEST_H
#define COUNT_LARGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "jfr/refs.h"

struct large {
	uint64_t bytes;
	uint64_t identity[4];	/* two of the same size and these are the same */
	uint64_t references;
	uint64_t copies;
	struct refs_place place;	/* in a chunk, while that is open */
	/* Of what is kept longer: */
	char *text;		/* from malloc; freed with the thing; NULL: none */
	size_t text_size;
	struct str pool;	/* the name of its type */
	uint64_t parts;		/* a stack trace's frames */
	const char *file;
	size_t chunk;		/* 0-based, in its file */
};

struct largest {
	VEC(struct large) items;	/* after largest_trim: sorted, each once */
	size_t limit;			/* set while empty */
	uint64_t least;			/* smaller ones are not among them */
};

static inline bool largest_takes(const struct largest *largest, uint64_t bytes)
{
	return largest->limit > 0 && bytes >= largest->least;
}

/* Takes the text over. False when memory runs out. */
bool largest_add(struct largest *largest, struct large thing);

/* Drops what is too much, and sorts the others: the largest first. */
void largest_trim(struct largest *largest);

void largest_clear(struct largest *largest);

#endif
