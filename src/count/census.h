/*
 * census.h - the constants of a chunk: what they take up, and who needs them.
 *
 * All events are walked for their references, and all constants that these lead to,
 * each once. The work is bounded by the bytes of the chunk.
 */
#ifndef COUNT_CENSUS_H
#define COUNT_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "count/largest.h"
#include "jfr/chunk.h"
#include "jfr/damage.h"

/* Of a string no more bytes are told. */
#define CENSUS_TEXT_MAX 1000

/* What is counted of a pool. Bytes are those of keys and values. */
enum census_count {
	CENSUS_ENTRIES,			/* as they lie in the checkpoints */
	CENSUS_BYTES,
	CENSUS_EVENT_REFERENCES,
	CENSUS_CONSTANT_REFERENCES,	/* from constants that are needed themselves */
	CENSUS_UNREFERENCED,		/* no event needs them, not even indirectly */
	CENSUS_UNREFERENCED_BYTES,
	CENSUS_REPEATED,		/* an equal entry with the same key counts */
	CENSUS_REPEATED_BYTES,
	CENSUS_EQUAL,			/* of the same value as one with another key */
	CENSUS_EQUAL_BYTES,
	CENSUS_COUNTS,
};

struct census_mark;

/* The constants of one type; nothing is known of types without any. */
struct census_pool {
	uint64_t counts[CENSUS_COUNTS];
	struct census_mark *marks;	/* by index in the pool; NULL: no constants */
};

struct census {
	const struct chunk *chunk;
	struct census_pool *pools;	/* by type index */
	struct largest strings, stacks;	/* limits are set before */
	uint64_t secret[2];		/* random, the same for all chunks; set before */
	/* Of the walk. */
	VEC(struct refs_place) todo;	/* needed, but not walked over yet */
	enum census_count source;	/* whose references these are */
	bool failed;			/* no memory */
};

/*
 * Loads the chunk's constants and counts them; zeroed but for limits and secret. Strings are
 * the constants of all types that consist of one string. What is damaged is told. False
 * when memory runs out.
 */
bool census_take(struct census *census, struct chunk *chunk, struct damage *damage);

/*
 * Appends what there is to say of one of census->strings or ->stacks: the text, cut to
 * CENSUS_TEXT_MAX bytes; where the topmost frame is, "java.util.ArrayList.add:233", and
 * sets the number of frames. Nothing for null, and where it cannot be decoded; buffer
 * and arena tell if memory ran out.
 */
typedef void census_tell(const struct census *census, struct large *thing,
			 struct buf *to, struct arena *arena);

census_tell census_tell_string, census_tell_stack;

/* Before the chunk is closed; keeps the limits and the secret. */
void census_clear(struct census *census);

#endif
