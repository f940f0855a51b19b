/*
 * function.h - what an aggregator is: how it adds up values, settles and merges them.
 *
 * Events of a chunk are added as they lie in the file, each with its rank. Then the
 * states of the chunk are settled, and merged into those of all chunks before it. So
 * chunks can be worked on at the same time, and the result is that of the JDK, which
 * takes events in the order of their ranks (jfr-tool.md 5.5).
 */
#ifndef QUERY_FUNCTION_H
#define QUERY_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/datum.h"
#include "query/lexicon.h"

/* The place of an event in its chunk: those of a flush are ordered by their end. */
struct rank {
	uint32_t segment;	/* flushes before it */
	uint32_t turn;		/* listeners that had the same event before */
	int64_t end;		/* in ticks */
	uint64_t at;		/* offset in the chunk */
	int64_t nanos;		/* the end in nanoseconds since 1970, for LAST_BATCH */
};

static inline bool rank_is_before(const struct rank *a, const struct rank *b)
{
	if (a->segment != b->segment)
		return a->segment < b->segment;
	if (a->end != b->end)
		return a->end < b->end;
	return a->at != b->at ? a->at < b->at : a->turn < b->turn;
}

/* <0, 0, >0, for sorting. */
static inline int rank_compare(const struct rank *a, const struct rank *b)
{
	return rank_is_before(a, b) ? -1 : rank_is_before(b, a);
}

/* What an event adds. */
struct addend {
	struct datum value;
	const struct rank *rank;
	bool *failed;			/* set where memory runs out */
};

/* A state of a later chunk, whose values belong to another lexicon. */
struct merging {
	void *state;
	const void *later;
	struct lexicon *lexicon;	/* of the state */
	bool *failed;
};

/* How an aggregator works. States are of `size` bytes, zeroed at first. */
struct function {
	size_t size;
	void (*add)(void *state, const struct addend *addend);
	void (*settle)(void *state, bool *failed);	/* NULL: nothing to do */
	void (*merge)(const struct merging *merging);
	struct datum (*result)(void *state);		/* null: there is none */
	void (*clear)(void *state);			/* NULL: nothing to do */
};

#endif
