#include "copy/scrub.h"

#include "jfr/encode.h"
#include "jfr/frame.h"

/* Checkpoints have a size of four bytes, and no more than these hold. */
#define SIZE_BYTES 4
#define SIZE_LIMIT ((size_t)1 << 28)

/* What is left of a pool. One that is there twice in a checkpoint is one. */
struct scrub_pool {
	const struct type *type;
	uint32_t count;
	struct buf bytes;
};

/* The pool of that type in the present checkpoint; NULL without memory. */
static struct scrub_pool *own_pool(struct scrub *scrub, const struct type *type)
{
	struct scrub_pool fresh = { .type = type };

	for (size_t i = 0; i < scrub->pools.count; i++) {
		if (scrub->pools.items[i].type == type)
			return &scrub->pools.items[i];
	}
	if (!vec_push(&scrub->pools, fresh))
		return NULL;
	return &scrub->pools.items[scrub->pools.count - 1];
}

/*
 * The place of the constant whose value begins there, if that is the one that counts of
 * its key, and is marked; else MAP_NONE.
 */
static uint32_t find_left(const struct scrub *scrub, const struct type *type, uint64_t key,
			  const unsigned char *value)
{
	const struct pool *pool = chunk_pool(scrub->chunk, type);
	uint32_t index = pool_find(pool, key);

	if (index == MAP_NONE || pool->constants.items[index].bytes != value ||
	    !refs_has(scrub->refs, type, index))
		return MAP_NONE;
	return index;
}

static void add_constant(struct scrub *scrub, struct scrub_pool *pool, uint32_t index)
{
	const struct pool *from = chunk_pool(scrub->chunk, pool->type);
	const struct constant *constant = &from->constants.items[index];

	pool->count++;
	if (scrub->changes)
		changes_add_constant(scrub->changes, from, index, &pool->bytes);
	else
		buf_add(&pool->bytes, constant->bytes, constant->size);
}

static bool read_pool(struct scrub *scrub, struct cursor *cursor)
{
	int64_t id = (int64_t)cursor_varint(cursor);
	int32_t count = (int32_t)cursor_varint(cursor);
	const struct type *type = metadata_type(&scrub->chunk->metadata, id);
	struct scrub_pool *pool = type ? own_pool(scrub, type) : NULL;

	if (!pool)
		return false;
	for (int32_t i = 0; i < count && !cursor->bad; i++) {
		const unsigned char *start = cursor->at;
		uint64_t key = cursor_varint(cursor);
		const unsigned char *value = cursor->at;
		uint32_t index = find_left(scrub, type, key, value);

		value_skip(&type->program, cursor);
		if (index == MAP_NONE)
			continue;
		buf_add(&pool->bytes, start, (size_t)(value - start));
		add_constant(scrub, pool, index);
	}
	return !cursor->bad && !pool->bytes.failed;
}

static bool read_pools(struct scrub *scrub, struct cursor *cursor)
{
	int32_t pools = (int32_t)cursor_varint(cursor);

	for (size_t i = 0; i < scrub->pools.count; i++)
		buf_clear(&scrub->pools.items[i].bytes);
	scrub->pools.count = 0;
	for (int32_t i = 0; i < pools; i++) {
		if (!read_pool(scrub, cursor))
			return false;
	}
	return true;
}

static void add_pools(struct scrub *scrub)
{
	struct buf *buf = &scrub->buf;
	int64_t left = 0;

	for (size_t i = 0; i < scrub->pools.count; i++)
		left += scrub->pools.items[i].count > 0;
	encode_long(buf, left);
	for (size_t i = 0; i < scrub->pools.count; i++) {
		const struct scrub_pool *pool = &scrub->pools.items[i];

		if (pool->count == 0)
			continue;
		encode_long(buf, pool->type->id);
		encode_long(buf, pool->count);
		buf_add(buf, pool->bytes.bytes, pool->bytes.size);
	}
}

/* Start, duration and kind stay as they are. */
static bool add_checkpoint(struct scrub *scrub, const struct frame *frame)
{
	const unsigned char *end = scrub->chunk->bytes + scrub->at + frame->size;
	struct cursor cursor = { frame->body, end, false };
	struct buf *buf = &scrub->buf;
	uint64_t at = scrub->position, before = scrub->checkpoint_at;
	int64_t delta;

	encode_padded(buf, 0, SIZE_BYTES);
	encode_long(buf, EVENT_CHECKPOINT);
	encode_varint(buf, cursor_varint(&cursor));
	encode_varint(buf, cursor_varint(&cursor));
	delta = (int64_t)cursor_varint(&cursor);
	encode_long(buf, before ? (int64_t)(before - at) : 0);
	buf_byte(buf, (char)cursor_byte(&cursor));
	if (!read_pools(scrub, &cursor)) {
		buf->failed = true;
		return false;
	}
	add_pools(scrub);
	scrub->is_too_large = buf->size >= SIZE_LIMIT;
	if (buf->failed || scrub->is_too_large)
		return false;
	encode_padded_at(buf->bytes, buf->size, SIZE_BYTES);
	scrub->checkpoint_at = at;
	scrub->position += buf->size;
	scrub->at = delta ? scrub->at + delta : 0;
	return true;
}

void scrub_begin(struct scrub *scrub, uint64_t position)
{
	scrub->position = position;
	scrub->checkpoint_at = 0;
	scrub->is_too_large = false;
	scrub->at = scrub->chunk->header.checkpoint_at;
}

bool scrub_next(struct scrub *scrub)
{
	const struct chunk *chunk = scrub->chunk;
	struct frame frame;

	buf_reset(&scrub->buf);
	if (scrub->at < HEADER_SIZE || (uint64_t)scrub->at >= chunk->size ||
	    frame_read(chunk->bytes, chunk->size, (size_t)scrub->at, &frame))
		return false;
	return add_checkpoint(scrub, &frame);
}

void scrub_clear(struct scrub *scrub)
{
	for (size_t i = 0; i < scrub->pools.count; i++)
		buf_clear(&scrub->pools.items[i].bytes);
	vec_clear(&scrub->pools);
	buf_clear(&scrub->buf);
}
