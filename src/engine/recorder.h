/*
 * recorder.h - the engine: from orders to chunks. Knows no JVM.
 *
 *	recorder_open	orders -> settings, spill file, repository
 *	recorder_start	the first chunk; sources start; events at the chunk's beginning
 *	recorder_round	periodic events that are due; buffers -> batch -> chunk;
 *			rotation by size and age of the chunk; retention; eviction
 *	recorder_stop	sources stop; events at the chunk's end; the chunk is complete
 *
 * The flusher's thread (agent) calls recorder_round each flush interval, and when
 * woken; recorder_stop may come from any thread: a lock keeps them apart. With
 * to_disk, a batch goes to the chunk file at once; else batches are kept in memory, the
 * oldest of them given up when memory_size is reached, and recorder_stop writes them as
 * one chunk.
 *
 * When writing fails (a full disk), recording ends: the chunk is cut back to its last
 * flush, which is readable, the spill header's state says SPILL_FAILED and why, and all
 * calls do nothing from then on. The application goes on.
 */
#ifndef ENGINE_RECORDER_H
#define ENGINE_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "control/orders.h"
#include "engine/batch.h"
#include "engine/constants.h"
#include "engine/eventsettings.h"
#include "engine/repository.h"
#include "engine/source.h"
#include "engine/store.h"

struct sink;			/* where batches go: engine/sink.h */

struct recorder {
	struct orders *orders;
	struct event_settings settings;
	struct store store;
	struct constants *constants;
	struct repository repository;
	const struct source *const *sources;	/* ends with NULL */
	struct sink *sink;
	struct batch batch;
	void (*log)(const char *text);		/* one line; may be NULL */
	/* Set by recorder_start. */
	atomic_bool is_on;			/* events are wanted */
	int64_t start_nanos, start_ticks;	/* of the recording */
	int64_t due[EVENT_COUNT];		/* ticks when a periodic event comes next */
	pthread_mutex_t lock;			/* rounds exclude each other */
};

/* Time now: ticks are nanoseconds of CLOCK_MONOTONIC, nanos those since 1970. */
int64_t recorder_ticks(void);
int64_t recorder_nanos(void);

/*
 * Takes over the orders (not the memory: they must stay). The spill file is there after it,
 * state SPILL_STARTING, and store.fd can be handed to a parent. ERR_USAGE, ERR_SYSTEM.
 */
bool recorder_open(struct recorder *recorder, struct orders *orders,
		   const struct source *const *sources, struct err *err);

bool recorder_start(struct recorder *recorder, struct err *err);

/* One round; gives the ticks at which the next one is due. Never fails for the caller. */
int64_t recorder_round(struct recorder *recorder);

/* Ends it; may be called again. */
void recorder_stop(struct recorder *recorder);

/* Frees what is left; no lane may be in use. For tests: a JVM's agent just stays. */
void recorder_close(struct recorder *recorder);

/* True if events of the type are wanted now: the cheap question before each one. */
static inline bool recorder_wants(struct recorder *recorder, enum event_id id)
{
	return atomic_load_explicit(&recorder->is_on, memory_order_relaxed) &&
	       event_setting_of(&recorder->settings, id)->is_enabled;
}

#endif
