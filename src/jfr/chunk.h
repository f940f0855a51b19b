/*
 * chunk.h - one chunk, opened: header, types, constants.
 *
 * Borrows the bytes of its source. After opening (and chunk_load_pools, for those
 * who need constants) it never changes, so any number of threads may read it.
 */
#ifndef JFR_CHUNK_H
#define JFR_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "jfr/clock.h"
#include "jfr/damage.h"
#include "jfr/header.h"
#include "jfr/known.h"
#include "jfr/metadata.h"
#include "jfr/pool.h"
#include "jfr/value.h"

struct chunk {
	size_t index;			/* 0-based, in its recording */
	uint64_t offset;		/* of its first byte in the recording */
	const unsigned char *bytes;
	size_t size;
	struct header header;
	struct clock clock;		/* the one its times are told with */
	int zone;			/* seconds east of UTC, of the recording */
	struct known *known;		/* metadata met before; NULL: none */
	bool is_shared;			/* the metadata belongs to `known` */
	struct metadata metadata;
	struct pool **pools;		/* by type index; NULL: none */
	const struct pool *strings;	/* the pool of java.lang.String; NULL: none */
	struct arena arena;		/* all that was decoded from it */
};

/*
 * Opens header and metadata; bytes[0] is the first byte of the chunk. The struct must
 * be zeroed but for index, offset and known, which the caller sets; clock and zone are
 * left to the caller, too. False with ERR_FORMAT or ERR_MEMORY: chunk_close it all the
 * same. A chunk that has `known` set must be closed before that is cleared.
 */
bool chunk_open(struct chunk *chunk, const unsigned char *bytes, size_t size,
		struct err *err);

/*
 * Indexes the constants of all checkpoints. What is damaged is stepped over and
 * added to `damage`. False when memory runs out.
 */
bool chunk_load_pools(struct chunk *chunk, struct damage *damage, struct err *err);

/* Also after a failed or missing chunk_open, if the struct was zeroed; zeroes it. */
void chunk_close(struct chunk *chunk);

/* The pool of a type, or NULL. */
static inline const struct pool *chunk_pool(const struct chunk *chunk,
					    const struct type *type)
{
	return chunk->pools && type ? chunk->pools[type->index] : NULL;
}

#endif
