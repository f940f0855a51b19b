/*
 * slots.h - the slots of a store: where they lie, and the lists that they are in.
 *
 * For store.c alone. Places in lists are 0 for none, and else the number of the slot
 * + 1. What has no space of its own in the file is in no list: touching it would be
 * SIGBUS when the system is full.
 */
#ifndef ENGINE_SLOTS_H
#define ENGINE_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/store.h"

/* As store_open, but for what is not about slots. */
bool slots_open(struct store *store, const char *path, size_t buffer, size_t memory,
		bool *is_shared, struct err *err);
void slots_close(struct store *store);

/* Adds a step. False at the limit, or without space; then store->can_grow is false. */
bool slots_grow(struct store *store);

struct spill_slot *slot_at(const struct store *store, uint32_t place);

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
void slots_push_free(struct store *store, struct spill_slot *slot);
struct spill_slot *slots_pop_free(struct store *store);
void slots_push_full(struct store *store, struct spill_slot *slot);

/* All full slots as a list, the oldest first; *last is the place of the newest. */
uint32_t slots_take_full(struct store *store, uint32_t *last);

/* How many there are with space. */
unsigned slots_count(const struct store *store);

/* True if fewer than a quarter of them are free. */
bool slots_are_low(const struct store *store);

#endif
