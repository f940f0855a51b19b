/*
 * refs.h - which constants something refers to.
 *
 * refs_walk goes over the bytes of one event or constant and tells each reference
 * in it, decoding nothing else. struct refs marks the constants of a chunk that chosen
 * events need, directly or through other constants. Neither recurses, nor marks
 * anything twice: the work is bounded by the bytes of the chunk. What has to become
 * other bytes is for rewrite.h.
 */
#ifndef JFR_REFS_H
#define JFR_REFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "jfr/chunk.h"
#include "jfr/event.h"

/* Told each reference: the pool's type and the key in it. False ends the walk. */
typedef bool refs_visit(void *context, const struct type *type, uint64_t key);

/*
 * Walks over one value of the program. `string` is the type of pooled strings
 * (metadata.string; NULL: they are not told). False when the bytes do not fit the
 * program, what was told before stands; or when the visitor ended the walk.
 */
bool refs_walk(const struct program *program, struct cursor *cursor,
	       const struct type *string, refs_visit *visit, void *context);

/* A constant of a chunk: pool by type index, place in pool.constants. */
struct refs_place {
	uint32_t type;
	uint32_t index;
};

struct refs {
	const struct chunk *chunk;
	uint64_t **marks;		/* by type index: a bit for each constant */
	VEC(struct refs_place) todo;	/* marked, but not walked over */
	uint64_t missing;		/* references to constants that are not there */
	bool is_short;			/* the last event did not fit its fields */
	bool failed;			/* out of memory */
};

/* The chunk's pools must be loaded, and stay until refs_close. False without memory. */
bool refs_open(struct refs *refs, const struct chunk *chunk);

void refs_close(struct refs *refs);

/*
 * Marks one constant; all that an event refers to. False when memory runs out. Of
 * an event that is shorter than its fields (is_short), what can be read is marked.
 */
bool refs_mark(struct refs *refs, const struct type *type, uint64_t key);
bool refs_mark_event(struct refs *refs, const struct event *event);

/* Marks what marked constants refer to, and so on. False when memory runs out. */
bool refs_spread(struct refs *refs);

/* True if the constant at this place of the type's pool is marked. */
bool refs_has(const struct refs *refs, const struct type *type, uint32_t index);

#endif
