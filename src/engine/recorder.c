#include "engine/recorder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "engine/flush.h"
#include "engine/shift.h"
#include "engine/ways.h"

#define FOLDER "/tmp"			/* of repositories, if the orders name none */

#define ROUND_MAX (3600 * SECOND)
#define TOLD_MAX ((size_t)4 << 20)	/* by observers, before it is written */

void recorder_wake(struct recorder *recorder)
{
	const struct store *store = &recorder->store;

	if (store->wake)
		store->wake(store->context);
}

/* Who empties the store. */
static void wake_flusher(void *context)
{
	recorder_wake(context);
}

/* It has no name if somebody else has its descriptor. False without memory. */
static bool name_spill(struct recorder *recorder)
{
	const struct orders *orders = recorder->orders;

	if (orders->socket.size && !orders->spill_file)
		return true;
	recorder->spill_path = path_within(recorder->repository.path, SPILL_NAME);
	return recorder->spill_path != NULL;
}

static bool open_store(struct recorder *recorder, struct err *err)
{
	const struct orders *orders = recorder->orders;
	struct slots_plan plan = {
		.buffer = (size_t)orders->buffer_size,
		.memory = (size_t)orders_memory_of_buffers(orders),
		.blocks = (2 * CONSTANTS_MAX + tape_kept_size(orders)) / BLOCK_SIZE,
	};

	if (!name_spill(recorder))
		return err_memory(err);
	plan.path = recorder->spill_path;
	if (!store_make(&recorder->store, &plan, err))
		return false;
	blocks_init(&recorder->blocks, store_file(&recorder->store));
	blocks_wake_by(&recorder->blocks, wake_flusher, recorder);
	kept_init(&recorder->kept, &recorder->blocks);
	stream_init(&recorder->metadata, &recorder->blocks, SPILL_METADATA);
	return true;
}

/* What others need to read events of ours. */
static bool write_metadata(struct recorder *recorder)
{
	struct buf event = { 0 };
	bool is_written;

	sink_metadata(recorder->sink, &event);
	is_written = !event.failed &&
		     stream_add(&recorder->metadata, event.bytes, event.size);
	buf_clear(&event);
	return is_written;
}

static bool open_parts(struct recorder *recorder, struct err *err)
{
	const struct orders *orders = recorder->orders;
	const char *folder = orders->repository.size ? orders->repository.bytes
						     : FOLDER;

	if (!event_settings_read(&recorder->settings, orders, err) ||
	    !repository_open(&recorder->repository, folder, err) ||
	    !open_store(recorder, err))
		return false;
	recorder->records = records_new(&recorder->blocks);
	recorder->constants =
		recorder->records ? constants_new(recorder->records, NULL, 0) : NULL;
	recorder->sink = recorder->constants
				 ? sink_new(recorder->constants, &recorder->repository)
				 : NULL;
	if (!recorder->sink || !write_metadata(recorder))
		return err_memory(err);
	constants_epoch(recorder->constants, atomic_load(&recorder->store.epoch));
	return true;
}

/*
 * Who comes back to us while we ask an observer gets an error: it would wait for ever.
 */
static void open_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t kind;

	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(lock, &kind);
	pthread_mutexattr_destroy(&kind);
}

bool recorder_open(struct recorder *recorder, struct orders *orders,
		   const struct observer *const *observers, void *context,
		   struct err *err)
{
	memset(recorder, 0, sizeof(*recorder));
	recorder->context = context;
	recorder->way = orders->to_disk ? &way_on_disk : &way_in_memory;
	recorder->orders = orders;
	recorder->observers = (struct observers){
		.recorder = recorder,
		.list = observers,
		.settings = &recorder->settings,
	};
	recorder->store.slots.file.fd = -1;
	open_lock(&recorder->lock);
	if (open_parts(recorder, err)) {
		recorder->recordings.united = recorder->settings;
		return true;
	}
	if (recorder->spill_path)
		unlink(recorder->spill_path);
	if (recorder->repository.path)
		rmdir(recorder->repository.path);
	recorder_close(recorder);
	return false;
}

/*
 * Nothing will be committed or written any more. What is in the spill file stays there
 * for others, or is needed no more.
 */
static void let_go(struct recorder *recorder, bool stays)
{
	recorder->phase = RECORDER_ENDED;
	atomic_store(&recorder->is_over, true);
	store_close_lanes(&recorder->store);
	batch_clear(&recorder->batch);
	sink_free(recorder->sink);
	recorder->sink = NULL;
	constants_close(recorder->constants);
	records_close(recorder->records, stays);
	kept_clear(&recorder->kept, stays);
	stream_clear(&recorder->metadata, stays);
	if (!stays)
		blocks_drop(&recorder->blocks);
}

