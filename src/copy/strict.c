#include "copy/strict.h"

#include "jfr/frame.h"

static bool is_pool(const struct accept *accept, struct cursor *cursor)
{
	int64_t id = (int64_t)cursor_varint(cursor);
	int32_t count = (int32_t)cursor_varint(cursor);
	const struct type *type = metadata_type(accept->metadata, id);

	if (cursor->bad || count <= 0 || !type || !accept_pool(accept, type))
		return false;
	for (int32_t i = 0; i < count; i++) {
		cursor_varint(cursor);
		if (!value_skip(&type->program, cursor))
			return false;
	}
	return true;
}

/* Reads the checkpoint at this offset, and how far before it is the next; 0: none. */
static bool is_checkpoint(const struct chunk *chunk, const struct accept *accept,
			  size_t at, size_t limit, int64_t *before)
{
	struct frame frame;
	struct cursor cursor;
	int32_t pools;

	if (frame_read(chunk->bytes, limit, at, &frame) ||
	    frame.type_id != EVENT_CHECKPOINT)
		return false;
	cursor = (struct cursor){ frame.body, chunk->bytes + at + frame.size, false };
	if (cursor.at > cursor.end)
		return false;
	cursor_varint(&cursor);	/* start */
	cursor_varint(&cursor);	/* duration */
	*before = (int64_t)cursor_varint(&cursor);
	cursor_byte(&cursor);	/* kind */
	pools = (int32_t)cursor_varint(&cursor);
	for (int32_t i = 0; i < pools; i++) {
		if (!is_pool(accept, &cursor))
			return false;
	}
	return !cursor.bad && cursor_left(&cursor) == 0;
}

static bool has_constants(const struct chunk *chunk)
{
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		if (chunk->pools[i])
			return true;
	}
	return false;
}

bool strict_checkpoints(const struct chunk *chunk, const struct accept *accept,
			bool is_first)
{
	int64_t at = chunk->header.checkpoint_at, before = 0;
	size_t limit = chunk->size;

	if (at == 0 && is_first)
		return !has_constants(chunk);
	if (at < HEADER_SIZE || (uint64_t)at >= limit)
		return false;
	for (;;) {
		if (!is_checkpoint(chunk, accept, (size_t)at, limit, &before))
			return false;
		if (before == 0)
			return true;
		if (before > 0 || before < HEADER_SIZE - at)
			return false;
		limit = (size_t)at;
		at += before;
	}
}
