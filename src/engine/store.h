/*
 * store.h - the buffers that events are written into, and the lanes that lead there.
 *
 *	thread ──lane──> slot (thread-local buffer)
 *	                   │ full: pointer swap
 *	                   v
 *	                 full list (global buffer) ──> store_drain (flusher)
 *	                                                      │ in a chunk: store_settle
 *	                 free list <──────────────────────────┘
 *
 * A lane belongs to one thread, or to the signal handler on one thread: two lanes for
 * a thread that is sampled, so that a sample never lands inside a half-written event.
 * Writing an event takes no lock and no atomic read-modify-write: reserve, encode,
 * commit with a release store. Taking another slot is a compare-and-swap on a list;
 * when none is left the event is dropped and counted, nobody waits. What the owner of a
 * lane calls is async-signal-safe, but for store_lane and lane_release.
 *
 * All slots lie in the spill file (jfr/spill.h), whose space is allocated before use;
 * the flusher adds to them in steps, up to the limit. Lanes stay where they are and
 * are used again, by one owner after the other, with what their slot holds; there is
 * one flusher at a time (the caller sees to it). A lane that wrote nothing lately gives
 * its slot back when slots run low.
 */
#ifndef ENGINE_STORE_H
#define ENGINE_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/slots.h"

struct store;

struct lane {
	/* The owner's. The flusher takes a slot away by setting limit to NULL. */
	_Alignas(CACHE_LINE) struct store *store;
	char *at;			/* behind the last committed event */
	_Atomic(char *) limit;		/* of the slot, without slack; NULL: has none */
	_Atomic(struct spill_slot *) slot;
	atomic_uint begun;		/* epoch when the open event began; 0: none */
	uint64_t number;		/* never 0, nor given to another lane */
	uint64_t sequence;		/* slots taken so far */
	/* Read by the flusher, written by the owner only. */
	atomic_uint_fast64_t lost_events, lost_bytes;
	/* The flusher's. */
	struct spill_slot *seen;	/* its slot when the draining began */
	uint32_t seen_committed;
	bool is_idle;			/* wrote nothing before the last draining */
	bool is_shut;			/* nothing was open in it since all were closed */
	uint64_t reported;		/* lost_bytes when the flusher last told them */
	/* Lists. */
	struct lane *next;		/* of all lanes; never changes */
	struct lane *next_spare;	/* of those without an owner */
};

struct store {
	/* See store_wake_by; may be NULL. */
	void (*wake)(void *context);
	void *context;
	atomic_uint epoch;		/* from 1 on; flips when a chunk ends */
	struct slots slots;
	atomic_bool ran_out;		/* of slots, since room was last made */
	atomic_bool is_closed;
	atomic_bool is_awake;		/* the flusher was woken, to drain */
	_Atomic(struct lane *) lanes, spare;
	atomic_uint_fast64_t lane_count;
	/* The flusher's lists of slots: to be drained; to be freed when settled. */
	uint32_t waiting, waiting_last, spent;
	unsigned settling;		/* how many times it was settled */
	uint64_t flush;			/* the number of the newest */
	struct lane *loss_at;
	enum { BARRIER_UNKNOWN, BARRIER_MEMBARRIER, BARRIER_PAUSE } barrier;
};

/*
 * Makes the spill file: a memfd, or a new file at `path` if that is not NULL. Sizes in
 * bytes, where a buffer includes its struct spill_slot: it is rounded up to 4 KB, but
 * made small enough for eight of them in `memory`, which is the limit for header and
 * slots (36 KB at least): room for blocks, so many at most, comes on top. Where files may
 * not be so large (ulimit -f), there are fewer of both. If the system has no space for the
 * first slots, anonymous memory is used instead (store_fd). ERR_SYSTEM, ERR_MEMORY.
 */
bool store_make(struct store *store, const struct slots_plan *plan, struct err *err);

/* The same without blocks. */
bool store_open(struct store *store, const char *path, size_t buffer, size_t memory,
		struct err *err);

static inline struct spillfile *store_file(struct store *store)
{
	return &store->slots.file;
}

/* The spill file, for others to look at; -1: anonymous memory, for nobody else. */
static inline int store_fd(const struct store *store)
{
	return store->slots.file.fd;
}

/* NULL: the store is not open. */
static inline struct spill_header *store_header(const struct store *store)
{
	return store->slots.file.header;
}

/* Who empties the store is called when slots run low, also by signal handlers. */
void store_wake_by(struct store *store, void (*wake)(void *context), void *context);

/* A lane for the calling thread; NULL without memory. Never waits. */
struct lane *store_lane(struct store *store);

