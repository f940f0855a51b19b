/*
 * constants.c - checkpoints, how they hang together, and the constants in them.
 *
 * What checkpoint_load tells is not told again: where it finds a fault, this is silent.
 */
#include <stdlib.h>

#include "verify/check.h"

/*
 * Pools without constants, as async-profiler writes them, and bytes behind the last
 * one stop the JDK, but nothing is lost. Neither is it by two values for a key: threads
 * get new names, and HotSpot starts compiler threads again, which get new numbers. What
 * the chain does not lead to is lost to all who follow it.
 */
static const struct cause
	is_empty = REMARK("a constant pool holds nothing"),
	is_of_events = REMARK("a constant pool is of an event type"),
	has_rest = REMARK("a checkpoint has bytes behind its constants"),
	is_twofold = REMARK("a key has two values in one chunk"),
	is_unchained = FAULT("a checkpoint is not in the chain"),
	is_astray = FAULT("a checkpoint of the chain is not among the events"),
	is_unset = FAULT("the header names no checkpoint");

/* Goes past the constants of one pool. */
static bool skip_pool(const struct type *type, int32_t count, struct cursor *cursor)
{
	for (int32_t i = 0; i < count; i++) {
		cursor_varint(cursor);
		if (!value_skip(&type->program, cursor))
			return false;
	}
	return true;
}

static bool check_pool(struct check *check, struct cursor *cursor)
{
	size_t at = check_offset(check, cursor->at);
	int64_t id = (int64_t)cursor_varint(cursor);
	int32_t count = (int32_t)cursor_varint(cursor);
	const struct type *type = metadata_type(&check->chunk->metadata, id);

	if (cursor->bad || !type || type->program.is_broken)
		return false;
	if (count <= 0)
		check_add(check, &is_empty, type->name, at,
			  count ? "a count of %d" : NULL, count);
	if (type->is_event)
		check_add(check, &is_of_events, type->name, at, NULL);
	return skip_pool(type, count, cursor);
}

void check_checkpoint(struct check *check, const struct event *event)
{
	struct cursor cursor = event_cursor(check->chunk, event);
	int32_t pools;

	if (!vec_push(&check->checkpoints, event->offset))
		check->findings->failed = true;
	for (int i = 0; i < 3; i++)	/* start, duration, the way back */
		cursor_varint(&cursor);
	cursor_byte(&cursor);
	pools = (int32_t)cursor_varint(&cursor);
	for (int32_t i = 0; i < pools; i++) {
		if (!check_pool(check, &cursor))
			return;
	}
	if (!cursor.bad && cursor_left(&cursor) > 0)
		check_add(check, &has_rest, STR(""), check_offset(check, cursor.at),
			  "%zu", cursor_left(&cursor));
}

