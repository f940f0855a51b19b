/*
 * chunkfiles.h - how far the chunk files of a repository came.
 *
 * Of each file nothing but the header counts, of which the first 64 bytes are written at
 * once: what they say is so, whatever the state behind them is.
 */
#ifndef SALVAGE_CHUNKFILES_H
#define SALVAGE_CHUNKFILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "jfr/spill.h"

struct chunkfiles {
	bool is_done;			/* the newest flush of the spill file is in one */
	bool has_end;
	int64_t end_nanos, end_ticks;	/* of the newest chunk */
	/* See struct salvage. */
	char *cut;			/* freed by the caller */
	uint64_t cut_size;
};

/* A folder that is gone has no files. ERR_SYSTEM, ERR_MEMORY. */
bool chunkfiles_look(struct chunkfiles *files, const char *repository,
		     const struct spill_header *spill, struct err *err);

#endif
