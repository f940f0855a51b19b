#include "jfr/event.h"

#include "jfr/resync.h"

/* Events of unknown types, one behind the other, that are believed together. */
#define DOUBT_HOPS 16

struct event_walk event_walk(const struct chunk *chunk, struct damage *damage)
{
	return (struct event_walk){ .chunk = chunk, .damage = damage, .at = HEADER_SIZE,
				    .effort = RESYNC_EFFORT(chunk->size) };
}

void event_step_over(struct event_walk *walk, const char *fault)
{
	const struct chunk *chunk = walk->chunk;
	size_t at = walk->at;

	if (chunk->is_unfinished && at >= chunk->flushed) {
		walk->at = chunk->size;	/* as far as they had been written */
		return;
	}
	walk->at = resync_find(chunk, at + 1, &walk->effort);
	if (walk->damage)
		damage_add_detail(walk->damage, fault, chunk_site(chunk, at),
				  "%zu bytes are stepped over", walk->at - at);
}

/*
 * An event of a type that is not declared counts if it leads to one that does, or to
 * many more like it: else it is what a broken one left.
 */
static const char *doubt(struct event_walk *walk, const struct frame *frame)
{
	const struct chunk *chunk = walk->chunk;
	size_t at = walk->at;
	struct frame next = *frame;

	for (int hops = 0; hops < DOUBT_HOPS; hops++) {
		if (next.type_id == EVENT_METADATA || next.type_id == EVENT_CHECKPOINT ||
		    metadata_event(&chunk->metadata, next.type_id)) {
			if (hops == 0 || resync_is_event(chunk, at, &walk->effort))
				return NULL;
			return "an event of an unknown type leads nowhere";
		}
		at += next.size;
		if (at == chunk->size || at == chunk->flushed)
			return NULL;
		if (frame_read(chunk->bytes, chunk->size, at, &next))
			return "an event of an unknown type leads nowhere";
	}
	return NULL;
}

bool event_search(struct event_walk *walk, struct event *event)
{
	const struct chunk *chunk = walk->chunk;
	struct frame frame;

	while (walk->at < chunk->size) {
		const char *fault =
			frame_read(chunk->bytes, chunk->size, walk->at, &frame);

		if (!fault)
			fault = doubt(walk, &frame);
		if (!fault) {
			*event = event_of(chunk, walk->at, &frame);
			walk->at += frame.size;
			return true;
		}
		event_step_over(walk, fault);
	}
	return false;
}

struct event event_at(const struct chunk *chunk, size_t offset)
{
	struct frame frame;

	if (frame_read(chunk->bytes, chunk->size, offset, &frame))
		return (struct event){ 0 };
	return event_of(chunk, offset, &frame);
}

struct cursor event_cursor(const struct chunk *chunk, const struct event *event)
{
	const unsigned char *end = chunk->bytes + event->offset + event->size;

	/* A size of one or two may end before the type does. */
	if (end < event->body)
		end = event->body;
	return (struct cursor){ event->body, end, false };
}

bool event_seek(const struct chunk *chunk, const struct event *event,
		const struct field *field, struct cursor *cursor)
{
	struct program before = event->type->program;

	*cursor = event_cursor(chunk, event);
	before.count = field->slot;
	return value_skip(&before, cursor);
}

/* Where other producers put a time, and in whatever integer. */
static bool read_ticks(const struct chunk *chunk, const struct event *event,
		       const struct field *field, int64_t *ticks)
{
	struct program alone = { .count = 1 };
	struct cursor cursor;
	struct value value;

	*ticks = 0;
	if (!field || !field->shown || field->shown->primitive < OP_BYTE ||
	    field->shown->primitive > OP_LONG || field->array || field->pooled)
		return true;
	if (!event_seek(chunk, event, field, &cursor))
		return false;
	alone.ops = &event->type->program.ops[field->slot];
	if (!value_decode(&alone, &cursor, NULL, &value, NULL))
		return false;
	*ticks = value.number;
	return true;
}

bool event_ticks(const struct chunk *chunk, const struct event *event, int64_t *start,
		 int64_t *end)
{
	const struct type *type = event->type;
	struct cursor cursor = event_cursor(chunk, event);
	int64_t duration = 0;
	bool good;

	if (type->has_plain_ticks) {
		*start = (int64_t)cursor_varint(&cursor);
		if (type->duration)
			duration = (int64_t)cursor_varint(&cursor);
		good = !cursor.bad;
	} else {
		good = !type->program.is_broken &&
		       read_ticks(chunk, event, type->start, start) &&
		       read_ticks(chunk, event, type->duration, &duration);
	}
	*end = (int64_t)((uint64_t)*start + (uint64_t)duration);
	return good;
}

const char *event_fault(const struct event *event)
{
	return event->type->program.is_broken ? "the type of an event cannot be decoded"
					      : "an event does not fit its fields";
}

bool event_decode(const struct chunk *chunk, const struct event *event,
		  struct value *values, struct arena *arena)
{
	struct cursor cursor = event_cursor(chunk, event);

	return value_decode(&event->type->program, &cursor, chunk->strings, values,
			    arena);
}
