#include "copy/keys.h"

#include <stdlib.h>

#include "base/digest.h"

/* Most are smaller in the first run, and these take four bytes. */
#define FRESH_FIRST (UINT64_C(1) << 24)

/* More are forgotten: then what comes again gets another key. */
#define GIVEN_MAX 1000000

/* A constant on the way to its key. */
struct candidate {
	enum type_role role;
	uint64_t key;
	uint64_t identity;
	bool is_foreign;
};

static bool is_told_apart(const struct type *type)
{
	return !type->is_simple && (type->role == TYPE_THREAD ||
				    type->role == TYPE_CLASS ||
				    type->role == TYPE_CLASS_LOADER);
}

static uint32_t owner_of(const struct keys *keys, enum type_role role, uint64_t key)
{
	return map_find(&keys->owners, digest_pair(role, key));
}

/* Remembers whose key it is now. */
static bool give(struct keys *keys, const struct candidate *candidate, uint64_t key)
{
	uint64_t what = digest_pair(candidate->role, candidate->identity);

	if (!map_put(&keys->owners, digest_pair(candidate->role, key),
		     digest_short(candidate->identity)))
		return false;
	if (map_find(&keys->known, what) != MAP_NONE)
		return true;
	return vec_push(&keys->given, key) &&
	       map_put(&keys->known, what, (uint32_t)keys->given.count - 1);
}

/* False without memory. */
static bool choose(struct keys *keys, const struct candidate *candidate, uint64_t *key)
{
	uint64_t what = digest_pair(candidate->role, candidate->identity);
	uint32_t owner = owner_of(keys, candidate->role, candidate->key), place;

	*key = candidate->key;
	if (*key == 0)
		return true;
	if (!candidate->is_foreign && owner == MAP_NONE)
		return give(keys, candidate, *key);
	if (!candidate->is_foreign && owner == digest_short(candidate->identity))
		return true;
	place = map_find(&keys->known, what);
	if (place != MAP_NONE) {
		*key = keys->given.items[place];
		return true;
	}
	do {
		*key = FRESH_FIRST + keys->fresh++;
	} while (owner_of(keys, candidate->role, *key) != MAP_NONE);
	return give(keys, candidate, *key);
}

static bool settle_pool(struct keys *keys, const struct pool *pool,
			const uint64_t *hashes, uint32_t run)
{
	uint64_t *now = calloc(pool->constants.count + 1, sizeof(*now));
	bool is_good = now != NULL, is_changed = false;

	for (uint32_t i = 0; is_good && i < pool->constants.count; i++) {
		uint64_t key = pool->constants.items[i].key;
		struct candidate candidate = { pool->type->role, key, 0, run != 0 };

		/* Threads are those of their run; of what nobody knows the sense, too. */
		candidate.identity = pool->type->role == TYPE_THREAD || !hashes
					     ? digest_pair(run, key) : hashes[i];
		is_good = choose(keys, &candidate, &now[i]);
		is_changed |= is_good && now[i] != key;
	}
	if (is_changed)
		keys->now[pool->type->index] = now;
	else
		free(now);
	return is_good;
}

void keys_release(struct keys *keys)
{
	for (size_t i = 0; keys->now && i < keys->chunk->metadata.type_count; i++)
		free(keys->now[i]);
	free(keys->now);
	keys->now = NULL;
}

bool keys_settle(struct keys *keys, const struct sense *sense, uint32_t run)
{
	const struct metadata *metadata = &sense->chunk->metadata;
	bool is_good;

	keys_release(keys);
	if (keys->given.count > GIVEN_MAX) {
		map_clear(&keys->known);
		map_clear(&keys->owners);
		vec_clear(&keys->given);
	}
	keys->chunk = sense->chunk;
	keys->now = calloc(metadata->type_count + 1, sizeof(*keys->now));
	is_good = keys->now != NULL;
	for (size_t i = 0; is_good && i < metadata->type_count; i++) {
		const struct pool *pool = chunk_pool(sense->chunk, &metadata->types[i]);

		if (pool && is_told_apart(&metadata->types[i]))
			is_good = settle_pool(keys, pool, sense->hashes[i], run);
	}
	return is_good;
}

bool keys_has(const struct keys *keys, const struct type *type)
{
	return keys->now && keys->now[type->index];
}

uint64_t keys_get(const struct keys *keys, const struct type *type, uint64_t key)
{
	uint32_t index = pool_find(chunk_pool(keys->chunk, type), key);

	return index == MAP_NONE ? 0 : keys->now[type->index][index];
}

void keys_clear(struct keys *keys)
{
	keys_release(keys);
	map_clear(&keys->known);
	map_clear(&keys->owners);
	vec_clear(&keys->given);
}
