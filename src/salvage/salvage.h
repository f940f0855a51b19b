/*
 * salvage.h - the end of a recording whose JVM is no more, from its spill file.
 *
 *	spill file ──records──> constants ─┐
 *	           ──events───> (samples) ─┴─> chunks, which follow those in the files
 *
 * What the agent would have flushed next, had it lived: events that were committed and
 * are in no chunk file, as chunks of their own, with all that they refer to as far as it
 * was known. Nothing is written to the repository: the same can be done again.
 */
#ifndef SALVAGE_SALVAGE_H
#define SALVAGE_SALVAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/spool.h"

struct salvage {
	struct block chunks;		/* a recording; size 0: nothing was left over */
	uint64_t events;		/* in it */
	bool is_short;			/* the spill file was cut off */
	uint64_t damaged;		/* what could not be read: slots, events, records */
	uint64_t missing;		/* references of events to what was not in the file */
	/*
	 * The file of the repository with the chunk that was being written, and the size
	 * its header vouches for: what is behind that is in `chunks`, and must not be
	 * read. NULL: there is none. Size 0: nothing in it is.
	 */
	char *cut;
	uint64_t cut_size;
};

/*
 * Of a spill file, which nobody writes any more, and the repository it belongs to, which
 * may be gone. ERR_FORMAT, ERR_SYSTEM, ERR_MEMORY; in any case: salvage_clear.
 */
bool salvage_run(struct salvage *salvage, int spill, const char *repository,
		 struct err *err);

void salvage_clear(struct salvage *salvage);

#endif
