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

struct event_walk {
	const struct chunk *chunk;
	size_t at;			/* offset in the chunk of the next event */
	const char *fault;		/* set when the walk ended before the chunk did */
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

/* Start and end, in ticks; false if its first fields cannot be read. */
bool event_ticks(const struct chunk *chunk, const struct event *event, int64_t *start,
		 int64_t *end);

/* The values of an event up to those of a field of its type; others are not set. */
bool event_decode_head(const struct chunk *chunk, const struct event *event,
		       const struct field *field, struct value *values,
		       struct arena *arena);

/* Why an event of known type cannot be decoded. */
const char *event_fault(const struct event *event);

/* All values of an event of known type, as value_decode. */
bool event_decode(const struct chunk *chunk, const struct event *event,
		  struct value *values, struct arena *arena);

#endif
