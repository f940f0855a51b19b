/*
 * arena.h - objects that die together.
 *
 * Memory comes zeroed, aligned to 16 bytes, and is given back all at once. An
 * arena may carry a limit: what is decoded from untrusted input can then never
 * exceed it. A zeroed struct is a valid, empty, unlimited arena. Not for threads
 * to share.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;	/* newest first */
	size_t taken;			/* bytes handed out since the last reset */
	size_t limit;			/* the most that may be handed out; 0: none */
	bool failed;			/* NULL was given since the last reset */
	bool is_full;			/* because of the limit */
};

/* Zeroed memory, or NULL when memory or the limit is exhausted. Size 0 is allowed. */
void *arena_alloc(struct arena *arena, size_t size);

/* count * size, checked for overflow. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A copy of the bytes with a NUL behind them, or NULL. */
char *arena_copy(struct arena *arena, const void *bytes, size_t size);

/* Forgets all objects but keeps one block for reuse. */
void arena_reset(struct arena *arena);

/* Gives everything back; the arena is empty and usable again. */
void arena_clear(struct arena *arena);

#endif
