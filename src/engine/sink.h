/*
 * sink.h - where events go: the chunk file that is being written.
 *
 * A chunk is a header, metadata, and then with each flush the events that were added, a
 * checkpoint behind each with the constants that are not in the chunk yet, and a copy
 * of the header. Last comes the header of the file, and with it all that is part of the
 * chunk at once: before that, it is bytes behind the chunk's end. So it can be read
 * while it grows (format.md 8.1), or when the process is gone.
 *
 * When a write fails, the file is cut back to where it was after the last flush, and
 * the chunk is finished, so that all JDKs read it. Then the sink is closed.
 */
#ifndef ENGINE_SINK_H
#define ENGINE_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/constants.h"
#include "engine/repository.h"

struct sink;

/* Both are borrowed. NULL without memory. */
struct sink *sink_new(struct constants *constants, struct repository *repository);
void sink_free(struct sink *sink);

/* A point in time by two clocks: nanoseconds since 1970, and ticks. */
struct instant {
	int64_t nanos, ticks;
};

/*
 * Begins a chunk file, at that time; epoch: the oldest of the events that it may get.
 * ERR_SYSTEM names the file.
 */
bool sink_begin(struct sink *sink, struct instant start, unsigned epoch,
		struct err *err);

/* Adds whole events, which began in that epoch or before; now: ticks. */
bool sink_add(struct sink *sink, struct str events, unsigned epoch, int64_t now,
	      struct err *err);

/* All that was added is part of the chunk now; sink_size has grown. */
bool sink_flush(struct sink *sink, int64_t now, struct err *err);

/*
 * Finishes the chunk, which ends at `now`; is_last: no other one follows. *end is where
 * the next one starts.
 */
bool sink_end(struct sink *sink, int64_t now, bool is_last, struct instant *end,
	      struct err *err);

/*
 * Of the open chunk: bytes by its header, start in nanoseconds since 1970 and in ticks,
 * and epoch; 0: none is open.
 */
uint64_t sink_size(const struct sink *sink);
int64_t sink_start_nanos(const struct sink *sink);
int64_t sink_start(const struct sink *sink);
unsigned sink_epoch(const struct sink *sink);

/* Appends the metadata event as it is in each chunk. */
void sink_metadata(const struct sink *sink, struct buf *to);

/* References of all events so far to constants that were not there. */
uint64_t sink_missing(const struct sink *sink);

#endif
