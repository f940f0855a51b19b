/*
 * merge.h - several recordings as one.
 *
 *	struct merge merge = { .copy.sink = write, .copy.context = &file };
 *
 *	if (!merge_input(&merge, &input, &damage, &err)) ...
 *	merge_clear(&merge);
 *
 * Chunks are copied (copy.h) in the order of their start, those of all recordings as
 * one row. A chunk that is there twice is written once, and of one that is finished in
 * one recording and not in another, the finished one. The JDK's readers take constants from
 * one chunk to the next, and the clock of the first one for all (format.md 9). So:
 *
 *	strands  chunks of one run of a JVM, from whatever recording: their keys and
 *	         times go together. Chunks of the first strand stay as they are
 *	spaces   constants of another strand get types with numbers of their own, so
 *	         that keys need not change; so do those of a type whose keys mean something
 *	         else than in the chunk before (sense.h)
 *	keys     threads, classes and class loaders of other strands get other keys, as
 *	         views tell them apart by these (keys.h)
 *	clock    times are told in the ticks of the first chunk (retime.h)
 *
 * Memory is that for two chunks, as long as not more begin at the same time, and a few
 * bytes for each strand and type, and for each class and thread up to a million.
 */
#ifndef COPY_MERGE_H
#define COPY_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "copy/copy.h"
#include "jfr/input.h"

/* A run of the input, as long as it has this clock, and its strand. */
struct merge_run {
	struct clock clock;
	uint32_t strand;
};

/* A chunk, the number of its strand, and what was found while it was opened. */
struct merge_chunk {
	struct chunk chunk;
	uint32_t strand;
	struct damage damage;
};

struct merge {
	struct copy copy;		/* sink and context are set by the caller */
	/* private */
	VEC(struct clock) strands;	/* their clocks */
	VEC(struct merge_run) runs;
	struct map by_run;		/* from a run to its newest place there */
	struct map by_end;		/* from the end of a chunk to its strand */
	VEC(struct merge_chunk) waiting;	/* that begin at the same time */
	uint32_t strand, next;		/* of the chunk that is written, and behind it */
	struct map senses;		/* of the chunk before, if of the same strand */
	struct map spaces;		/* of types that have one of their own */
	uint32_t *spaces_now;		/* by type index of the chunk */
	uint32_t spaces_given;
};

/* The merge that the copy is part of. */
static inline struct merge *merge_of(struct copy *copy)
{
	return (void *)((char *)copy - offsetof(struct merge, copy));
}

/* As copy_input. What is there twice is noted in `damage`, and counted in copy. */
bool merge_input(struct merge *merge, struct input *input, struct damage *damage,
		 struct err *err);

/* Gives the memory back; the counts stay. */
void merge_clear(struct merge *merge);

#endif
