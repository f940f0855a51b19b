/*
 * chunk.h - one chunk, opened: header, types, constants.
 *
 * Holds the bytes it was opened with. After opening (and checkpoint_load, for those who
 * need constants) it never changes, so any number of threads may read it.
 */
#ifndef JFR_CHUNK_H
#define JFR_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/spool.h"
#include "jfr/clock.h"
#include "jfr/damage.h"
#include "jfr/header.h"
#include "jfr/metadata.h"
#include "jfr/pool.h"
#include "jfr/run.h"
#include "jfr/value.h"

struct chunk {
	/* Set by who opens it. */
	struct block block;		/* may be lent */
	const char *file;		/* what it is from; NULL: nothing with a name */
	size_t index;			/* 0-based, in all that is read */
	size_t number;			/* 0-based, in its file */
	uint64_t offset;		/* of its first byte in the file */
	struct run *run;		/* shared with its neighbours; NULL: none */

	const unsigned char *bytes;	/* of the block */
	size_t size;
	size_t flushed;			/* bytes that the header vouches for */
	bool is_unfinished;		/* behind those may stand anything */
	struct header header;
	struct clock clock;		/* the one its times are told with */
	int zone;			/* seconds east of UTC; of the recording */
	struct known_entry *shared;	/* has the metadata; NULL: the chunk itself has */
	size_t metadata_at;		/* offset of the event it is from; 0: borrowed */
	struct metadata metadata;
	struct pool **pools;		/* by type index; NULL: none */
	const struct pool *strings;	/* the pool of java.lang.String; NULL: none */
	struct arena arena;		/* all that was decoded from it */
};

/*
 * Opens header and metadata. The struct must be zeroed but for what is marked above;
 * clock and zone are its own. If the header does not lead to good metadata, it is
 * searched for, and at last borrowed from the run. False with ERR_FORMAT or ERR_MEMORY.
 * In any case: chunk_close it.
 */
bool chunk_open(struct chunk *chunk, struct damage *damage, struct err *err);

/* The same without anything around it, for bytes that are lent. */
bool chunk_open_bytes(struct chunk *chunk, const void *bytes, size_t size,
		      struct err *err);

/* Also after a failed or missing chunk_open, if the struct was zeroed; zeroes it. */
void chunk_close(struct chunk *chunk);

/* Forgets the constants; checkpoint_load brings them back. */
void chunk_drop_pools(struct chunk *chunk);

/* The pool of a type, or NULL. */
static inline const struct pool *chunk_pool(const struct chunk *chunk,
					    const struct type *type)
{
	return chunk->pools && type ? chunk->pools[type->index] : NULL;
}

/* The place of this offset in the chunk, for damage. */
static inline struct site chunk_site(const struct chunk *chunk, size_t at)
{
	return (struct site){ chunk->file, chunk->number, chunk->offset + at };
}

#endif
