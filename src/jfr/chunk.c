#include "jfr/chunk.h"

#include <stdlib.h>

#include "jfr/compile.h"

/* Real metadata decodes to about two megabytes. */
#define METADATA_LIMIT (32u << 20)

/* What says which types there are: all behind size, type, start, duration and id. */
static struct str metadata_body(const unsigned char *bytes, size_t size)
{
	struct cursor cursor = cursor_of(bytes, size);

	for (int i = 0; i < 5; i++)
		cursor_varint(&cursor);
	return (struct str){ (const char *)cursor.at, cursor_left(&cursor) };
}

static bool decode_metadata(struct chunk *chunk, const unsigned char *bytes,
			    size_t size, struct err *err)
{
	struct str body = metadata_body(bytes, size);
	struct known *known = chunk->known;

	chunk->is_shared = known && known_find(known, body, &chunk->metadata);
	if (chunk->is_shared)
		return true;
	if (!metadata_read(&chunk->metadata, bytes, size, &chunk->arena, err))
		return false;
	if (!compile_types(&chunk->metadata, &chunk->arena))
		return chunk->arena.is_full
			       ? err_set(err, ERR_FORMAT,
					 "its types take too much memory")
			       : err_memory(err);
	chunk->is_shared =
		known && known_add(known, body, &chunk->metadata, &chunk->arena);
	return true;
}

static bool read_metadata(struct chunk *chunk, struct err *err)
{
	int64_t at = chunk->header.metadata_at;
	unsigned long long place = chunk->offset + (uint64_t)at;
	struct cursor cursor;
	size_t left;
	uint64_t size;

	if (at < HEADER_SIZE || (uint64_t)at >= chunk->size)
		return err_set(err, ERR_FORMAT,
			       "the header points to no metadata event (%lld)",
			       (long long)at);
	left = chunk->size - (size_t)at;
	cursor = cursor_of(chunk->bytes + at, left);
	size = cursor_varint(&cursor);
	if (cursor_varint(&cursor) != EVENT_METADATA || cursor.bad)
		return err_set(err, ERR_FORMAT, "no metadata event at byte %llu",
			       place);
	if (size < left &&
	    decode_metadata(chunk, chunk->bytes + at, (size_t)size, NULL))
		return true;
	/* The size may be wrong, and the event whole: the JDK does not look at it. */
	metadata_clear(&chunk->metadata);
	return decode_metadata(chunk, chunk->bytes + at, left, err) ||
	       err_within(err, "metadata at byte %llu", place);
}

bool chunk_open(struct chunk *chunk, const unsigned char *bytes, size_t size,
		struct err *err)
{
	chunk->bytes = bytes;
	chunk->size = size;
	chunk->arena.limit = METADATA_LIMIT;
	return header_read(&chunk->header, bytes, size, err) &&
	       read_metadata(chunk, err);
}

static struct pool *own_pool(struct chunk *chunk, const struct type *type)
{
	struct pool **pool = &chunk->pools[type->index];

	if (!*pool) {
		*pool = calloc(1, sizeof(**pool));
		if (*pool)
			(*pool)->type = type;
	}
	return *pool;
}

/* Where the reading of a checkpoint stands. */
struct checkpoint {
	struct chunk *chunk;
	struct damage *damage;
	struct cursor cursor;
	size_t at;		/* offset in the chunk */
	size_t limit;		/* where the checkpoint after it starts */
	int64_t delta;		/* to the checkpoint before it; 0: there is none */
};

static void note(const struct checkpoint *checkpoint, const char *cause,
		 struct str type)
{
	const struct chunk *chunk = checkpoint->chunk;

	damage_add(checkpoint->damage, cause, type, chunk->index,
		   chunk->offset + checkpoint->at);
}

/* False only when memory runs out; a broken pool ends its checkpoint. */
static bool read_pool(struct checkpoint *checkpoint, const struct type *type,
		      int32_t count)
{
	struct pool *pool = own_pool(checkpoint->chunk, type);
	struct cursor *cursor = &checkpoint->cursor;

	for (int32_t i = 0; pool && i < count; i++) {
		struct constant constant = { .key = cursor_varint(cursor),
					     .bytes = cursor->at };

		if (!value_skip(&type->program, cursor)) {
			note(checkpoint, "a constant pool is cut short", type->name);
			return true;
		}
		constant.size = (uint32_t)(cursor->at - constant.bytes);
		if (!pool_add(pool, constant))
			return false;
	}
	return pool != NULL;
}

