/*
 * recorder.h - the engine: from orders to chunks. Knows no JVM.
 *
 *	recorder_open	orders -> spill file, repository
 *	recorder_begin	a recording (recordings.h). Of the first: the first chunk; observers
 *			start, and tell of its beginning
 *	recorder_round	periodic events that are due; buffers -> batch -> chunk;
 *			rotation by size and age of the chunk; retention; eviction
 *	recorder_stop	observers stop, and tell of the chunk's end; lanes are closed;
 *			it is complete
 *
 * The flusher's thread (agent) calls recorder_round each flush interval, and when
 * woken; recorder_stop may come from any thread: a lock keeps them apart. It is held
 * while observers are asked, but nobody who writes events takes it. With to_disk, a
 * batch goes to the chunk file at once; else batches are kept in memory, the oldest of
 * them given up when memory_size is reached or they are older than max_age, and
 * recorder_stop writes them as one chunk, with the events of its beginning and end.
 *
 * A chunk ends when it has max_chunk_size, or a quarter of max_size, or when it is an
 * hour old, or a tenth of max_age (but not before a second): only whole chunks are
 * given up. Constants are evicted when no chunk is left that used them, or, if they
 * take too much memory, the present one does not.
 *
 * Once it has ended, nothing is kept, and what is put into constants goes nowhere.
 * Before it has started, rounds evict the names of what is gone.
 *
 * When writing fails (a full disk), recording ends: the chunk is cut back to its last
 * flush, which is readable, the spill header's state says SPILL_FAILED and why, and all
 * calls do nothing from then on. What was not written stays in the spill file, for
 * others. The application goes on.
 */
#ifndef ENGINE_RECORDER_H
#define ENGINE_RECORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/now.h"
#include "control/eventsettings.h"
#include "control/facts.h"
#include "engine/recorderdata.h"

/*
 * Opens the engine: of the orders count what all recordings share (repository, memory_size,
 * buffer_size, stack_depth, flush_interval, max_chunk_size, spill_file, socket, redact,
 * samples_wall, threads, dump_classes), not their settings. They must stay; the last four
 * and stack_depth become what a recording wants that begins where nobody else is: under the
 * lock, so observers may read them in start and change, and all others the stack depth by
 * recorder_stack_depth alone; their texts stay until the orders are cleared. The spill file is
 * there after it, state SPILL_STARTING, and store_fd can be handed to a parent; without a
 * socket in the orders, or if they say so, it is the file "spill" in the repository, and gone
 * when the recording has ended well. The repository is locked until it has ended.
 * ERR_USAGE, ERR_SYSTEM, and then there is nothing to close.
 */
bool recorder_open(struct recorder *recorder, struct orders *orders,
		   const struct observer *const *observers, void *context,
		   struct err *err);

/*
 * A recording more. Takes over the orders in any case (they are moved; the caller's are
 * empty then). It begins now, or after its delay; the first starts the observers, and
 * when the last has stopped, they are stopped, and the engine waits for the next. Its id
 * is *id. ERR_USAGE: a setting that cannot be, a name that is there, what it wants of the engine is
 * not what others have (wall and CPU time); ERR_SYSTEM: it cannot be written. `notes`
 * (may be NULL) gets lines about what is not as ordered, as the engine has it already.
 */
bool recorder_begin(struct recorder *recorder, struct orders *orders, uint64_t *id,
		    struct buf *notes, struct err *err);

/*
 * The number of a recording by name, or by number; without a name, of the only one that
 * is there. ERR_USAGE: there is none, there are several (which, is told).
 */
bool recorder_named(struct recorder *recorder, struct str name, uint64_t *id,
		    struct err *err);

/* It stops, and is FACTS_STOPPED: what it has stays until recorder_drop. */
bool recorder_end(struct recorder *recorder, uint64_t id, struct err *err);

/* Settings of the orders are put over its own: from now on it is recorded that way. */
bool recorder_change(struct recorder *recorder, uint64_t id, const struct orders *orders,
		     struct err *err);

