/*
 * shared.h - counts who holds something that is given back with the last of them.
 *
 * Whoever has it may hold it once more for another, on any thread.
 */
#ifndef BASE_SHARED_H
#define BASE_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct shared {
	atomic_size_t holders;	/* 1 for who made it */
};

static inline void shared_hold(struct shared *shared)
{
	atomic_fetch_add_explicit(&shared->holders, 1, memory_order_relaxed);
}

/* True if that was the last one, who then has it for itself alone. */
static inline bool shared_release(struct shared *shared)
{
	return atomic_fetch_sub_explicit(&shared->holders, 1, memory_order_acq_rel) == 1;
}

#endif
