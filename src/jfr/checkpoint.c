#include "jfr/checkpoint.h"

#include <stdlib.h>

#include "base/vec.h"
#include "jfr/event.h"

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
	const bool *wanted;	/* by type index: these pools; NULL: all */
	struct damage *damage;
	struct cursor cursor;
	size_t at;		/* offset in the chunk */
	size_t limit;		/* where the checkpoint after it starts */
	int64_t delta;		/* to the checkpoint before it; 0: there is none */
	VEC(size_t) places;	/* those read, the newest first */
	bool is_astray;		/* the chain does not lead to all of them */
	size_t astray_at;	/* the one that was told to be broken; 0: none */
};

static void note(const struct checkpoint *checkpoint, const char *cause,
		 struct str type)
{
	damage_add(checkpoint->damage, cause, type,
		   chunk_site(checkpoint->chunk, checkpoint->at));
}

/* The chain is broken there. */
static void stray(struct checkpoint *checkpoint, const char *cause)
{
	note(checkpoint, cause, STR(""));
	checkpoint->is_astray = true;
	checkpoint->astray_at = checkpoint->at;
}

static bool is_wanted(const struct checkpoint *checkpoint, const struct type *type)
{
	return !checkpoint->wanted || checkpoint->wanted[type->index];
}

/*
 * False only when memory runs out; a broken pool ends its checkpoint. One that is not
 * wanted is only gone past.
 */
static bool read_pool(struct checkpoint *checkpoint, const struct type *type,
		      int32_t count)
{
	bool is_kept = is_wanted(checkpoint, type);
	struct pool *pool = is_kept ? own_pool(checkpoint->chunk, type) : NULL;
	struct cursor *cursor = &checkpoint->cursor;

	if (is_kept && !pool)
		return false;
	for (int32_t i = 0; i < count; i++) {
		struct constant constant = { .key = cursor_varint(cursor),
					     .bytes = cursor->at };

		if (!value_skip(&type->program, cursor)) {
			note(checkpoint, "a constant pool is cut short", type->name);
			return true;
		}
		constant.size = (uint32_t)(cursor->at - constant.bytes);
		if (is_kept && !pool_add(pool, constant))
			return false;
	}
	return true;
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
		/* Behind the last one is nothing: stack traces mostly are alone. */
		if (i == pools - 1 && !is_wanted(checkpoint, type))
			break;
		if (!read_pool(checkpoint, type, count))
			return false;
	}
	return true;
}

/* Reads what stands in front of the pools; false if that does not fit in. */
static bool read_head(struct checkpoint *checkpoint)
{
	struct cursor *cursor = &checkpoint->cursor;

	cursor_varint(cursor);	/* start */
	cursor_varint(cursor);	/* duration */
	checkpoint->delta = (int64_t)cursor_varint(cursor);
	cursor_byte(cursor);	/* kind of checkpoint */
	return !cursor->bad;
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
		stray(checkpoint, checkpoint->limit == chunk->size
			? "a checkpoint reaches past the end of its chunk"
			: "a checkpoint reaches into the one after it");
		return false;
	}
	cursor->end = chunk->bytes + at + size;
	if (cursor->at > cursor->end || cursor_varint(cursor) != EVENT_CHECKPOINT) {
		stray(checkpoint, "no checkpoint event where one should be");
		return false;
	}
	if (read_head(checkpoint))
		return true;
	stray(checkpoint, "a checkpoint is cut short");
	return false;
}

/* Moves to the checkpoint before this one; false at the end of the chain. */
static bool checkpoint_back(struct checkpoint *checkpoint)
{
	if (checkpoint->delta == 0)
		return false;
	/* Only backwards: anything else would go round in circles. */
	if (checkpoint->delta > 0 || checkpoint->delta == INT64_MIN ||
	    (uint64_t)-checkpoint->delta > checkpoint->at - HEADER_SIZE) {
		stray(checkpoint, "the chain of checkpoints is broken");
		return false;
	}
	checkpoint->limit = checkpoint->at;
	checkpoint->at -= (size_t)-checkpoint->delta;
	return true;
}

/* False only when memory runs out. */
static bool follow_chain(struct checkpoint *checkpoint)
{
	int64_t at = checkpoint->chunk->header.checkpoint_at;

	if (at < HEADER_SIZE || (uint64_t)at >= checkpoint->chunk->size) {
		checkpoint->is_astray = true;
		if (at != 0)
			note(checkpoint, "the header points to no checkpoint", STR(""));
		return true;
	}
	checkpoint->at = (size_t)at;
	do {
		if (!checkpoint_open(checkpoint))
			break;
		if (!read_pools(checkpoint) ||
		    !vec_push(&checkpoint->places, checkpoint->at))
			return false;
	} while (checkpoint_back(checkpoint));
	return true;
}

/* Adds the places of all checkpoints that can be found among the events. */
static bool find_places(struct checkpoint *checkpoint, size_t *chained)
{
	struct event_walk walk = event_walk(checkpoint->chunk, NULL);
	struct event event;

	*chained = checkpoint->places.count;
	while (event_next(&walk, &event)) {
		if (event.type_id == EVENT_CHECKPOINT &&
		    !vec_push(&checkpoint->places, event.offset))
			return false;
	}
	return true;
}

/* True if the chain led there: its places come from the end to the start. */
static bool is_chained(const struct checkpoint *checkpoint, size_t chained, size_t at)
{
	size_t low = 0, high = chained;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (checkpoint->places.items[middle] == at)
			return true;
		if (checkpoint->places.items[middle] > at)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* Reads those that the chain did not lead to, the newest first. */
static bool search(struct checkpoint *checkpoint)
{
	struct chunk *chunk = checkpoint->chunk;
	size_t chained;

	if (!find_places(checkpoint, &chained))
		return false;
	for (size_t i = checkpoint->places.count; i-- > chained;) {
		struct event event = event_at(chunk, checkpoint->places.items[i]);

		if (is_chained(checkpoint, chained, event.offset))
			continue;
		checkpoint->at = event.offset;
		checkpoint->cursor = event_cursor(chunk, &event);
		if (read_head(checkpoint)) {
			if (!read_pools(checkpoint))
				return false;
		} else if (event.offset != checkpoint->astray_at) {
			note(checkpoint, "a checkpoint is cut short", STR(""));
		}
	}
	return true;
}

bool checkpoint_load(struct chunk *chunk, struct damage *damage, struct err *err)
{
	return checkpoint_load_some(chunk, NULL, damage, err);
}

bool checkpoint_load_some(struct chunk *chunk, const bool *wanted,
			  struct damage *damage, struct err *err)
{
	struct checkpoint checkpoint = { .chunk = chunk, .wanted = wanted,
					 .damage = damage, .limit = chunk->size };
	bool is_good;

	chunk->pools = calloc(chunk->metadata.type_count + 1, sizeof(*chunk->pools));
	if (!chunk->pools)
		return err_memory(err);
	checkpoint.is_astray = chunk->is_unfinished;
	is_good = (chunk->is_unfinished || follow_chain(&checkpoint)) &&
		  (!checkpoint.is_astray || search(&checkpoint));
	vec_clear(&checkpoint.places);
	chunk->strings = chunk_pool(chunk, chunk->metadata.string);
	return is_good || err_memory(err);
}
