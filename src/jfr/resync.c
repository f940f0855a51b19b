#include "jfr/resync.h"

#include "jfr/frame.h"

/* Events that begin so long before or after the chunk are not believed. */
#define SLACK_SECONDS 3600
#define UNFINISHED_SECONDS (14 * 86400)

/* Bytes of a metadata event. */
#define METADATA_LEAST 32

/* What the ticks of a start may be. */
struct bounds {
	int64_t least, most;
};

/* No bounds where the header makes no sense. */
static struct bounds bounds_of(const struct chunk *chunk)
{
	const struct header *header = &chunk->header;
	double second = (double)header->ticks_per_second;
	double start = (double)header->start_ticks;
	double length = (double)header->duration_nanos / 1e9;

	if (header->ticks_per_second <= 0 || header->start_ticks <= 0 || length < 0)
		return (struct bounds){ INT64_MIN, INT64_MAX };
	if (chunk->is_unfinished || length == 0)
		length += UNFINISHED_SECONDS;
	/* Clocks may have begun with the machine: then a slack is no bound. */
	return (struct bounds){
		clock_integer(start > 2 * SLACK_SECONDS * second
				      ? start - SLACK_SECONDS * second : start / 2),
		clock_integer(start + (length + SLACK_SECONDS) * second),
	};
}

static bool is_in(const struct bounds *bounds, uint64_t ticks)
{
	return (int64_t)ticks >= bounds->least && (int64_t)ticks <= bounds->most;
}

/* The same for those that make up the format itself. */
static bool is_believed_metadata(struct cursor cursor, uint32_t size)
{
	cursor_varint(&cursor);	/* start */
	cursor_varint(&cursor);	/* duration */
	cursor_varint(&cursor);	/* id */
	return size >= METADATA_LEAST && cursor_varint(&cursor) <= cursor_left(&cursor) &&
	       !cursor.bad;
}

static bool is_believed_checkpoint(const struct chunk *chunk, struct cursor cursor)
{
	uint64_t pools;
	uint8_t kind;

	cursor_varint(&cursor);	/* start */
	cursor_varint(&cursor);	/* duration */
	cursor_varint(&cursor);	/* delta */
	kind = cursor_byte(&cursor);
	pools = cursor_varint(&cursor);
	return !cursor.bad && kind < 16 && pools <= cursor_left(&cursor) &&
	       (pools == 0 ||
		metadata_type(&chunk->metadata, (int64_t)cursor_varint(&cursor)));
}

/* True if what is framed there is an event, as far as its bytes can tell. */
static bool is_believed(const struct chunk *chunk, const struct bounds *bounds,
			const struct frame *frame, const unsigned char *end,
			uint64_t *effort)
{
	const struct type *type = metadata_event(&chunk->metadata, frame->type_id);
	struct cursor cursor = { frame->body, end, frame->body > end };
	struct cursor start = cursor;

	if (cursor.bad)
		return false;
	if (frame->type_id == EVENT_METADATA || frame->type_id == EVENT_CHECKPOINT)
		return is_in(bounds, cursor_varint(&start)) &&
		       (frame->type_id == EVENT_METADATA
				? is_believed_metadata(cursor, frame->size)
				: is_believed_checkpoint(chunk, cursor));
	if (!type || type->program.is_broken)
		return false;
	if (type->has_plain_ticks && !is_in(bounds, cursor_varint(&start)))
		return false;
	*effort -= frame->size;
	return value_skip(&type->program, &cursor) && cursor.at == end;
}

static bool is_event(const struct chunk *chunk, const struct bounds *bounds, size_t at,
		     size_t *next, uint64_t *effort)
{
	struct frame frame;

	if (frame_read(chunk->bytes, chunk->size, at, &frame) ||
	    frame.size > *effort)
		return false;
	*next = at + frame.size;
	return is_believed(chunk, bounds, &frame, chunk->bytes + *next, effort);
}

/* What comes last may be cut: then there is at least a type. */
static bool is_cut(const struct chunk *chunk, size_t at)
{
	struct cursor cursor = cursor_of(chunk->bytes + at, chunk->size - at);
	uint64_t size = cursor_varint(&cursor);
	uint64_t type = cursor_varint(&cursor);

	return cursor.bad || (size > chunk->size - at &&
			      (type == EVENT_CHECKPOINT || type == EVENT_METADATA ||
			       metadata_event(&chunk->metadata, type)));
}

bool resync_is_event(const struct chunk *chunk, size_t at, uint64_t *effort)
{
	struct bounds bounds = bounds_of(chunk);
	size_t next;

	return is_event(chunk, &bounds, at, &next, effort);
}

size_t resync_find(const struct chunk *chunk, size_t at, uint64_t *effort)
{
	struct bounds bounds = bounds_of(chunk);
	size_t next, after;

	for (; at < chunk->size && *effort > 0; at++, *effort -= *effort > 0) {
		if (is_event(chunk, &bounds, at, &next, effort) &&
		    (next == chunk->size || next == chunk->flushed ||
		     is_event(chunk, &bounds, next, &after, effort) ||
		     is_cut(chunk, next)))
			return at;
	}
	return chunk->size;
}
