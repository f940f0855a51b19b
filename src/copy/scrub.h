/*
 * scrub.h - the constants that are left, laid out as the JDK's scrub does it.
 *
 *	struct scrub scrub = { .chunk = chunk, .refs = &refs };
 *
 *	scrub_begin(&scrub, position);
 *	while (scrub_next(&scrub)) ...
 *		... scrub.buf goes to the output
 *	if (scrub.buf.failed) ...
 *	scrub_clear(&scrub);
 *
 * Checkpoints stand behind the events, the newest first, each with those of its constants
 * that something refers to; one without any stays as well. They lead from the last, the
 * oldest, back to the first.
 */
#ifndef COPY_SCRUB_H
#define COPY_SCRUB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "copy/changes.h"
#include "jfr/chunk.h"
#include "jfr/refs.h"

struct scrub_pool;

struct scrub {
	/* Set before scrub_begin. */
	const struct chunk *chunk;	/* strict_checkpoints (strict.h) are true of it */
	const struct refs *refs;	/* what is marked stays */
	struct changes *changes;	/* NULL: constants keep their bytes */

	struct buf buf;			/* the checkpoint, for the caller to take */
	uint64_t position;		/* in the output, behind it */
	uint64_t checkpoint_at;		/* where it begins there; 0: there was none */
	bool is_too_large;		/* a checkpoint is, and there are no more */
	/* private */
	int64_t at;			/* of the next one in the chunk; 0: there is none */
	VEC(struct scrub_pool) pools;	/* of the present one */
};

/* The first checkpoint begins at that position. Also a second time. */
void scrub_begin(struct scrub *scrub, uint64_t position);

/* The next one; false at the end, or with buf.failed, or is_too_large. */
bool scrub_next(struct scrub *scrub);

void scrub_clear(struct scrub *scrub);

#endif
