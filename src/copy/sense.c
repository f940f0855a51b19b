#include "copy/sense.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/digest.h"
#include "copy/layout.h"
#include "jfr/rewrite.h"

/* How far circles are followed. */
#define ROUNDS 4

/*
 * Types with constants, and the same times all types: real recordings have a hundred of a
 * thousand. What has more is not compared, and taken to differ.
 */
#define POOLS_MAX 256
#define PAIRS_MAX ((size_t)1 << 20)

/* Finds the meanings, of one type after the other. */
struct search {
	struct sense *sense;
	const struct chunk *chunk;
	struct rewrite rewrite;		/* puts meanings in the place of keys */
	struct buf buf;
	bool **reach;			/* by type index: which types it leads to, or NULL */
	uint64_t *layouts;		/* layout.h */
	bool *is_found;			/* by type index */
	bool *is_core;			/* in a circle, or behind one */
	bool failed;			/* out of memory */
};

static uint64_t sense_of_key(void *context, const struct type *type, uint64_t key)
{
	const struct search *search = context;
	const uint64_t *hashes = search->sense->hashes[type->index];
	uint32_t index = pool_find(chunk_pool(search->chunk, type), key);

	return index == MAP_NONE || !hashes ? 0 : hashes[index];
}

/* The meanings of the constants of a pool, from those that they refer to. */
static uint64_t *find_pool(struct search *search, const struct pool *pool)
{
	uint64_t layout = search->layouts[pool->type->index];
	uint64_t *hashes = calloc(pool->constants.count + 1, sizeof(*hashes));

	for (uint32_t i = 0; hashes && i < pool->constants.count; i++) {
		struct cursor cursor = pool_cursor(pool, i);

		buf_reset(&search->buf);
		rewrite_value(&search->rewrite, pool->type, &cursor, &search->buf);
		search->failed |= search->buf.failed;
		/* Fewer bits, fewer bytes where it stands for a key. */
		hashes[i] = digest(search->buf.bytes, search->buf.size, layout) >> 15 |
			    1;
	}
	search->failed |= !hashes;
	return hashes;
}

static const struct pool *pool_at(const struct search *search, size_t index)
{
	const struct pool *pool = search->chunk->pools[index];

	return pool && pool->constants.count > 0 ? pool : NULL;
}

static void put(struct search *search, size_t index, uint64_t *hashes)
{
	free(search->sense->hashes[index]);
	search->sense->hashes[index] = hashes;
}

static bool is_ready(const struct search *search, size_t index)
{
	for (size_t i = 0; i < search->chunk->metadata.type_count; i++) {
		if (search->reach[index][i] && !search->is_found[i] &&
		    pool_at(search, i))
			return false;
	}
	return true;
}

/* All pools that refer only to what is found, or to others such. */
static void find_plain(struct search *search)
{
	size_t count = search->chunk->metadata.type_count;
	bool goes_on = true;

	while (goes_on && !search->failed) {
		goes_on = false;
		for (size_t i = 0; i < count && !search->failed; i++) {
			if (!search->reach[i] || search->is_found[i] ||
			    search->is_core[i] || !is_ready(search, i))
				continue;
			put(search, i, find_pool(search, pool_at(search, i)));
			search->is_found[i] = goes_on = true;
		}
	}
}

/* One more step along circles: all from the meanings before. */
static void find_round(struct search *search, uint64_t **next)
{
	size_t count = search->chunk->metadata.type_count;

	for (size_t i = 0; i < count && !search->failed; i++) {
		if (search->is_core[i] && !search->is_found[i])
			next[i] = find_pool(search, pool_at(search, i));
	}
	for (size_t i = 0; i < count; i++) {
		if (search->is_core[i] && !search->is_found[i])
			put(search, i, next[i]);
		next[i] = NULL;
	}
}

static void find_core(struct search *search)
{
	size_t count = search->chunk->metadata.type_count;
	uint64_t **next = calloc(count + 1, sizeof(*next));

	search->failed |= !next;
	for (int round = 0; round < ROUNDS && !search->failed; round++)
		find_round(search, next);
	for (size_t i = 0; i < count; i++)
		search->is_found[i] |= search->is_core[i];
	free(next);
}

/* Which types the type's values lead to; itself only if that is a circle. */
static bool *reach_of(const struct type *type, size_t count)
{
	bool *marks = calloc(count + 1, sizeof(*marks));
	bool is_good = marks != NULL;

	for (size_t i = 0; is_good && i < type->field_count; i++) {
		const struct type *next = type->fields[i].type;

		is_good = !next || type_mark(next, marks);
	}
	if (is_good)
		return marks;
	free(marks);
	return NULL;
}