static bool read_pools(struct checkpoint *checkpoint)
{
	const struct metadata *metadata = &checkpoint->chunk->metadata;
	struct cursor *cursor = &checkpoint->cursor;
	int32_t pools = (int32_t)cursor_varint(cursor);

	for (int32_t i = 0; i < pools && !cursor->bad; i++) {
		int64_t id = (int64_t)cursor_varint(cursor);
		int32_t count = (int32_t)cursor_varint(cursor);
		const struct type *type = metadata_type(metadata, id);

		if (cursor->bad) {
			note(checkpoint, "a checkpoint is cut short", STR(""));
			break;
		}
		if (!type || type->program.is_broken) {
			/* Its entries have no known length: the rest is lost. */
			note(checkpoint,
			     "a checkpoint holds constants of an unknown type",
			     type ? type->name : STR(""));
			break;
		}
		if (!read_pool(checkpoint, type, count))
			return false;
	}
	return true;
}

/* Reads the frame of a checkpoint event; false if there is none at this place. */
static bool checkpoint_open(struct checkpoint *checkpoint)
{
	struct chunk *chunk = checkpoint->chunk;
	struct cursor *cursor = &checkpoint->cursor;
	size_t at = checkpoint->at;
	uint64_t size;

	*cursor = cursor_of(chunk->bytes + at, chunk->size - at);
	size = cursor_varint(cursor);
	if (size > checkpoint->limit - at) {
		note(checkpoint, checkpoint->limit == chunk->size
			? "a checkpoint reaches past the end of its chunk"
			: "a checkpoint reaches into the one after it", STR(""));
		return false;
	}
	cursor->end = chunk->bytes + at + size;
	if (cursor->at > cursor->end || cursor_varint(cursor) != EVENT_CHECKPOINT) {
		note(checkpoint, "no checkpoint event where one should be", STR(""));
		return false;
	}
	cursor_varint(cursor);	/* start */
	cursor_varint(cursor);	/* duration */
	checkpoint->delta = (int64_t)cursor_varint(cursor);
	cursor_byte(cursor);	/* kind of checkpoint */
	if (cursor->bad)
		note(checkpoint, "a checkpoint is cut short", STR(""));
	return !cursor->bad;
}

/* Moves to the checkpoint before this one; false at the end of the chain. */
static bool checkpoint_back(struct checkpoint *checkpoint)
{
	if (checkpoint->delta == 0)
		return false;
	/* Only backwards: anything else would go round in circles. */
	if (checkpoint->delta > 0 || checkpoint->delta == INT64_MIN ||
	    (uint64_t)-checkpoint->delta > checkpoint->at - HEADER_SIZE) {
		note(checkpoint, "the chain of checkpoints is broken", STR(""));
		return false;
	}
	checkpoint->limit = checkpoint->at;
	checkpoint->at -= (size_t)-checkpoint->delta;
	return true;
}

bool chunk_load_pools(struct chunk *chunk, struct damage *damage, struct err *err)
{
	int64_t at = chunk->header.checkpoint_at;
	struct checkpoint checkpoint = { .chunk = chunk, .damage = damage,
					 .at = (size_t)at, .limit = chunk->size };

	chunk->pools = calloc(chunk->metadata.type_count + 1, sizeof(*chunk->pools));
	if (!chunk->pools)
		return err_memory(err);
	if (at == 0)
		return true;
	if (at < HEADER_SIZE || (uint64_t)at >= chunk->size) {
		checkpoint.at = 0;
		note(&checkpoint, "the header points to no checkpoint", STR(""));
		return true;
	}
	do {
		if (!checkpoint_open(&checkpoint))
			break;
		if (!read_pools(&checkpoint))
			return err_memory(err);
	} while (checkpoint_back(&checkpoint));
	chunk->strings = chunk_pool(chunk, chunk->metadata.string);
	return true;
}

void chunk_close(struct chunk *chunk)
{
	for (size_t i = 0; chunk->pools && i < chunk->metadata.type_count; i++) {
		if (chunk->pools[i])
			pool_clear(chunk->pools[i]);
		free(chunk->pools[i]);
	}
	free(chunk->pools);
	if (!chunk->is_shared)
		metadata_clear(&chunk->metadata);
	arena_clear(&chunk->arena);
	*chunk = (struct chunk){ 0 };
}
