#include "jfr/event.h"

/* The frame at walk->at; what is wrong with it, or NULL. */
static const char *read_frame(const struct chunk *chunk, size_t at, struct event *event)
{
	struct cursor cursor = cursor_of(chunk->bytes + at, chunk->size - at);
	uint64_t size = cursor_varint(&cursor);

	event->type_id = cursor_varint(&cursor);
	if (cursor.bad)
		return "an event is cut short by the end of its chunk";
	if ((int64_t)size <= 0)
		return "an event has no size";
	if (size > chunk->size - at || size > UINT32_MAX)
		return "an event reaches past the end of its chunk";
	event->offset = at;
	event->size = (uint32_t)size;
	event->body = cursor.at;
	return NULL;
}

bool event_next(struct event_walk *walk, struct event *event)
{
	const struct chunk *chunk = walk->chunk;

	if (walk->at >= chunk->size || walk->fault)
		return false;
	walk->fault = read_frame(chunk, walk->at, event);
	if (walk->fault)
		return false;
	walk->at += event->size;
	event->type = metadata_event(&chunk->metadata, event->type_id);
	return true;
}

struct event event_at(const struct chunk *chunk, size_t offset)
{
	struct event event = { 0 };

	if (!read_frame(chunk, offset, &event))
		event.type = metadata_event(&chunk->metadata, event.type_id);
	return event;
}

struct cursor event_cursor(const struct chunk *chunk, const struct event *event)
{
	const unsigned char *end = chunk->bytes + event->offset + event->size;

	/* A size of one or two may end before the type does. */
	return (struct cursor){ event->body, end < event->body ? event->body : end, false };
}

static int64_t tick_value(const struct field *field, const struct value *values)
{
	return field && field->shown && field->shown->primitive >= OP_BYTE &&
			       field->shown->primitive <= OP_LONG && !field->array &&
			       !field->pooled
		       ? values[field->slot].number
		       : 0;
}

bool event_ticks(const struct chunk *chunk, const struct event *event, int64_t *start,
		 int64_t *end)
{
	const struct type *type = event->type;
	struct cursor cursor = event_cursor(chunk, event);

	if (type->has_plain_ticks) {
		*start = (int64_t)cursor_varint(&cursor);
		*end = *start;
		if (type->duration)
			*end = (int64_t)((uint64_t)*start + cursor_varint(&cursor));
		return !cursor.bad;
	} else {
		struct value values[PROGRAM_VALUES_MAX];
		struct arena arena = { 0 };
		bool good = event_decode(chunk, event, values, &arena);

		arena_clear(&arena);
		*start = good ? tick_value(type->start, values) : 0;
		*end = (int64_t)((uint64_t)*start +
				 (uint64_t)(good ? tick_value(type->duration, values) : 0));
		return good;
	}
}

bool event_decode_head(const struct chunk *chunk, const struct event *event,
		       const struct field *field, struct value *values,
		       struct arena *arena)
{
	struct program head = event->type->program;
	struct cursor cursor = event_cursor(chunk, event);
	size_t next = (size_t)(field - event->type->fields) + 1;

	if (!head.is_broken && next < event->type->field_count)
		head.count = event->type->fields[next].slot;
	return value_decode(&head, &cursor, chunk->strings, values, arena);
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

	return value_decode(&event->type->program, &cursor, chunk->strings, values, arena);
}
