/*
 * recording.h - a file of chunks, one after the other.
 *
 * Chunks are found by hopping over their sizes; opening them (chunk_open) is left
 * to the caller, who may do it on another thread.
 */
#ifndef JFR_RECORDING_H
#define JFR_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/source.h"
#include "jfr/chunk.h"

/* Where a chunk lies; bytes borrow from the source. */
struct chunk_place {
	size_t index;			/* 0-based */
	uint64_t offset;
	const unsigned char *bytes;
	size_t size;
};

struct recording {
	struct source source;
	uint64_t at;			/* where the next chunk should start */
	size_t count;			/* chunks found so far */
	bool is_unfinished;		/* the last of them is still being written */
	struct clock clock;		/* of the current run of a JVM */
	int zone;			/* of the first chunk */
	bool has_clock;
	struct known known;	/* the metadata of its chunks */
};

/* Opens a file, "-" is standard input. An empty input is ERR_FORMAT. */
bool recording_open(struct recording *recording, const char *path, struct err *err);

/* A recording in memory, which it borrows. */
struct recording recording_of_bytes(const void *bytes, size_t size, const char *name);

/*
 * The next chunk. False with err->kind ERR_NONE at the end of the file, and behind
 * an unfinished chunk, where events may stand that it does not yet know of; otherwise
 * err says what stands there instead of a chunk.
 */
bool recording_next(struct recording *recording, struct chunk_place *place,
		    struct err *err);

/*
 * Opens the chunk at that place and gives it its clock and zone. Chunks must be
 * opened in order: the clock of the first one counts as long as the following agree
 * with it, and its zone for all.
 */
bool recording_chunk(struct recording *recording, const struct chunk_place *place,
		     struct chunk *chunk, struct err *err);

/* Chunks must be closed before it. */
void recording_close(struct recording *recording);

#endif
