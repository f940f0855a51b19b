/*
 * event.h - walking the events of a chunk, and reading one.
 *
 * Only the frame of an event is looked at while walking; metadata and checkpoint
 * events (types 0 and 1) are given like all others, with type NULL.
 */
#ifndef JFR_EVENT_H
#define JFR_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jfr/chunk.h"
#include "jfr/frame.h"

struct event {
	const struct type *type;	/* NULL: metadata, checkpoint or unknown */
	uint64_t type_id;
	size_t offset;			/* in the chunk, of its first byte */
	uint32_t size;			/* all of it */
	const unsigned char *body;	/* behind size and type */
};

struct event_walk {
	const struct chunk *chunk;
	struct damage *damage;		/* NULL: faults are told elsewhere */
	size_t at;			/* offset in the chunk of the next event */
	uint64_t effort;		/* left for finding the way behind faults */
};

struct event_walk event_walk(const struct chunk *chunk, struct damage *damage);

/* An event by its frame, at this offset. */
static inline struct event event_of(const struct chunk *chunk, size_t at,
				    const struct frame *frame)
{
	return (struct event){ metadata_event(&chunk->metadata, frame->type_id),
			       frame->type_id, at, frame->size, frame->body };
}

/* For event_next alone: the way on that nearly no event needs. */
bool event_search(struct event_walk *walk, struct event *event);

/*
 * The next event; false at the end of the chunk. Where framing is broken it goes on
 * behind, at the next place that looks like an event. In an unfinished chunk the events
 * end at the first fault behind what was flushed. Inlined, because most walkers look at
 * few of the events.
 */
static inline bool event_next(struct event_walk *walk, struct event *event)
{
	const struct chunk *chunk = walk->chunk;
	size_t at = walk->at;
	struct frame frame;

	if (at >= chunk->size || frame_read(chunk->bytes, chunk->size, at, &frame))
		return event_search(walk, event);
	*event = event_of(chunk, at, &frame);
	if (!event->type && frame.type_id != EVENT_METADATA &&
	    frame.type_id != EVENT_CHECKPOINT)
		return event_search(walk, event);
	walk->at = at + frame.size;
	return true;
}

/*
 * For those who hop over frames by themselves: tells the fault at walk->at and moves the
 * walk behind it.
 */
void event_step_over(struct event_walk *walk, const char *fault);

/* The event that starts at this offset of the chunk, found by an earlier walk. */
struct event event_at(const struct chunk *chunk, size_t offset);

/* Over the fields of an event, and no further. */
struct cursor event_cursor(const struct chunk *chunk, const struct event *event);

/*
 * Start and end of an event of known type, in ticks: 0 and the same where it has no
 * start or no duration. False if it is too short for those, or its type cannot be
 * decoded; what stands behind them is not looked at. Takes no memory.
 */
bool event_ticks(const struct chunk *chunk, const struct event *event, int64_t *start,
		 int64_t *end);

/*
 * A cursor at the first value of a field of an event of known type; false if it does
 * not get there. Takes no memory.
 */
bool event_seek(const struct chunk *chunk, const struct event *event,
		const struct field *field, struct cursor *cursor);

/* Why an event of known type cannot be decoded. */
const char *event_fault(const struct event *event);

/* All values of an event of known type, as value_decode. */
bool event_decode(const struct chunk *chunk, const struct event *event,
		  struct value *values, struct arena *arena);

#endif
