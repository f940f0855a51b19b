#include "engine/keycache.h"

#include <stdbool.h>
#include <stddef.h>

/* A name may be at one of two places, which share a line of the processor's cache. */
static struct keycache_entry *place_of(struct keycache *cache,
				       const struct keycache_name *name, size_t which)
{
	return &cache->entries[(name->a >> 20 & (KEYCACHE_SIZE - 1)) ^ which];
}

static uint64_t load(const atomic_uint_fast64_t *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}

/* The key, if the entry has that name; what is being written has none. */
static uint64_t read_entry(const struct keycache_entry *entry,
			   const struct keycache_name *name)
{
	uint64_t turn = atomic_load_explicit(&entry->turn, memory_order_acquire);
	bool is_it = load(&entry->a) == name->a && load(&entry->b) == name->b;
	uint64_t key = load(&entry->key);

	atomic_thread_fence(memory_order_acquire);
	return is_it && !(turn & 1) && load(&entry->turn) == turn ? key : 0;
}

uint64_t keycache_find(struct keycache *cache, const struct keycache_name *name)
{
	uint64_t key = read_entry(place_of(cache, name, 0), name);

	return key ? key : read_entry(place_of(cache, name, 1), name);
}

/* The one that is free, or else either of them. */
static struct keycache_entry *choose(struct keycache *cache,
				     const struct keycache_name *name)
{
	for (size_t which = 0; which < 2; which++) {
		struct keycache_entry *entry = place_of(cache, name, which);

		if (!load(&entry->key))
			return entry;
	}
	return place_of(cache, name, name->b & 1);
}

/* Who finds somebody else at it does without. */
void keycache_put(struct keycache *cache, const struct keycache_name *name, uint64_t key)
{
	struct keycache_entry *entry = choose(cache, name);
	uint_fast64_t turn = load(&entry->turn);

	if (turn & 1 || !atomic_compare_exchange_strong_explicit(
				&entry->turn, &turn, turn + 1, memory_order_acquire,
				memory_order_relaxed))
		return;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&entry->a, name->a, memory_order_relaxed);
	atomic_store_explicit(&entry->b, name->b, memory_order_relaxed);
	atomic_store_explicit(&entry->key, key, memory_order_relaxed);
	atomic_store_explicit(&entry->turn, turn + 2, memory_order_release);
}
