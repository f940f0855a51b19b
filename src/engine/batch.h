/*
 * batch.h - events on their way from the buffers to a chunk.
 *
 * The flusher's: what lanes hold goes into it, and what observers tell periodically is
 * written straight into it, with no limit on the size of an event (a thread dump).
 *
 *	batch_begin(batch, EVENT_CPU_LOAD);
 *	encode_long(&batch->buf, ticks);	jfr/encode.h
 *	encode_float(&batch->buf, user);
 *	...
 *	batch_end(batch);
 *
 * Sticky as a buf: ask batch->buf.failed once at the end. A zeroed struct is a valid
 * empty batch. An event larger than ENCODE_EVENT_MAX is left out.
 */
#ifndef ENGINE_BATCH_H
#define ENGINE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "jfr/encode.h"
#include "jfr/eventtypes.h"

struct batch {
	struct buf buf;		/* whole events, one behind the other */
	uint64_t events;
	bool is_open;		/* an event was begun */
	size_t begun;		/* where it starts */
	int64_t now;		/* ticks: the start of all periodic events of a round */
};

/* Begins an event; one that is open ends. */
void batch_begin(struct batch *batch, enum event_id type);
void batch_end(struct batch *batch);

/* The open event, if any, is left out after all. */
void batch_cancel(struct batch *batch);

/* Appends whole events, as lanes hold them; one that is open ends. */
void batch_add(struct batch *batch, const void *bytes, size_t size);

/* Empties it; memory and time stay. */
void batch_reset(struct batch *batch);
void batch_clear(struct batch *batch);

#endif