/* The index among the checkpoints that were seen, or their number. */
static size_t find_checkpoint(const struct check *check, size_t at)
{
	size_t low = 0, high = check->checkpoints.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (check->checkpoints.items[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < check->checkpoints.count && check->checkpoints.items[low] == at
		       ? low
		       : check->checkpoints.count;
}

/*
 * Where the checkpoint before this one is; 0: there is none. False where the chain is
 * broken, which is told by checkpoint_load: it reads all of them then.
 */
static bool go_back(const struct chunk *chunk, size_t at, size_t limit, size_t *before)
{
	struct frame frame;
	struct cursor cursor;
	int64_t delta;

	if (frame_read(chunk->bytes, limit, at, &frame) ||
	    frame.type_id != EVENT_CHECKPOINT)
		return false;
	cursor = cursor_of(frame.body, (size_t)(chunk->bytes + limit - frame.body));
	cursor_varint(&cursor);
	cursor_varint(&cursor);
	delta = (int64_t)cursor_varint(&cursor);
	*before = 0;
	if (cursor.bad || delta == 0)
		return !cursor.bad;
	if (delta > 0 || delta < -(int64_t)(at - HEADER_SIZE))
		return false;
	*before = at - (size_t)-delta;
	return true;
}

/* Marks those that the chain leads to; false if it is broken. */
static bool follow(struct check *check, size_t at, bool *is_chained)
{
	const struct chunk *chunk = check->chunk;
	size_t limit = chunk->size, before;

	if (at < HEADER_SIZE || at >= limit)
		return false;
	for (; at; limit = at, at = before) {
		size_t index = find_checkpoint(check, at);

		if (!go_back(chunk, at, limit, &before))
			return false;
		if (index < check->checkpoints.count)
			is_chained[index] = true;
		else
			check_add(check, &is_astray, STR(""), at, NULL);
	}
	return true;
}

void check_chain(struct check *check)
{
	size_t at = (size_t)check->chunk->header.checkpoint_at;
	size_t count = check->checkpoints.count;
	bool *is_chained;

	if (check->chunk->is_unfinished)	/* the newest are not in it yet */
		return;
	if (at == 0 && count)
		check_add(check, &is_unset, STR(""), 0, "%zu among the events", count);
	is_chained = calloc(count + 1, sizeof(*is_chained));
	if (!is_chained) {
		check->findings->failed = true;
		return;
	}
	if (follow(check, at, is_chained)) {
		for (size_t i = 0; i < count; i++) {
			if (!is_chained[i])
				check_add(check, &is_unchained, STR(""),
					  check->checkpoints.items[i], NULL);
		}
	}
	free(is_chained);
}

/* Each flush has its own, under the same key: a copy of the header. */
static bool is_header(const struct type *type)
{
	return str_is(type->name, STR("jdk.types.ChunkHeader"));
}

/* The values of all constants of a pool, and what they say apart from references. */
static void check_pool_values(struct check *check, const struct pool *pool)
{
	uint64_t *hashes = check->hashes[pool->type->index];

	for (uint32_t i = 0; i < pool->constants.count; i++) {
		struct cursor cursor = pool_cursor(pool, i);

		check_values(check, pool->type, &cursor);
		hashes[i] = check->hash;
	}
}

static bool mix_referent(void *context, const struct type *type, uint64_t key)
{
	struct check *check = context;
	uint32_t index = pool_find(chunk_pool(check->chunk, type), key);

	check_mix(check, index == MAP_NONE ? 0 : check->hashes[type->index][index]);
	return true;
}

/*
 * What a constant says together with those it refers to. Their keys say nothing: those
 * of symbols may differ in each chunk, and with JDK 11 those of thread groups even in
 * each checkpoint.
 */
static uint64_t meaning_of(struct check *check, const struct pool *pool, uint32_t index)
{
	struct cursor cursor = pool_cursor(pool, index);

	check->hash = check->hashes[pool->type->index][index];
	refs_walk(&pool->type->program, &cursor, check->chunk->metadata.string,
		  mix_referent, check);
	return check->hash;
}

/* Of constants with the same key the oldest counts, which was added last. */
static void check_twofold(struct check *check, const struct pool *pool,
			  const uint64_t *meanings)
{
	for (uint32_t i = 0; i < pool->constants.count; i++) {
		const struct constant *constant = &pool->constants.items[i];
		uint32_t other = pool_find(pool, constant->key);
		size_t at = check_offset(check, pool->constants.items[other].bytes);

		if (meanings[i] != meanings[other])
			check_add(check, &is_twofold, pool->type->name,
				  check_offset(check, constant->bytes),
				  "key %lld; the one at byte %llu counts",
				  (long long)constant->key,
				  (unsigned long long)check->chunk->offset + at);
	}
}

static int compare_tokens(const void *one, const void *other)
{
	const struct token *a = one, *b = other;

	return (a->key > b->key) - (a->key < b->key);
}

static bool add_tokens(struct check *check, const struct pool *pool,
		       const uint64_t *meanings)
{
	struct tokens *tokens = check->tokens;
	struct str name = pool->type->name;
	struct token_pool head = { pool->type->id, { NULL, name.size },
				   tokens->list.count, 0 };

	head.type.bytes = arena_copy(&check->findings->arena, name.bytes, name.size);
	if (!head.type.bytes)
		return false;
	for (uint32_t i = 0; i < pool->constants.count; i++) {
		const struct constant *constant = &pool->constants.items[i];
		struct token token = { constant->key, meanings[i],
				       check->chunk->offset +
					       check_offset(check, constant->bytes) };

		if (pool_find(pool, constant->key) == i &&
		    !vec_push(&tokens->list, token))
			return false;
	}
	head.count = tokens->list.count - head.first;
	qsort(tokens->list.items + head.first, head.count, sizeof(struct token),
	      compare_tokens);
	return vec_push(&tokens->pools, head);
}

static void compare_constants(struct check *check, const struct pool *pool)
{
	size_t count = pool->constants.count;
	uint64_t *meanings;

	if (is_header(pool->type) || count == 0)
		return;
	meanings = malloc(count * sizeof(*meanings));
	for (uint32_t i = 0; meanings && i < count; i++)
		meanings[i] = meaning_of(check, pool, i);
	if (meanings && pool->keys.count < count)
		check_twofold(check, pool, meanings);
	if (!meanings || !add_tokens(check, pool, meanings))
		check->findings->failed = true;
	free(meanings);
}

static void count_constants(struct check *check, const struct pool *pool)
{
	check->constants += pool->keys.count;
	for (uint32_t i = 0; i < pool->constants.count; i++)
		check->unused += pool_find(pool, pool->constants.items[i].key) == i &&
				 !refs_has(&check->refs, pool->type, i);
}

static int compare_pools(const void *one, const void *other)
{
	const struct token_pool *a = one, *b = other;

	return (a->type_id > b->type_id) - (a->type_id < b->type_id);
}

/* Calls it for each pool. */
static void each_pool(struct check *check,
		      void (*call)(struct check *check, const struct pool *pool))
{
	for (size_t i = 0; i < check->chunk->metadata.type_count; i++) {
		const struct pool *pool = check->chunk->pools[i];

		if (pool)
			call(check, pool);
	}
}

static bool hashes_open(struct check *check)
{
	size_t count = check->chunk->metadata.type_count;
	bool is_good;

	check->hashes = calloc(count + 1, sizeof(*check->hashes));
	is_good = check->hashes != NULL;
	for (size_t i = 0; is_good && i < count; i++) {
		const struct pool *pool = check->chunk->pools[i];

		if (pool)
			check->hashes[i] = calloc(pool->constants.count + 1,
						  sizeof(**check->hashes));
		is_good = !pool || check->hashes[i];
	}
	return is_good;
}

static void hashes_close(struct check *check)
{
	for (size_t i = 0; check->hashes && i < check->chunk->metadata.type_count; i++)
		free(check->hashes[i]);
	free(check->hashes);
}

void check_constants(struct check *check)
{
	struct tokens *tokens = check->tokens;

	check->is_hashed = true;
	if (hashes_open(check)) {
		each_pool(check, check_pool_values);
		each_pool(check, compare_constants);
		each_pool(check, count_constants);
	} else {
		check->findings->failed = true;
	}
	hashes_close(check);
	if (tokens->pools.count)
		qsort(tokens->pools.items, tokens->pools.count,
		      sizeof(struct token_pool), compare_pools);
}
