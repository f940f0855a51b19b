/*
 * map.h - from a 64-bit key to a 32-bit index, open addressing.
 *
 * Keys come from untrusted files: the hash is salted per process, so crafted keys
 * do not all fall into one place. Key 0 and negative keys (as two's complement)
 * are keys like any other. A zeroed struct is a valid empty map. After map_put
 * calls have ended, any number of threads may call map_find.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX	/* no such key; never a valid index */

struct map_slot {
	uint64_t key;
	uint32_t index;		/* MAP_NONE: the slot is free */
};

struct map {
	struct map_slot *slots;
	size_t count;
	size_t capacity;	/* a power of two, or 0 */
};

/* The index kept under the key, or MAP_NONE. */
uint32_t map_find(const struct map *map, uint64_t key);

/*
 * Sets or replaces. False, and the map is as before, when memory runs out or the index
 * is MAP_NONE. A key that is there can always be given another index.
 */
bool map_put(struct map *map, uint64_t key, uint32_t index);

/* Takes the key out, if it is there; the memory stays for other keys. */
void map_remove(struct map *map, uint64_t key);

/* Forgets all keys and gives the memory back; the map is empty and usable again. */
void map_clear(struct map *map);

#endif
