/*
 * recorder.h - the engine: from orders to chunks. Knows no JVM.
 *
 *	recorder_open	orders -> settings, spill file, repository
 *	recorder_start	the first chunk; observers start, and tell of its beginning
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
#include "engine/recorderdata.h"

/*
 * Takes over the orders (not the memory: they must stay). The spill file is there after
 * it, state SPILL_STARTING, and store_fd can be handed to a parent; without a socket in
 * the orders, or if they say so, it is the file "spill" in the repository, and gone
 * when the recording has ended well. The repository is locked until it has ended.
 * ERR_USAGE, ERR_SYSTEM, and then there is nothing to close.
 */
bool recorder_open(struct recorder *recorder, struct orders *orders,
		   const struct observer *const *observers, void *context,
		   struct err *err);

/* Once. When it fails, recording has ended. */
bool recorder_start(struct recorder *recorder, struct err *err);

/* One round; gives the ticks at which the next one is due. Never fails. */
int64_t recorder_round(struct recorder *recorder);

/* Ends it; may be called again. */
void recorder_stop(struct recorder *recorder);

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

/* True if events of the type are wanted now: the cheap question before each one. */
static inline bool recorder_wants(struct recorder *recorder, enum event_id id)
{
	return atomic_load_explicit(&recorder->is_on, memory_order_relaxed) &&
	       event_setting_of(&recorder->settings, id)->is_enabled;
}

#endif