/*
 * Makes a folder beside the repository with what a recording has so far, as complete
 * chunk files: links, or copies through its sieve; id 0: all there is. `last`: only chunks that
 * ended less than so many nanoseconds ago; 0: all. If it runs, it goes on. *folder is the
 * caller's, to be removed with places_discard, and freed. ERR_SYSTEM: nothing of it is
 * left; NULL: there is nothing in it.
 */
bool recorder_hand_over(struct recorder *recorder, uint64_t id, int64_t last,
			char **folder, struct err *err);

/* It is forgotten, and chunks that nobody else has go. It must have stopped. */
void recorder_drop(struct recorder *recorder, uint64_t id);

/* Copies of all, with their orders as text; texts live in the arena. False without memory. */
struct recorder_told {
	struct recording_facts facts;
	struct str orders;
};
struct recorder_list {
	VEC(struct recorder_told) of;
	struct arena arena;
};
bool recorder_tell(struct recorder *recorder, struct recorder_list *list);

/* A list of one. ERR_USAGE: there is none of that number; ERR_MEMORY. Empty then. */
bool recorder_tell_one(struct recorder *recorder, uint64_t id,
		       struct recorder_list *list, struct err *err);

/* How many there are, whatever they do; SIZE_MAX for an observer, which cannot ask. */
size_t recorder_count(struct recorder *recorder);
void recorder_list_clear(struct recorder_list *list);

/*
 * Recordings whose time has come begin or stop in rounds. For who has to make their files:
 * one that stopped by itself, or failed; 0: none. It stays the next until it is dropped, or
 * he has heard, and wants to hear of it again at those ticks; INT64_MAX: never.
 */
uint64_t recorder_stopped_next(struct recorder *recorder);
void recorder_heard(struct recorder *recorder, uint64_t id, int64_t again);

/* One round; gives the ticks at which the next one is due. Never fails. */
int64_t recorder_round(struct recorder *recorder);

/*
 * Ends them all, and the engine; may be called again. False: until the deadline (ticks;
 * INT64_MAX: for ever) somebody else was at work here, on a disk that is stuck, or asking
 * the JVM: nothing has changed, and nothing may be written.
 */
bool recorder_stop(struct recorder *recorder, int64_t deadline);

/* Ends it for a reason of the caller's, as if writing had failed. */
void recorder_fail(struct recorder *recorder, const struct err *err);

/* True when it has ended: then there is nothing to do for it. */
static inline bool recorder_is_over(const struct recorder *recorder)
{
	return atomic_load_explicit(&recorder->is_over, memory_order_relaxed);
}

/*
 * Frees what is left; no lane may be in use. An agent just stays. What is in the spill
 * file of a recording that failed stays there.
 */
void recorder_close(struct recorder *recorder);

/*
 * What is set for events of a type, while others may set it: for any thread, also in a
 * signal handler.
 */
static inline bool recorder_is_set(const struct recorder *recorder, enum event_id id)
{
	return __atomic_load_n(&event_setting_of(&recorder->settings, id)->is_enabled,
			       __ATOMIC_RELAXED);
}

static inline bool recorder_with_stack(const struct recorder *recorder, enum event_id id)
{
	return __atomic_load_n(&event_setting_of(&recorder->settings, id)->with_stack,
			       __ATOMIC_RELAXED);
}

/* Frames of a stack, at most: as above. */
static inline int64_t recorder_stack_depth(const struct recorder *recorder)
{
	return __atomic_load_n(&recorder->orders->stack_depth, __ATOMIC_RELAXED);
}

static inline int64_t recorder_threshold(const struct recorder *recorder,
					 enum event_id id)
{
	return __atomic_load_n(&event_setting_of(&recorder->settings, id)->threshold,
			       __ATOMIC_RELAXED);
}

static inline int64_t recorder_period(const struct recorder *recorder, enum event_id id)
{
	return __atomic_load_n(&event_setting_of(&recorder->settings, id)->period,
			       __ATOMIC_RELAXED);
}

/* True if events of the type are wanted now: the cheap question before each one. */
static inline bool recorder_wants(const struct recorder *recorder, enum event_id id)
{
	return atomic_load_explicit(&recorder->is_on, memory_order_relaxed) &&
	       recorder_is_set(recorder, id);
}

#endif
