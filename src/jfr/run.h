/*
 * run.h - what the chunks of one file, or of one repository, have in common.
 *
 * They come from one run of a JVM, or from several, one after the other: then the clock
 * is that of the present one. Several recordings may share it; one thread at a time.
 */
#ifndef JFR_RUN_H
#define JFR_RUN_H

#include <stdbool.h>

#include "jfr/clock.h"
#include "jfr/known.h"

struct run {
	struct clock clock;
	bool has_clock;
	struct known known;	/* the metadata of its chunks */
	bool is_seeded;		/* later chunks were searched for metadata */
};

/*
 * The clock for a chunk with this header: that of the chunks before as long as the
 * header agrees with it, its own from there on.
 */
struct clock run_clock(struct run *run, const struct header *header);

/*
 * Metadata for a chunk of the same JVM that has none: the newest that is known. NULL if
 * there is none, or if the header tells of another JVM.
 */
const struct metadata *run_lend(const struct run *run, const struct header *header);

/* Its chunks must be closed before. */
void run_clear(struct run *run);

#endif
