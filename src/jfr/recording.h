/*
 * recording.h - a file of chunks, one after the other.
 *
 * Chunks are found by hopping over their sizes. Where a size cannot be right, the chunk
 * ends where the next one begins, or the file does. Opening them (chunk_open) is left to
 * the caller, who may do it on another thread.
 */
#ifndef JFR_RECORDING_H
#define JFR_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/source.h"
#include "jfr/chunk.h"
#include "jfr/damage.h"
#include "jfr/run.h"

/* A chunk, found but not opened. */
struct chunk_place {
	struct block block;		/* its bytes */
	const char *file;
	size_t index;			/* 0-based, in all that is read */
	size_t number;			/* 0-based, in its file */
	uint64_t offset;
	struct run *run;
	bool is_completed;		/* what it lacks, if unfinished, is elsewhere */
};

struct recording {
	struct source source;
	struct run *run;
	size_t count;			/* chunks found so far */
	bool is_peeked;			/* head is the header of the next chunk */
	struct header head;
	uint64_t hopped;		/* bytes of chunks whose events were followed */
	bool is_completed;		/* what its last chunk lacks is elsewhere */
};

/*
 * Opens a file, "-" is standard input. An empty input is ERR_FORMAT. It must stay where
 * it is until recording_close; the run is borrowed. As source_open otherwise.
 */
bool recording_open(struct recording *recording, const char *path, struct run *run,
		    const struct unpacker *unpacker, struct err *err);

/* A recording in memory, which it borrows. */
struct recording recording_of_bytes(const void *bytes, size_t size, const char *name,
				    struct run *run);

/*
 * Of a recording that was just opened, so many bytes are read, not 0: what is behind them,
 * and what its last chunk lacks, is read from elsewhere.
 */
void recording_cut(struct recording *recording, uint64_t size);

/*
 * Goes to the next chunk, past what is none, and looks at its header: recording->head.
 * False at the end. If there is no chunk at all, or memory runs out, `err` says so; what
 * else is wrong goes to `damage`.
 */
bool recording_peek(struct recording *recording, struct damage *damage, struct err *err);

/*
 * The same, and hands the chunk over: the caller opens it with chunk_of_place or gives
 * the block back.
 */
bool recording_next(struct recording *recording, struct chunk_place *place,
		    struct damage *damage, struct err *err);

/*
 * Opens the chunk, which takes the block over, and gives it the clock of its run. Chunks
 * of a run must be opened in order. False: the block is still the place's, and nothing is
 * to be closed.
 */
bool chunk_of_place(struct chunk *chunk, struct chunk_place *place,
		    struct damage *damage, struct err *err);

/* Nothing more will be read: gives back all but what blocks were lent from. */
void recording_finish(struct recording *recording);

/* Chunks whose block is lent must be closed before it. */
void recording_close(struct recording *recording);

#endif
