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
	struct known *known;		/* shared with other runs; NULL: nothing is */
	struct known_entry *newest;	/* metadata of its last chunk; NULL: none to lend */
	bool is_seeded;			/* later chunks were searched for metadata */
	size_t feeds;			/* files of it that are not read to the end yet */
	size_t waiting;			/* chunks found in them and not opened yet */
};

/*
 * The clock for a chunk with this header: that of the chunks before as long as the
 * header agrees with it, its own from there on.
 */
struct clock run_clock(struct run *run, const struct header *header);

/* A chunk has this metadata, or (NULL) its own, which cannot be lent. */
void run_learn(struct run *run, struct known_entry *entry);

/*
 * Metadata for a chunk of the same JVM that has none: the newest that is known, held for
 * the caller. NULL if there is none, or if the header tells of another JVM.
 */
struct known_entry *run_lend(const struct run *run, const struct header *header);

/* Lets go of what it lends. */
void run_clear(struct run *run);

#endif
