#include "engine/stream.h"

#include <string.h>

void stream_init(struct stream *stream, struct blocks *blocks, enum spill_kind kind)
{
	*stream = (struct stream){ .blocks = blocks, .kind = kind };
}

/* Which block of the chain a byte is in. */
static size_t index_of(const struct stream *stream, uint64_t at)
{
	return (size_t)(at / BLOCK_ROOM - stream->begin / BLOCK_ROOM);
}

static bool add_block(struct stream *stream)
{
	struct spill_block *block = blocks_take(stream->blocks);

	if (block && !vec_push(&stream->chain, block)) {
		blocks_give(stream->blocks, block);
		block = NULL;
	}
	if (!block)
		return false;
	block->first = 0;
	blocks_publish(block, stream->kind, stream->end / BLOCK_ROOM);
	return true;
}

/* The block that the next byte goes to; NULL without memory. */
static struct spill_block *last_block(struct stream *stream)
{
	size_t index = index_of(stream, stream->end);

	if (index == stream->chain.count && !add_block(stream))
		return NULL;
	return stream->chain.items[index];
}

bool stream_add(struct stream *stream, const void *bytes, size_t size)
{
	const char *from = bytes;

	while (size > 0) {
		struct spill_block *block = last_block(stream);
		size_t at = stream->end % BLOCK_ROOM;
		size_t part = BLOCK_ROOM - at < size ? BLOCK_ROOM - at : size;

		if (!block)
			return false;
		memcpy(block->bytes + at, from, part);
		block_set_used(block, at + part);
		stream->end += part;
		from += part;
		size -= part;
	}
	return true;
}

bool stream_mark(struct stream *stream)
{
	struct spill_block *block = last_block(stream);

	if (block && !block->first)
		block->first = (uint32_t)(stream->end % BLOCK_ROOM) + 1;
	return block != NULL;
}

void stream_read(const struct stream *stream, uint64_t from, uint64_t size,
		 struct buf *to)
{
	while (size > 0) {
		const struct spill_block *block =
			stream->chain.items[index_of(stream, from)];
		size_t at = from % BLOCK_ROOM;
		size_t part = BLOCK_ROOM - at < size ? BLOCK_ROOM - at : (size_t)size;

		buf_add(to, block->bytes + at, part);
		from += part;
		size -= part;
	}
}

/* What is behind it is written anew, block by block. */
void stream_cut(struct stream *stream, uint64_t end)
{
	size_t keep = index_of(stream, end) + (end % BLOCK_ROOM > 0);

	stream->end = end;
	while (stream->chain.count > keep) {
		struct spill_block *block =
			stream->chain.items[--stream->chain.count];

		blocks_give(stream->blocks, block);
	}
	if (keep > 0 && end % BLOCK_ROOM > 0) {
		struct spill_block *last = stream->chain.items[keep - 1];

		block_set_used(last, end % BLOCK_ROOM);
		if (last->first > last->used)
			last->first = 0;
	}
}

void stream_drop(struct stream *stream, uint64_t begin)
{
	size_t gone = index_of(stream, begin);

	stream->begin = begin;
	for (size_t i = 0; i < gone; i++)
		blocks_give(stream->blocks, stream->chain.items[i]);
	if (gone == 0)
		return;
	stream->chain.count -= gone;
	memmove(stream->chain.items, stream->chain.items + gone,
		stream->chain.count * sizeof(*stream->chain.items));
}

void stream_clear(struct stream *stream, bool stays)
{
	for (size_t i = 0; i < stream->chain.count; i++) {
		if (stays)
			blocks_leave(stream->blocks, stream->chain.items[i]);
		else
			blocks_give(stream->blocks, stream->chain.items[i]);
	}
	vec_clear(&stream->chain);
	*stream = (struct stream){ 0 };
}
