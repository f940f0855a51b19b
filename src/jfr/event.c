#include "jfr/event.h"

bool event_next(struct event_walk *walk, struct event *event)
{
	const struct chunk *chunk = walk->chunk;

	if (walk->at >= chunk->size || walk->fault)
		return false;
	walk->fault = event_frame(chunk, walk->at, event);
	if (walk->fault)
		return false;
	walk->at += event->size;
	event->type = metadata_event(&chunk->metadata, event->type_id);
	return true;
}

struct event event_at(const struct chunk *chunk, size_t offset)
{
	struct event event = { 0 };

	if (!event_frame(chunk, offset, &event))
		event.type = metadata_event(&chunk->metadata, event.type_id);
	return event;
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
