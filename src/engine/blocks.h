/*
 * blocks.h - the blocks of a spill file (jfr/spill.h): memory that others can read when
 * this process is gone.
 *
 * When the file has no space for more, a block comes from malloc: then it serves as
 * well, but is nobody else's to see; `is_short` says that it has happened.
 *
 * Any thread; a lock is held for short. Who takes one may hold locks of its own that
 * others wait for, so blocks are in stock: the flusher sees to it, and is woken when
 * half of them are gone. Only if none is left, the system is asked for more there and
 * then. Not for signal handlers.
 */
#ifndef ENGINE_BLOCKS_H
#define ENGINE_BLOCKS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/spillfile.h"
#include "jfr/spill.h"

#define BLOCK_ROOM (BLOCK_SIZE - sizeof(struct spill_block))

struct blocks {
	struct spillfile *file;		/* NULL: all come from malloc */
	pthread_mutex_t lock;		/* of the list */
	pthread_mutex_t growing;	/* taken before it */
	uint32_t count, limit;		/* with space; there may be */
	uint32_t free;			/* a list: place + 1; 0: none */
	atomic_uint free_count;
	atomic_bool is_short;
	atomic_bool is_awake;		/* who fills the stock was woken */
	void (*wake)(void *context);	/* see blocks_wake_by; may be NULL */
	void *context;
};

/* `file` is borrowed; NULL: there is none, as in a process that records nothing. */
void blocks_init(struct blocks *blocks, struct spillfile *file);
void blocks_clear(struct blocks *blocks);

/*
 * A block with nothing in it: used 0; what its kind says is published by
 * blocks_publish. NULL without memory.
 */
struct spill_block *blocks_take(struct blocks *blocks);
void blocks_publish(struct spill_block *block, enum spill_kind kind, uint64_t number);

/* False: it came from malloc, and others will not see it. */
bool blocks_is_seen(const struct blocks *blocks, const struct spill_block *block);

/* Nobody needs what is in it any more. */
void blocks_give(struct blocks *blocks, struct spill_block *block);

/* It stays as it is, for others to see; one that nobody can see goes. */
void blocks_leave(struct blocks *blocks, struct spill_block *block);

/*
 * For the flusher, now and then: some are in stock, the more the more are in use. It is
 * called by `wake`, from any thread, when they run low.
 */
void blocks_stock(struct blocks *blocks);
void blocks_wake_by(struct blocks *blocks, void (*wake)(void *context), void *context);

/* The file's space goes back to the system; nobody may have one. */
void blocks_drop(struct blocks *blocks);

/* How much of its bytes is in use; the bytes were written before. */
static inline void block_set_used(struct spill_block *block, size_t used)
{
	__atomic_store_n(&block->used, (uint32_t)used, __ATOMIC_RELEASE);
}

#endif
