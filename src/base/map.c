#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN ((size_t)16)

/*
 * The salt is where the slots are: the system places memory anew for each process,
 * it differs between maps and changes as a map grows (so filling one map in the
 * order of another cannot pile keys up), and it needs no state that threads share.
 * The mixing is MurmurHash3's finish: each bit of the key reaches all low bits.
 */
static size_t slot_at(const struct map *map, uint64_t key)
{
	uint64_t hash = key ^ (uintptr_t)map->slots;

	hash ^= hash >> 33;
	hash *= UINT64_C(0xff51afd7ed558ccd);
	hash ^= hash >> 33;
	hash *= UINT64_C(0xc4ceb9fe1a85ec53);
	hash ^= hash >> 33;
	return (size_t)hash & (map->capacity - 1);
}

/* The slot of the key, or the free one where it would go. Some slot is free. */
static struct map_slot *slot_find(const struct map *map, uint64_t key)
{
	size_t at = slot_at(map, key);

	while (map->slots[at].key != key && map->slots[at].index != MAP_NONE)
		at = (at + 1) & (map->capacity - 1);
	return map->slots + at;
}

uint32_t map_find(const struct map *map, uint64_t key)
{
	if (map->capacity == 0)
		return MAP_NONE;

	/* A free slot whose leftover key happens to be equal says MAP_NONE too. */
	return slot_find(map, key)->index;
}

/* At most two thirds of the slots are taken: then two looks find a key. */
static bool map_is_full(const struct map *map)
{
	return map->count >= map->capacity - map->capacity / 3;
}

static bool map_grow(struct map *map)
{
	struct map grown = { .count = map->count };

	grown.capacity = map->capacity ? map->capacity * 2 : CAPACITY_MIN;
	if (grown.capacity > SIZE_MAX / 2 / sizeof(*grown.slots))
		return false;
	grown.slots = malloc(grown.capacity * sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	memset(grown.slots, 0xff, grown.capacity * sizeof(*grown.slots));
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].index != MAP_NONE)
			*slot_find(&grown, map->slots[i].key) = map->slots[i];
	free(map->slots);
	*map = grown;
	return true;
}

bool map_put(struct map *map, uint64_t key, uint32_t index)
{
	struct map_slot *slot = map->capacity ? slot_find(map, key) : NULL;

	if (index == MAP_NONE)
		return false;
	if (!slot || slot->index == MAP_NONE) {
		if (map_is_full(map)) {
			if (!map_grow(map))
				return false;
			slot = slot_find(map, key);
		}
		map->count++;
	}
	slot->key = key;
	slot->index = index;
	return true;
}

/*
 * Leaves no gap between a key and the place its hash names: keys behind the one taken
 * out move up, unless that would bring them in front of their place.
 */
void map_remove(struct map *map, uint64_t key)
{
	struct map_slot *found = map->capacity ? slot_find(map, key) : NULL;
	size_t mask = map->capacity - 1;
	size_t hole, at;

	if (!found || found->index == MAP_NONE)
		return;
	hole = at = (size_t)(found - map->slots);
	for (;;) {
		struct map_slot *slot;

		at = (at + 1) & mask;
		slot = &map->slots[at];
		if (slot->index == MAP_NONE)
			break;
		if (((at - slot_at(map, slot->key)) & mask) >= ((at - hole) & mask)) {
			map->slots[hole] = *slot;
			hole = at;
		}
	}
	map->slots[hole].index = MAP_NONE;
	map->count--;
}

void map_clear(struct map *map)
{
	free(map->slots);
	*map = (struct map){ 0 };
}
