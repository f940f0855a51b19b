/*
 * pool.h - the constants of one type in one chunk.
 *
 * A constant is kept as the place of its bytes and decoded when somebody asks. If
 * a key occurs more than once in a chunk, the one in the oldest checkpoint counts,
 * as for the JDK. Filled while the chunk is opened, then only read, by any thread.
 */
#ifndef JFR_POOL_H
#define JFR_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "jfr/cursor.h"

struct type;

struct constant {
	uint64_t key;
	const unsigned char *bytes;	/* the encoded value, without the key */
	uint32_t size;
};

struct pool {
	const struct type *type;
	struct map keys;
	VEC(struct constant) constants;
};

/* Adds or replaces; false when memory runs out. */
bool pool_add(struct pool *pool, struct constant constant);

/* The index of the constant, or MAP_NONE; a NULL pool is empty. */
static inline uint32_t pool_find(const struct pool *pool, uint64_t key)
{
	return pool ? map_find(&pool->keys, key) : MAP_NONE;
}

static inline struct cursor pool_cursor(const struct pool *pool, uint32_t index)
{
	const struct constant *constant = &pool->constants.items[index];

	return cursor_of(constant->bytes, constant->size);
}

void pool_clear(struct pool *pool);

#endif
