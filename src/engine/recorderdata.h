/*
 * recorderdata.h - what a recorder is made of, for its own parts. All others:
 * recorder.h.
 */
#ifndef ENGINE_RECORDERDATA_H
#define ENGINE_RECORDERDATA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/now.h"
#include "control/eventsettings.h"
#include "control/orders.h"
#include "engine/batch.h"
#include "engine/blocks.h"
#include "engine/constants.h"
#include "engine/kept.h"
#include "engine/observer.h"
#include "engine/observers.h"
#include "engine/recordings.h"
#include "engine/records.h"
#include "engine/repository.h"
#include "engine/sink.h"
#include "engine/store.h"
#include "engine/stream.h"

enum recorder_phase { RECORDER_OPEN, RECORDER_RUNNING, RECORDER_ENDED };

struct recorder_way;

struct recorder {
	void *context;				/* the caller's, for its observers */
	struct orders *orders;			/* what all recordings share */
	struct recordings recordings;
	struct recordings_limits limits;	/* of those that run */
	const struct recorder_way *way;		/* on disk, or in memory */
	/*
	 * What is recorded. It changes under the lock while others ask (recorder_wants,
	 * recorder_threshold ...); texts are read under the lock alone.
	 */
	struct event_settings settings;
	struct store store;
	struct blocks blocks;			/* of its file */
	struct records *records;
	struct constants *constants;
	struct repository repository;
	struct observers observers;
	struct sink *sink;
	struct kept kept;			/* without disk */
	struct stream metadata;			/* for others */
	struct batch batch;
	char *spill_path;			/* NULL: it has no name */
	/* NULL at first, then the caller's: a line; why the recording failed; that it goes
	 * on, but not all is as it should be. */
	void (*log)(const char *text);
	void (*failed)(void *context, const char *text);
	void (*warn)(void *context, const char *text);
	bool has_warned;
	atomic_bool is_on;			/* events are wanted */
	atomic_bool is_over;			/* none will be any more */
	/* So often all that had been committed was taken, or given up (not started). */
	atomic_uint drained;
	int64_t start_nanos, start_ticks;	/* when it began to run */
	/* Under the lock: rounds exclude each other. */
	pthread_mutex_t lock;
	enum recorder_phase phase;
	int64_t flush_due;
	int64_t flipped, collected;		/* ticks when that was done last */
	int64_t evict_due;
	size_t batch_max;			/* bytes that are taken as a flush */
	unsigned needed, evicted;		/* epochs: see evict */
};

/* All ends, and the spill file says why. False. Under the lock. */
bool recorder_break(struct recorder *recorder, const struct err *err);

/* Who makes rounds shall look what there is to do. */
void recorder_wake(struct recorder *recorder);

static inline unsigned recorder_epoch(struct recorder *recorder)
{
	return atomic_load_explicit(&recorder->store.epoch, memory_order_relaxed);
}

static inline struct spill_header *recorder_header(struct recorder *recorder)
{
	return store_header(&recorder->store);
}

#endif