/*
 * A raw lane: what is in it is no event of a chunk yet, but translated when it is drained
 * (observer.h). Its number has LANE_RAW. It is never released; one thread after the other
 * may write, if each sees what the one before did.
 */
struct lane *store_raw_lane(struct store *store);

/* The owner writes no more: the lane goes to others. NULL is allowed. */
void lane_release(struct lane *lane);

/* Another slot with `size` bytes of room; NULL (and counted) if there is none. */
char *lane_swap(struct lane *lane, size_t size);

/* The open event of so many bytes is lost: counted, and closed. */
void lane_lose(struct lane *lane, size_t size);

/*
 * Room for one event of at most `size` bytes, and SLOT_SLACK behind it; NULL: dropped,
 * and counted. Nothing else may be reserved on this lane before lane_commit or
 * lane_cancel.
 *
 * The flusher writes limit, then reads begun, with a barrier for all threads between
 * them (store_is_past): so here the order in the program is enough.
 */
static inline char *lane_reserve(struct lane *lane, size_t size)
{
	unsigned epoch =
		atomic_load_explicit(&lane->store->epoch, memory_order_acquire);
	uintptr_t limit;

	atomic_store_explicit(&lane->begun, epoch, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	limit = (uintptr_t)atomic_load_explicit(&lane->limit, memory_order_relaxed);
	if ((intptr_t)(limit - (uintptr_t)lane->at) >= (intptr_t)size)
		return lane->at;
	return lane_swap(lane, size);
}

/* The event is complete and ends at `end`. */
static inline void lane_commit(struct lane *lane, char *end)
{
	struct spill_slot *slot =
		atomic_load_explicit(&lane->slot, memory_order_relaxed);
	uint32_t committed = (uint32_t)(end - slot->bytes);

	lane->at = end;
	__atomic_store_n(&slot->committed, committed, __ATOMIC_RELEASE);
	atomic_store_explicit(&lane->begun, 0, memory_order_release);
}

/* There is no event after all. */
static inline void lane_cancel(struct lane *lane)
{
	atomic_store_explicit(&lane->begun, 0, memory_order_release);
}

/* For the flusher ------------------------------------------------------------- */

/*
 * Gets whole events of the lane with that number, in their order: raw ones, if it has
 * LANE_RAW. False: not taken.
 */
typedef bool store_take(void *context, uint64_t lane, const char *bytes, size_t size);

/*
 * Hands over all that was committed before the call, the events of each lane in their
 * order, each once. False if `take` gave false: what was not taken comes with the next
 * call. Begins with store_settle, and then a flush (jfr/spill.h): slots say what goes
 * with it.
 */
bool store_drain(struct store *store, store_take *take, void *context);

/* A flush of something else. Gives its number. */
uint64_t store_next_flush(struct store *store);

/*
 * Before anything of the flush is written: where it goes to. To the chunk that began then
 * (nanoseconds since 1970; 0: none) and has so many bytes by its header; and what is kept
 * up to `kept` goes with it.
 */
void store_announce(struct store *store, int64_t chunk, uint64_t size, uint64_t kept);

/* The flush is done: what belongs to it is in a chunk, or kept. */
void store_commit(struct store *store);

/*
 * The flush failed, others may follow: what was drained with it has not been. It can be
 * drained no more, but stays in the file.
 */
void store_undo(struct store *store);

/*
 * What was drained is in a chunk now: store_commit. Frees the full slots among them. If
 * slots run low, takes them from lanes that do not write, and adds slots.
 */
void store_settle(struct store *store);

/*
 * Nothing is committed any more: lanes give NULL from here on, which is no loss. Events
 * that are open are waited for, but not long. Drain once more after it.
 */
void store_close_lanes(struct store *store);

/*
 * Flips the epoch; gives the new one. What was set before (constants_epoch, for the
 * epoch that comes) is seen by each event that begins in the new one.
 */
unsigned store_flip(struct store *store);

/*
 * Events that began before the present epoch, and are open, are waited for, but not long.
 * Drain once more after it.
 */
void store_await(struct store *store);

/*
 * True if no event that began in that epoch, or before, is open or will be: all of them
 * are taken by the end of the next store_drain. (An event that only now begins, and
 * takes the old epoch for the present one, sees what the flusher wrote before this.)
 */
bool store_is_past(struct store *store, unsigned epoch);

/*
 * The next lane that lost something since it was last told: bytes since then, and in
 * total. False at the end; the next call begins anew.
 */
bool store_next_loss(struct store *store, const struct lane **lane, uint64_t *bytes,
		     uint64_t *total);

/* What all lanes lost, ever. */
void store_lost(struct store *store, uint64_t *events, uint64_t *bytes);

/* No lane may be used any more. May be called again. */
void store_close(struct store *store);

#endif