/* A chunk that is still open is good up to its last flush. */
static void finish_chunk(struct recorder *recorder)
{
	struct instant end;

	if (recorder->sink && sink_size(recorder->sink))
		sink_end(recorder->sink, now_ticks(), true, &end, NULL);
}

/* Also those that had not begun. */
static void fail_all(struct recorder *recorder, struct str why)
{
	for (size_t i = 0; i < recorder->recordings.all.count; i++) {
		struct tape *one = recorder->recordings.all.items[i];

		if (one->state == FACTS_RUNNING)
			shift_mark_end(recorder, one, now_nanos());
		else if (one->state != FACTS_DELAYED)
			continue;
		shift_mark_failed(one, why);
	}
}

bool recorder_break(struct recorder *recorder, const struct err *err)
{
	struct spill_header *header = recorder_header(recorder);

	atomic_store(&recorder->is_on, false);
	if (recorder->phase == RECORDER_RUNNING)
		observers_stop(&recorder->observers);
	finish_chunk(recorder);
	fail_all(recorder, str_of(err->text));
	let_go(recorder, true);
	snprintf(header->message, sizeof(header->message), "%s", err->text);
	spill_set(&header->state, SPILL_FAILED);
	repository_unlock(&recorder->repository);
	recorder_say(recorder, err->text);
	if (recorder->failed)
		recorder->failed(recorder->context, err->text);
	return false;
}

/*
 * Evicts the constants that only chunks used which are gone. What events use that
 * were open when this was found out is known after another draining: so that comes in
 * between.
 */
static void evict(struct recorder *recorder, unsigned oldest, int64_t now)
{
	if (recorder->needed > recorder->evicted) {
		constants_evict(recorder->constants, recorder->needed);
		recorder->evicted = recorder->needed;
	}
	if (now < recorder->evict_due)
		return;
	recorder->evict_due = now + SECOND;
	if (oldest != UINT_MAX && oldest > recorder->evicted &&
	    store_is_past(&recorder->store, oldest - 1))
		recorder->needed = oldest;
}

/* Nothing is recorded: no event needs what has been put so far. */
static void forget(struct recorder *recorder, int64_t now)
{
	flush_nowhere(recorder);
	flush_flip(recorder, now);
	evict(recorder, recorder_epoch(recorder), now);
	atomic_fetch_add(&recorder->drained, 1);
}

/* --- life --------------------------------------------------------------------- */

/*
 * What was kept in memory is worth an attempt when recording fails. What was drained
 * with the flush that failed stays in the spill file.
 */
static void save(struct recorder *recorder)
{
	store_undo(&recorder->store);
	kept_undo(&recorder->kept, spill_get(&recorder_header(recorder)->committed));
	if (!sink_size(recorder->sink))
		recorder->way->write(recorder, now_ticks(), NULL);
}

static bool round_of(struct recorder *recorder, int64_t now, struct err *err)
{
	observers_collect(&recorder->observers, now);
	observers_tell_due(&recorder->observers, &recorder->batch, now);
	if (now < recorder->flush_due && !atomic_load(&recorder->store.is_awake) &&
	    recorder->batch.buf.size < TOLD_MAX)
		return true;
	if (!flush_all(recorder, now, err) ||
	    (recorder->way->turn(recorder, now) &&
	     !shift_chunk(recorder, &shift_none, err)))
		return false;
	evict(recorder, recorder->way->retain(recorder, now), now);
	return true;
}

/* It begins, or stops, as its time has come. */
static bool turn_one(struct recorder *recorder, struct tape *one, struct err *err)
{
	if (one->state == FACTS_DELAYED)
		return shift_begin(recorder, one, err);
	one->is_news = true;
	return shift_end(recorder, one, err);
}

/* The recorder is as it was before; others may begin. */
static void tell_failed(const struct recorder *recorder, const struct tape *one,
			const struct err *err)
{
	char room[TAPE_NAME_ROOM], line[sizeof(err->text) + 100];
	struct str name = str_front(tape_name(one, room), 60);

	snprintf(line, sizeof(line), "recording '%.*s' cannot begin: %s",
		 (int)name.size, name.bytes, err->text);
	recorder_say(recorder, line);
	if (recorder->warn)
		recorder->warn(recorder->context, line);
}

/* False: what runs cannot go on. */
static bool turn_due(struct recorder *recorder, int64_t now, struct err *err)
{
	for (size_t i = 0; i < recorder->recordings.all.count; i++) {
		struct tape *one = recorder->recordings.all.items[i];

		if (one->due > now || turn_one(recorder, one, err))
			continue;
		if (recorder->phase == RECORDER_RUNNING)
			return false;
		tell_failed(recorder, one, err);
	}
	return true;
}