static size_t count_pools(const struct search *search)
{
	size_t count = 0;

	for (size_t i = 0; i < search->chunk->metadata.type_count; i++)
		count += pool_at(search, i) != NULL;
	return count;
}

static void find_reaches(struct search *search)
{
	size_t count = search->chunk->metadata.type_count;

	for (size_t i = 0; i < count && !search->failed; i++) {
		const struct pool *pool = pool_at(search, i);
		bool *reach;

		if (!pool)
			continue;
		reach = search->reach[i] = reach_of(pool->type, count);
		search->failed |= !reach;
		for (size_t k = 0; reach && reach[i] && k < count; k++)
			search->is_core[k] |= reach[k] && pool_at(search, k);
	}
}

static void find_all(struct search *search)
{
	size_t pools = count_pools(search);

	if (pools > POOLS_MAX || pools * search->chunk->metadata.type_count > PAIRS_MAX)
		return;
	find_reaches(search);
	find_plain(search);
	find_core(search);
	find_plain(search);
}

static void search_close(struct search *search)
{
	size_t count = search->chunk->metadata.type_count;

	for (size_t i = 0; search->reach && i < count; i++)
		free(search->reach[i]);
	free(search->reach);
	free(search->layouts);
	free(search->is_found);
	free(search->is_core);
	buf_clear(&search->buf);
	rewrite_close(&search->rewrite);
}

static void find_used(struct sense *sense)
{
	const struct metadata *metadata = &sense->chunk->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		for (size_t k = 0; k < type->field_count; k++) {
			const struct field *field = &type->fields[k];

			if (field->type && field->pooled)
				sense->is_used[field->type->index] = true;
		}
	}
	if (metadata->string)
		sense->is_used[metadata->string->index] = true;
}

bool sense_open(struct sense *sense, const struct chunk *chunk)
{
	size_t count = chunk->metadata.type_count + 1;
	struct search search = {
		.sense = sense,
		.chunk = chunk,
		.rewrite = { .key = sense_of_key, .context = &search },
		.reach = calloc(count, sizeof(*search.reach)),
		.layouts = layout_find(&chunk->metadata),
		.is_found = calloc(count, sizeof(bool)),
		.is_core = calloc(count, sizeof(bool)),
	};

	*sense = (struct sense){ chunk, calloc(count, sizeof(*sense->hashes)),
				 calloc(count, sizeof(bool)) };
	search.failed = !rewrite_open(&search.rewrite, chunk) || !sense->hashes ||
			!sense->is_used || !search.reach || !search.layouts ||
			!search.is_found || !search.is_core;
	if (!search.failed) {
		find_used(sense);
		find_all(&search);
	}
	search_close(&search);
	return !search.failed;
}

static uint64_t place_of(const struct type *type, uint64_t key)
{
	return digest_pair((uint64_t)type->id, key);
}

bool sense_differs(const struct sense *sense, const struct map *last,
		   const struct type *type)
{
	const struct pool *pool = chunk_pool(sense->chunk, type);
	const uint64_t *hashes = sense->hashes[type->index];

	if (!pool || !sense->is_used[type->index] || last->count == 0)
		return false;
	for (uint32_t i = 0; i < pool->constants.count; i++) {
		uint64_t key = pool->constants.items[i].key;
		uint32_t known = map_find(last, place_of(type, key));

		if (known != MAP_NONE && pool_find(pool, key) == i &&
		    (!hashes || known != digest_short(hashes[i])))
			return true;
	}
	return false;
}

bool sense_keep(const struct sense *sense, struct map *last)
{
	const struct metadata *metadata = &sense->chunk->metadata;

	map_clear(last);
	for (size_t k = 0; k < metadata->type_count; k++) {
		const struct pool *pool = chunk_pool(sense->chunk, &metadata->types[k]);
		const uint64_t *hashes = sense->hashes[k];

		for (uint32_t i = 0; pool && i < pool->constants.count; i++) {
			uint64_t key = pool->constants.items[i].key;

			if (pool_find(pool, key) == i &&
			    !map_put(last, place_of(pool->type, key),
				     hashes ? digest_short(hashes[i]) : 0))
				return false;
		}
	}
	return true;
}

void sense_close(struct sense *sense)
{
	for (size_t i = 0; sense->hashes && i < sense->chunk->metadata.type_count; i++)
		free(sense->hashes[i]);
	free(sense->hashes);
	free(sense->is_used);
	*sense = (struct sense){ .chunk = NULL };
}
