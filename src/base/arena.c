#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT ((size_t)16)
#define BLOCK_MIN ((size_t)4 << 10)
#define BLOCK_MAX ((size_t)256 << 10)

/* What lies behind `used` is always zero. */
struct arena_block {
	struct arena_block *next;
	size_t size;
	size_t used;
	_Alignas(16) unsigned char bytes[];
};

/*
 * Blocks double, so that small arenas stay small and large ones need few blocks.
 * What would waste much of a block gets its own, behind the newest, which still
 * has room.
 */
static struct arena_block *block_add(struct arena *arena, size_t wanted)
{
	struct arena_block *newest = arena->blocks;
	size_t size = newest ? newest->size * 2 : BLOCK_MIN;
	struct arena_block *block;

	if (size < BLOCK_MIN)
		size = BLOCK_MIN;
	if (size > BLOCK_MAX)
		size = BLOCK_MAX;
	if (wanted > size / 4)
		size = wanted;
	block = calloc(1, sizeof(*block) + size);
	if (!block)
		return NULL;
	block->size = size;
	if (newest && size == wanted) {
		block->next = newest->next;
		newest->next = block;
	} else {
		block->next = newest;
		arena->blocks = block;
	}
	return block;
}

static void *fail(struct arena *arena)
{
	arena->failed = true;
	return NULL;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->blocks;
	void *memory;

	if (size > SIZE_MAX / 4)
		return fail(arena);
	size = size ? (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1) : ALIGNMENT;
	if (arena->limit &&
	    (arena->taken > arena->limit || size > arena->limit - arena->taken)) {
		arena->is_full = true;
		return fail(arena);
	}
	if (!block || size > block->size - block->used) {
		block = block_add(arena, size);
		if (!block)
			return fail(arena);
	}
	memory = block->bytes + block->used;
	block->used += size;
	arena->taken += size;
	return memory;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return fail(arena);
	return arena_alloc(arena, count * size);
}

char *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
	char *copy;

	if (size == SIZE_MAX)
		return fail(arena);
	copy = arena_alloc(arena, size + 1);
	if (copy && size)
		memcpy(copy, bytes, size);
	return copy;
}

void arena_reset(struct arena *arena)
{
	struct arena_block *block = arena->blocks, *next, *kept = NULL;

	for (; block; block = next) {
		next = block->next;
		if (!kept && block->size <= BLOCK_MAX)
			kept = block;
		else
			free(block);
	}
	if (kept) {
		memset(kept->bytes, 0, kept->used);
		kept->used = 0;
		kept->next = NULL;
	}
	arena->blocks = kept;
	arena->taken = 0;
	arena->failed = arena->is_full = false;
}

void arena_clear(struct arena *arena)
{
	struct arena_block *block, *next;

	for (block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->blocks = NULL;
	arena->taken = 0;
	arena->failed = arena->is_full = false;
}
