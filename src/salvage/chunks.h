/*
 * chunks.h - events become a recording: as many chunks as it takes.
 *
 *	chunks_open(&chunks, spill, files, &err)
 *	chunks_know(&chunks, type, key, bytes, size, &err)	and so on
 *	chunks_add(&chunks, bytes, size, &err)		and so on
 *	chunks_end(&chunks, &block, &err)
 *	chunks_clear(&chunks)
 *
 * Each chunk has the constants that its events refer to, as far as they are there. What
 * verify would call damaged for its own bytes is left out.
 */
#ifndef SALVAGE_CHUNKS_H
#define SALVAGE_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/spool.h"
#include "engine/constants.h"
#include "engine/records.h"
#include "jfr/metadata.h"
#include "jfr/spill.h"
#include "jfr/writer.h"
#include "salvage/chunkfiles.h"

struct chunks {
	const struct spill_header *spill;
	const struct chunkfiles *files;
	struct records *records;
	struct constants *constants;
	struct buf event;		/* metadata, as it stands in each chunk */
	struct metadata metadata;	/* the same, read */
	struct arena arena;
	struct writer writer;		/* of the chunk that is open */
	struct spool spool;		/* those before it */
	uint64_t count;			/* of chunks begun */
	int64_t start;			/* of the newest, ticks */
	int64_t first, last;		/* of its events: start and end, ticks */
	uint64_t events;		/* in all of them */
	uint64_t damaged;		/* events that cannot be */
	uint64_t missing;		/* references to constants that are not there */
};

/*
 * `event`: the metadata event, borrowed; empty, or none that can be read: our own. They
 * follow the chunks of the files. ERR_MEMORY, ERR_FORMAT; in any case: chunks_clear.
 */
bool chunks_open(struct chunks *chunks, const struct spill_header *spill,
		 const struct chunkfiles *files, struct str event, struct err *err);

/*
 * A constant that events may refer to. ERR_FORMAT: it is none, or has strings that cannot
 * be read; ERR_MEMORY.
 */
bool chunks_know(struct chunks *chunks, enum pool_id type, uint64_t key,
		 const char *bytes, size_t size, struct err *err);

/* Adds whole events, one behind the other. ERR_MEMORY, ERR_SYSTEM. */
bool chunks_add(struct chunks *chunks, const char *bytes, size_t size, struct err *err);

/* All of them; size 0: there was no event. */
bool chunks_end(struct chunks *chunks, struct block *block, struct err *err);

void chunks_clear(struct chunks *chunks);

#endif
