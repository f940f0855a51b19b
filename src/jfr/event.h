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

struct event {
	const struct type *type;	/* NULL: metadata, checkpoint or unknown */
	uint64_t type_id;
	size_t offset;			/* in the chunk, of its first byte */
	uint32_t size;			/* all of it */
	const unsigned char *body;	/* behind size and type */
};

/*
 * Reads the frame of the event at this offset of the chunk, which must be below its
 * size: all but the type. What is wrong with it, a string literal, or NULL. Inlined,
 * because counting events is little else.
 */
static inline const char *event_frame(const struct chunk *chunk, size_t at,
				      struct event *event)
{
	size_t left = chunk->size - at;
	struct cursor cursor = cursor_of(chunk->bytes + at, left);
	uint64_t size = cursor_varint(&cursor);

	event->type_id = cursor_varint(&cursor);
	if (cursor.bad)
		return "an event is cut short by the end of its chunk";
	if ((int64_t)size <= 0)
		return "an event has no size";
	if (size > left || size > UINT32_MAX)
		return "an event reaches past the end of its chunk";
	event->offset = at;
	event->size = (uint32_t)size;
	event->body = cursor.at;
	return NULL;
}

struct event_walk {
	const struct chunk *chunk;
	size_t at;			/* offset in the chunk of the next event */
	const char *fault;		/* set when it ended before the chunk did */
};

static inline struct event_walk event_walk(const struct chunk *chunk)
{
	return (struct event_walk){ .chunk = chunk, .at = HEADER_SIZE };
}

/*
 * The next event; false at the end of the chunk, or where framing is broken: then
 * walk->fault says how and walk->at where.
 */
bool event_next(struct event_walk *walk, struct event *event);

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