static int64_t due_of(const struct recorder *recorder, int64_t now)
{
	int64_t due = now + SECOND;

	if (recorder->phase == RECORDER_ENDED)
		return now + ROUND_MAX;
	if (recorder->phase == RECORDER_RUNNING) {
		due = observers_due(&recorder->observers);
		if (recorder->flush_due < due)
			due = recorder->flush_due;
	}
	for (size_t i = 0; i < recorder->recordings.all.count; i++) {
		if (recorder->recordings.all.items[i]->due < due)
			due = recorder->recordings.all.items[i]->due;
	}
	return due;
}

int64_t recorder_round(struct recorder *recorder)
{
	int64_t now = now_ticks(), due;
	struct err err = { ERR_NONE, "" };

	if (pthread_mutex_lock(&recorder->lock) != 0)
		return now + ROUND_MAX;
	if (recorder->phase == RECORDER_OPEN)
		forget(recorder, now);
	if (recorder->phase == RECORDER_RUNNING && !round_of(recorder, now, &err)) {
		save(recorder);
		recorder_break(recorder, &err);
	}
	if (recorder->phase != RECORDER_ENDED && !turn_due(recorder, now, &err))
		recorder_break(recorder, &err);
	due = due_of(recorder, now);
	if (recorder->phase != RECORDER_ENDED)
		blocks_stock(&recorder->blocks);
	pthread_mutex_unlock(&recorder->lock);
	return due;
}

/* That is a mistake of an observer. */
static void tell_missing(const struct recorder *recorder)
{
	uint64_t missing = sink_missing(recorder->sink);
	char line[100];

	snprintf(line, sizeof(line), "%llu references lead to nothing",
		 (unsigned long long)missing);
	if (missing)
		recorder_say(recorder, line);
}

/* They will not begin any more. */
static void drop_delayed(struct recorder *recorder)
{
	for (size_t i = 0; i < recorder->recordings.all.count; i++) {
		struct tape *one = recorder->recordings.all.items[i];

		if (one->state == FACTS_DELAYED)
			shift_mark_end(recorder, one, now_nanos());
	}
}

/* Where there were several recordings, their files are not one: who has them tells that. */
static void stopped(struct recorder *recorder)
{
	struct spill_header *header = recorder_header(recorder);

	drop_delayed(recorder);
	recorder->way->retain(recorder, now_ticks());
	tell_missing(recorder);
	let_go(recorder, false);
	if (recorder->spill_path)
		unlink(recorder->spill_path);
	spill_set(&header->bytes, recorder->repository.size);
	spill_set(&header->state, recorder->recordings.last_id > 1 ? SPILL_STARTING
								    : SPILL_STOPPED);
	repository_unlock(&recorder->repository);
}

static bool lock_until(pthread_mutex_t *lock, int64_t deadline)
{
	const struct timespec until = { deadline / SECOND, deadline % SECOND };

	return pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &until) == 0;
}

/*
 * When this fails, there is nothing to save as in a round: what was kept is being written
 * already, and what did not get into the chunk is in the spill file, as it was.
 */
bool recorder_stop(struct recorder *recorder, int64_t deadline)
{
	struct err err = { ERR_NONE, "" };

	if (!lock_until(&recorder->lock, deadline))
		return false;
	if (recorder->phase == RECORDER_RUNNING && !shift_last(recorder, true, &err))
		recorder_break(recorder, &err);
	if (recorder->phase != RECORDER_ENDED)
		stopped(recorder);
	pthread_mutex_unlock(&recorder->lock);
	return true;
}

void recorder_fail(struct recorder *recorder, const struct err *err)
{
	if (pthread_mutex_lock(&recorder->lock) != 0)
		return;
	if (recorder->phase != RECORDER_ENDED)
		recorder_break(recorder, err);
	pthread_mutex_unlock(&recorder->lock);
}

void recorder_close(struct recorder *recorder)
{
	recordings_clear(&recorder->recordings);
	sink_free(recorder->sink);
	constants_free(recorder->constants);
	records_free(recorder->records);
	kept_clear(&recorder->kept, true);
	stream_clear(&recorder->metadata, true);
	batch_clear(&recorder->batch);
	blocks_clear(&recorder->blocks);
	if (recorder_header(recorder))
		store_close(&recorder->store);
	repository_close(&recorder->repository);
	free(recorder->spill_path);
	pthread_mutex_destroy(&recorder->lock);
	memset(recorder, 0, sizeof(*recorder));
}
