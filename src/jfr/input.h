/*
 * input.h - all that a command reads: files, repositories, standard input.
 *
 * Gives the chunks of all of them in order of their start; those of one file stay in
 * the order in which they lie there. A directory is taken for a repository: its
 * recordings belong to one run of a JVM, and what is none is passed over, with a note.
 * Files are open only while their turn is; chunks that are waiting take memory as
 * base/spool.h says.
 */
#ifndef JFR_INPUT_H
#define JFR_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "jfr/chunk.h"
#include "jfr/feeds.h"
#include "jfr/recording.h"

/* Whose wall clock times are shown with. */
enum input_zone {
	ZONE_RECORDING,		/* of the first chunk, for all */
	ZONE_UTC,
	ZONE_LOCAL,		/* this machine's; chunk->zone is CLOCK_ZONE_LOCAL */
};

struct input {
	const struct unpacker *unpacker;
	enum input_zone zone_kind;
	void (*tick)(void *context);	/* called every now and then; NULL: no */
	void *tick_context;
	const struct input_rest *rests;	/* must stay until input_close */
	size_t rest_count;
	uint64_t size;			/* of all files, 0 if that is not known */
	uint64_t pending;		/* bytes handed out, but not worked through yet */
	/* private */
	struct feeds feeds;
	VEC(struct recording *) finished;	/* blocks may be lent from them */
	VEC(struct chunk_place) ahead;	/* found by input_survey, not yet handed out */
	size_t ahead_at;
	bool is_kept;			/* what was handed out is still there, and lent */
	uint64_t ahead_bytes_done;	/* of them, those handed out */
	size_t count;			/* chunks found */
	size_t opened;			/* chunks opened */
	struct err lost;		/* why the first chunk was lost, until it is told */
	struct site lost_site;
	bool has_zone;
	int zone;
	uint64_t done;			/* of it, files that are finished */
};

/*
 * Opens files and directories, "-" is standard input. `unpacker`, zone_kind and `rests`
 * may be set before, all else must be zeroed. False, with the reason, if nothing can be
 * read at all; of several files those that cannot go to `damage`. In any case:
 * input_close.
 */
bool input_open(struct input *input, const char *const *paths, size_t count,
		struct damage *damage, struct err *err);

/* One recording in memory, which it borrows, instead of input_open. */
bool input_of_bytes(struct input *input, const void *bytes, size_t size,
		    const char *name);

/*
 * The next chunk; false at the end (ERR_NONE), or with err: no chunk at all, no memory.
 */
bool input_next(struct input *input, struct chunk_place *place, struct damage *damage,
		struct err *err);

/*
 * Opens the chunk: it takes the block over, and gets the clock of its run and the zone.
 * In the order of input_next. False: why, and the block is gone.
 */
bool input_chunk(struct input *input, struct chunk_place *place, struct chunk *chunk,
		 struct damage *damage, struct err *err);

/*
 * The next chunk that can be opened, opened. What cannot be is left out, and told in
 * `damage`. False at the end (ERR_NONE); if none could be opened at all, or memory runs
 * out, err says so.
 */
bool input_open_next(struct input *input, struct chunk *chunk, struct damage *damage,
		     struct err *err);

/* When a recording began and ended, in nanoseconds since 1970. */
struct input_span {
	int64_t start, end;
	int zone;		/* of the first chunk that can be opened */
	bool has_zone;
};

/*
 * Finds all chunks before the first is read; they are kept for input_next. Before
 * input_next. False as input_next.
 */
bool input_survey(struct input *input, struct input_span *span, struct damage *damage,
		  struct err *err);

/*
 * The same, and from now on they are kept when they have been handed out, so that
 * input_rewind can begin again with the first. False as input_next.
 */
bool input_keep(struct input *input, struct damage *damage, struct err *err);
void input_rewind(struct input *input);

typedef bool visit_chunk(void *context, const struct chunk *chunk);

/*
 * Shows all chunks to `visit`, opened without their constants, and leaves the input as
 * it is: files are opened once more. True if all of it could be read so. False, with
 * what could be read shown: some of it comes through a pipe; or visit gave false.
 */
bool input_preview(const struct input *input, visit_chunk *visit, void *context);

/*
 * The paths of the files that will be read, in the order in which they begin; the
 * array is the caller's, to be freed. Before input_next. NULL: no memory.
 */
const char **input_paths(const struct input *input, size_t *count);

/* Calls input->tick. By the thread that reads the input. */
void input_tick(struct input *input);

/* Bytes worked through so far, in the measure of input->size. */
uint64_t input_position(const struct input *input);

/* All chunks must be closed before. */
void input_close(struct input *input);

#endif
