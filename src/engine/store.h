/*
 * store.h - the buffers that events are written into, and the lanes that lead there.
 *
 *	thread ──lane──> slot (thread-local buffer)
 *	                   │ full: pointer swap
 *	                   v
 *	                 full list (global buffer) ──> store_drain (flusher) ──> free list
 *
 * A lane belongs to one thread, or to the signal handler on one thread: two lanes for
 * a thread that is sampled, so that a sample never lands inside a half-written event.
 * Writing an event takes no lock and no atomic read-modify-write: reserve, encode,
 * commit with a release store. Taking another slot is a compare-and-swap on a list;
 * when none is left the event is dropped and counted, nobody waits.
 *
 * All slots lie in the spill file (jfr/spill.h), whose space is allocated before use;
 * the flusher adds to them in steps, up to the limit. Lanes stay where they are and
 * are used again; there is one flusher at a time (the caller sees to it).
 */
#ifndef ENGINE_STORE_H
#define ENGINE_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "jfr/spill.h"

struct store;

struct lane {
	/* The owner's own. */
	struct store *store;
	char *at;			/* behind the last committed event */
	char *limit;			/* of the slot; NULL: has none */
	uint64_t number;		/* from 1 on, never given to another */
	uint64_t sequence;		/* slots taken so far */
	/* Read by the flusher. */
	_Atomic(struct spill_slot *) slot;
	atomic_uint begun;		/* epoch in which the open event began; 0: none */
	atomic_uint_fast64_t lost_events, lost_bytes;	/* written by the owner only */
	atomic_bool is_used;
	struct lane *next;		/* of all lanes; never changes */
	uint64_t reported;		/* lost_bytes when the flusher last told them */
};

struct store {
	int fd;				/* of the spill file; -1: anonymous memory */
	struct spill_header *header;
	size_t slot_size, mapped;
	uint32_t slots, slot_limit;	/* with space, and the most there may be */
	_Atomic(uint64_t) free;		/* list: slot number + 1, and a tag in the high half */
	_Atomic(uint32_t) full;		/* list: slot number + 1 */
	_Atomic(struct lane *) lanes;
	atomic_uint epoch;		/* from 1 on; flips when a chunk ends */
	atomic_uint full_count;
	void (*wake)(void *context);	/* when slots run low; async-signal-safe; may be NULL */
	void *context;
};

/*
 * Makes the spill file: a memfd, or a file at `path` if that is not NULL. Sizes in
 * bytes; `memory` is the limit for all of it. If the system has no space for the first
 * slots, anonymous memory is used instead, and *is_shared is false. ERR_SYSTEM, ERR_MEMORY.
 */
bool store_open(struct store *store, const char *path, size_t buffer, size_t memory,
		bool *is_shared, struct err *err);

/* A lane for the calling thread; NULL without memory. Never waits. */
struct lane *store_lane(struct store *store);

/* The owner writes no more: its slot goes to the full list, the lane to others. */
void lane_release(struct lane *lane);

/* Another slot with `size` bytes of room; NULL (and counted) if there is none. */
char *lane_swap(struct lane *lane, size_t size);

/*
 * Room for one event of at most `size` bytes; NULL: dropped, and counted. Nothing else
 * may be reserved on this lane before lane_commit or lane_cancel.
 */
static inline char *lane_reserve(struct lane *lane, size_t size)
{
	unsigned epoch = atomic_load_explicit(&lane->store->epoch, memory_order_relaxed);

	atomic_store_explicit(&lane->begun, epoch, memory_order_relaxed);
	if ((size_t)(lane->limit - lane->at) >= size)
		return lane->at;
	return lane_swap(lane, size);
}

/* The event is complete and ends at `end`. */
static inline void lane_commit(struct lane *lane, char *end)
{
	struct spill_slot *slot = atomic_load_explicit(&lane->slot, memory_order_relaxed);

	lane->at = end;
	__atomic_store_n(&slot->committed, (uint32_t)(end - slot->bytes), __ATOMIC_RELEASE);
	atomic_store_explicit(&lane->begun, 0, memory_order_release);
}

/* There is no event after all. */
static inline void lane_cancel(struct lane *lane)
{
	atomic_store_explicit(&lane->begun, 0, memory_order_release);
}

/* For the flusher ------------------------------------------------------------- */

/* Told whole events of one lane, in its order. False ends the draining; what was not told is kept. */
typedef bool store_told(void *context, const struct lane *lane, const char *bytes,
			size_t size);

/*
 * Tells all that was committed before the call, the events of each lane in their order,
 * and frees full slots. Adds slots if they run low. False if `told` gave false.
 */
bool store_drain(struct store *store, store_told *told, void *context);

/* Flips the epoch; gives the new one. */
unsigned store_flip(struct store *store);

/* True if no event that began in that epoch, or before, is still open. */
bool store_is_past(struct store *store, unsigned epoch);

/* The next lane that lost something since it was last told; sums of this lane. */
bool store_next_loss(struct store *store, const struct lane **lane, uint64_t *bytes,
		     uint64_t *total);

/* What all lanes lost, ever. */
void store_lost(struct store *store, uint64_t *events, uint64_t *bytes);

/* No lane may be used any more. */
void store_close(struct store *store);

#endif
