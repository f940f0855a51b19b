/*
 * slots.h - the slots of a spill file: where they lie, and the lists that they are in.
 *
 * Part of the store. Places in lists are 0 for none, and else the number of the slot
 * + 1. What has no space of its own in the file is in no list: touching it would be
 * SIGBUS when the system is full.
 */
#ifndef ENGINE_SLOTS_H
#define ENGINE_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/spillfile.h"
#include "jfr/spill.h"

#define CACHE_LINE 64		/* what processors fetch and give up as one */

/* Behind the room of a slot: what may be written there, and is not committed. */
#define SLOT_SLACK 16

/* What often changes has a line of its own. */
struct slots {
	struct spillfile file;
	size_t size, room;		/* of one; and in it, for events */
	uint32_t limit, step;		/* the most there may be; how many are added */
	atomic_uint count;		/* with space */
	atomic_bool can_grow;
	char gap[CACHE_LINE];
	_Atomic(uint64_t) free;		/* a place, and a tag in the high half */
	_Atomic(uint32_t) full;		/* a place, the newest first */
	atomic_uint free_count, full_count;
	char gap_behind[CACHE_LINE];
};

/* What is wished for: see store_open. */
struct slots_plan {
	const char *path;
	size_t buffer, memory;
	size_t blocks;
};

/* Makes the file. */
bool slots_open(struct slots *slots, const struct slots_plan *plan, struct err *err);
void slots_close(struct slots *slots);

/* Adds a step. False at the limit, or without space; then can_grow is false. */
bool slots_grow(struct slots *slots);

struct spill_slot *slots_at(const struct slots *slots, uint32_t place);

static inline uint32_t slot_next(const struct spill_slot *slot)
{
	return __atomic_load_n(&slot->next, __ATOMIC_RELAXED);
}

static inline void slot_set_next(struct spill_slot *slot, uint32_t place)
{
	__atomic_store_n(&slot->next, place, __ATOMIC_RELAXED);
}

static inline uint32_t slot_committed(const struct spill_slot *slot)
{
	return __atomic_load_n(&slot->committed, __ATOMIC_ACQUIRE);
}

/* Lists that anyone changes at any time, also in a signal handler. */
void slots_push_free(struct slots *slots, struct spill_slot *slot);
struct spill_slot *slots_pop_free(struct slots *slots);
void slots_push_full(struct slots *slots, struct spill_slot *slot);

/* All full slots as a list, the oldest first; *last is the place of the newest. */
uint32_t slots_take_full(struct slots *slots, uint32_t *last);

/* How many there are with space. */
static inline unsigned slots_count(const struct slots *slots)
{
	return atomic_load_explicit(&slots->count, memory_order_relaxed);
}

/*
 * True if fewer than a quarter of them are free; or than half, as long as there can be
 * more, which takes until the flusher runs.
 */
static inline bool slots_are_low(const struct slots *slots)
{
	bool can_grow = atomic_load_explicit(&slots->can_grow, memory_order_relaxed);

	return atomic_load_explicit(&slots->free_count, memory_order_relaxed) <
	       slots_count(slots) / (can_grow ? 2 : 4);
}

#endif
