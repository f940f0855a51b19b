#include "engine/recorder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "engine/self.h"
#include "jfr/frame.h"

#define FOLDER "/tmp"			/* of repositories, if the orders name none */
#define SPILL_NAME "spill"

#define BATCH_SIZE ((size_t)4 << 20)	/* what is drained before it is written */
#define PART_SIZE ((size_t)64 << 10)	/* written at a time */
#define CHUNK_SIZE_MIN ((int64_t)128 << 10)
#define CHUNK_AGE_MAX (3600 * SECOND)
#define CHUNKS_OF_SIZE 4		/* at least so many make up max_size, */
#define CHUNKS_OF_AGE 10		/* and max_age */
#define CONSTANTS_MAX ((size_t)64 << 20)
#define LAST_WAITS 10			/* milliseconds, for events being written */

/* The time since 1970 at these ticks, by the clock at the recording's start. */
static struct instant instant_of(const struct recorder *recorder, int64_t ticks)
{
	return (struct instant){ recorder->start_nanos + ticks - recorder->start_ticks,
				ticks };
}

/* What is done otherwise on disk and in memory. */
struct recorder_way {
	/* The recording begins, and observers have started. */
	bool (*begin)(struct recorder *recorder, int64_t now, struct err *err);
	void (*first)(struct recorder *recorder, int64_t now);
	/* Takes the batch, which is not empty. */
	bool (*put)(struct recorder *recorder, int64_t now, struct err *err);
	/* After each flush of a round: a new chunk, or epoch, if it is time. */
	bool (*turn)(struct recorder *recorder, int64_t now, struct err *err);
	/* Gives up what is too old or too much: the oldest epoch that is left. */
	unsigned (*retain)(struct recorder *recorder, int64_t now);
	/* The recording ends: what comes from here on is the end of its last chunk. */
	bool (*finish)(struct recorder *recorder, int64_t now, struct err *err);
	/* Writes what would be lost otherwise. */
	bool (*write)(struct recorder *recorder, int64_t now, struct err *err);
};

static const struct recorder_way on_disk, in_memory;

/* What is kept without disk. */
static size_t kept_size(const struct orders *orders)
{
	return (size_t)(orders->memory_size - orders_memory_of_buffers(orders));
}

static bool open_store(struct recorder *recorder, struct err *err)
{
	const struct orders *orders = recorder->orders;

	if (!orders->socket.size) {
		recorder->spill_path = path_within(recorder->repository.path,
						   SPILL_NAME);
		if (!recorder->spill_path)
			return err_memory(err);
	}
	struct slots_plan plan = {
		.path = recorder->spill_path,
		.buffer = (size_t)orders->buffer_size,
		.memory = (size_t)orders_memory_of_buffers(orders),
		.blocks = (2 * CONSTANTS_MAX + kept_size(orders)) / BLOCK_SIZE,
	};
	if (!store_make(&recorder->store, &plan, err))
		return false;
	blocks_init(&recorder->blocks, store_file(&recorder->store));
	return true;
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
	if (!recorder->sink)
		return err_memory(err);
	constants_epoch(recorder->constants, atomic_load(&recorder->store.epoch));
	return true;
}

/* Who comes back to us while we ask an observer gets an error: it would wait for ever. */
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
	recorder->way = orders->to_disk ? &on_disk : &in_memory;
	recorder->orders = orders;
	recorder->observers = (struct observers){
		.recorder = recorder,
		.list = observers,
		.settings = &recorder->settings,
	};
	recorder->store.slots.file.fd = -1;
	open_lock(&recorder->lock);
	if (open_parts(recorder, err))
		return true;
	if (recorder->spill_path)
		unlink(recorder->spill_path);
	if (recorder->repository.path)
		rmdir(recorder->repository.path);
	recorder_close(recorder);
	return false;
}

static struct spill_header *header_of(struct recorder *recorder)
{
	return store_header(&recorder->store);
}

static void say(const struct recorder *recorder, const char *text)
{
	if (recorder->log)
		recorder->log(text);
}

/* Nothing will be written any more: what is kept goes. */
static void let_go(struct recorder *recorder)
{
	recorder->phase = RECORDER_ENDED;
	atomic_store(&recorder->is_over, true);
	batch_clear(&recorder->batch);
	kept_clear(&recorder->kept);
	sink_free(recorder->sink);
	recorder->sink = NULL;
	constants_close(recorder->constants);
}

/* Recording ends, and the spill file says why. False. */
static bool fail(struct recorder *recorder, const struct err *err)
{
	struct spill_header *header = header_of(recorder);

	atomic_store(&recorder->is_on, false);
	if (recorder->phase == RECORDER_RUNNING)
		observers_stop(&recorder->observers);
	let_go(recorder);
	snprintf(header->message, sizeof(header->message), "%s", err->text);
	spill_set(&header->state, SPILL_FAILED);
	say(recorder, err->text);
	if (recorder->failed)
		recorder->failed(recorder->context, err->text);
	return false;
}

static unsigned epoch_of(struct recorder *recorder)
{
	return atomic_load_explicit(&recorder->store.epoch, memory_order_relaxed);
}

/* The constants first, so that no event of the new epoch asks in the old one. */
static void flip(struct recorder *recorder, int64_t now)
{
	constants_epoch(recorder->constants, epoch_of(recorder) + 1);
	store_flip(&recorder->store);
	recorder->flipped = now;
}

/* --- batches ------------------------------------------------------------------ */

/* Constants take their share of it: up to a half, as those of living things stay. */
static size_t events_size(struct recorder *recorder)
{
	size_t all = kept_size(recorder->orders);
	size_t taken = constants_memory(recorder->constants);

	return all - (taken < all / 2 ? taken : all / 2);
}

/* The size of some whole events from there on; if there are none, of all. */
static size_t part_of(struct str events, size_t from, uint64_t *count)
{
	const unsigned char *bytes = (const unsigned char *)events.bytes;
	struct frame frame;
	size_t to = from;

	*count = 0;
	while (to < events.size && to - from < PART_SIZE) {
		if (frame_read(bytes, events.size, to, &frame))
			return events.size - from;
		to += frame.size;
		++*count;
	}
	return to - from;
}

/* In parts, as whole ones are given up. */
static bool keep(struct recorder *recorder, int64_t now, struct err *err)
{
	const struct orders *orders = recorder->orders;
	struct str events = buf_as_str(&recorder->batch.buf);
	unsigned epoch = epoch_of(recorder);
	int64_t oldest = orders->max_age ? now - orders->max_age : INT64_MIN;
	uint64_t count;
	size_t size;

	constants_restart(recorder->constants);
	if (!constants_want(recorder->constants, events.bytes, events.size, epoch, NULL,
			    err))
		return false;
	for (size_t from = 0; from < events.size; from += size) {
		size = part_of(events, from, &count);
		if (!kept_add(&recorder->kept, (struct str){ events.bytes + from, size },
			      count, epoch, recorder->collected, now))
			return err_memory(err);
	}
	kept_trim(&recorder->kept, events_size(recorder), oldest);
	recorder->collected = now;
	return true;
}

static bool keep_batch(struct recorder *recorder, int64_t now, struct err *err)
{
	struct spill_header *header = header_of(recorder);

	if (!keep(recorder, now, err))
		return false;
	spill_set(&header->events, recorder->kept.events);
	spill_set(&header->bytes, recorder->kept.size);
	return true;
}

/* In parts: where there is no room for all of it, there may be for some. */
static bool write_events(struct recorder *recorder, struct str events, unsigned epoch,
			 int64_t now, struct err *err)
{
	struct spill_header *header = header_of(recorder);
	uint64_t count;
	size_t size;

	for (size_t from = 0; from < events.size; from += size) {
		size = part_of(events, from, &count);
		if (!sink_add(recorder->sink, (struct str){ events.bytes + from, size },
			      epoch, now, err))
			return false;
		spill_add(&header->events, count);
		spill_set(&header->bytes, recorder->repository.size);
	}
	return true;
}

static bool write_batch(struct recorder *recorder, int64_t now, struct err *err)
{
	return write_events(recorder, buf_as_str(&recorder->batch.buf),
			    epoch_of(recorder), now, err);
}

/* The batch goes its way; then it is empty. */
static bool put(struct recorder *recorder, struct err *err)
{
	struct batch *batch = &recorder->batch;

	batch_end(batch);
	if (batch->buf.failed)
		return err_memory(err);
	if (batch->buf.size > 0 && !recorder->way->put(recorder, now_ticks(), err))
		return false;
	batch_reset(batch);
	return true;
}

static bool take(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct recorder *recorder = context;
	struct batch *batch = &recorder->batch;

	if (batch->buf.size >= BATCH_SIZE)
		return false;
	if (lane & LANE_RAW)
		observers_translate(&recorder->observers, batch, bytes, size);
	else
		batch_add(batch, bytes, size);
	return !batch->buf.failed;
}

/*
 * What was committed goes the same way, in parts that are not too large. Threads may be
 * faster than we are: not more than all buffers hold is waited for.
 */
static bool drain(struct recorder *recorder, struct err *err)
{
	int64_t most = recorder->orders->memory_size / (int64_t)BATCH_SIZE + 2;
	bool is_all = false;

	for (; most > 0 && !is_all; most--) {
		is_all = store_drain(&recorder->store, take, recorder);
		if (!put(recorder, err))
			return false;
		store_settle(&recorder->store);
	}
	atomic_fetch_add(&recorder->drained, is_all);
	return true;
}

static bool flush(struct recorder *recorder, int64_t now, struct err *err)
{
	struct spill_header *header = header_of(recorder);
	uint64_t events, bytes;
	bool is_done;

	recorder->batch.now = now;
	self_tell_losses(&recorder->batch, &recorder->store, &recorder->settings);
	is_done = drain(recorder, err);
	store_lost(&recorder->store, &events, &bytes);
	spill_set(&header->lost_events, events);
	spill_set(&header->lost_bytes, bytes);
	recorder->flush_due = now + recorder->orders->flush_interval;
	return is_done;
}

/* --- chunks ------------------------------------------------------------------- */

static void tell_begin(struct recorder *recorder, int64_t now)
{
	recorder->batch.now = now;
	self_tell(&recorder->batch, recorder->orders, &recorder->settings,
		  recorder->start_nanos);
	observers_tell_chunk(&recorder->observers, &recorder->batch, now,
			     PERIOD_BEGIN_CHUNK);
}

static bool begin_chunk(struct recorder *recorder, struct instant start, unsigned epoch,
			struct err *err)
{
	if (!sink_begin(recorder->sink, start, epoch, err))
		return false;
	spill_add(&header_of(recorder)->chunks, 1);
	spill_set(&header_of(recorder)->bytes, recorder->repository.size);
	return true;
}

static int64_t chunk_size(const struct orders *orders)
{
	int64_t size = orders->max_chunk_size ? orders->max_chunk_size : INT64_MAX;
	int64_t part = orders->max_size / CHUNKS_OF_SIZE;

	if (part && part < CHUNK_SIZE_MIN)
		part = CHUNK_SIZE_MIN;
	return part && part < size ? part : size;
}

static int64_t chunk_age(const struct orders *orders)
{
	int64_t age = orders->max_age / CHUNKS_OF_AGE;

	if (age == 0 || age > CHUNK_AGE_MAX)
		return CHUNK_AGE_MAX;
	return age < SECOND ? SECOND : age;
}

static bool is_complete(const struct recorder *recorder, int64_t now)
{
	return sink_size(recorder->sink) >= (uint64_t)chunk_size(recorder->orders) ||
	       now - sink_start(recorder->sink) >= chunk_age(recorder->orders);
}

static bool rotate(struct recorder *recorder, struct err *err)
{
	int64_t now = now_ticks();
	struct instant end;

	observers_tell_chunk(&recorder->observers, &recorder->batch, now,
			     PERIOD_END_CHUNK);
	flip(recorder, now);
	if (!flush(recorder, now, err) ||
	    !sink_end(recorder->sink, now_ticks(), false, &end, err) ||
	    !begin_chunk(recorder, end, epoch_of(recorder), err))
		return false;
	tell_begin(recorder, end.ticks);
	return put(recorder, err);
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

/* Before the recording: no event needs what has been put so far. */
static void forget(struct recorder *recorder, int64_t now)
{
	flip(recorder, now);
	evict(recorder, epoch_of(recorder), now);
	atomic_fetch_add(&recorder->drained, 1);
}

/*
 * If constants take too much, only what the present chunk uses stays: others are then
 * written under another key if they come again, which groups them apart in views.
 */
static unsigned retain_files(struct recorder *recorder, int64_t now)
{
	const struct orders *orders = recorder->orders;
	unsigned oldest = repository_retain(
		&recorder->repository, instant_of(recorder, now).nanos,
		orders->max_age, (uint64_t)orders->max_size);

	spill_set(&header_of(recorder)->bytes, recorder->repository.size);
	return constants_memory(recorder->constants) > CONSTANTS_MAX
		       ? sink_epoch(recorder->sink)
		       : oldest;
}

static unsigned retain_kept(struct recorder *recorder, int64_t now)
{
	(void)now;
	return kept_epoch(&recorder->kept);
}

/* All that was kept becomes a chunk. */
static bool write_kept(struct recorder *recorder, int64_t now, struct err *err)
{
	const struct kept *kept = &recorder->kept;
	int64_t from = kept->batches.count ? kept->batches.items[0].from
					   : recorder->start_ticks;

	(void)now;
	spill_set(&header_of(recorder)->events, 0);
	if (!begin_chunk(recorder, instant_of(recorder, from), epoch_of(recorder), err))
		return false;
	for (size_t i = 0; i < kept->batches.count; i++) {
		const struct kept_batch *at = &kept->batches.items[i];

		if (!write_events(recorder, (struct str){ at->bytes, at->size },
				  at->epoch, at->to, err))
			return false;
	}
	return true;
}

/* --- the two ways -------------------------------------------------------------- */

static bool begin_on_disk(struct recorder *recorder, int64_t now, struct err *err)
{
	return begin_chunk(recorder, instant_of(recorder, now), epoch_of(recorder),
			   err);
}

/* What only the other way has to do. */
static bool do_nothing(struct recorder *recorder, int64_t now, struct err *err)
{
	(void)recorder;
	(void)now;
	(void)err;
	return true;
}

static bool turn_on_disk(struct recorder *recorder, int64_t now, struct err *err)
{
	return !is_complete(recorder, now) || rotate(recorder, err);
}

static bool turn_in_memory(struct recorder *recorder, int64_t now, struct err *err)
{
	(void)err;
	if (now - recorder->flipped >= SECOND)
		flip(recorder, now);
	return true;
}

static void tell_nothing(struct recorder *recorder, int64_t now)
{
	(void)recorder;
	(void)now;
}

/* What was kept becomes the chunk; what it still lacks takes no room from that. */
static bool finish_in_memory(struct recorder *recorder, int64_t now, struct err *err)
{
	if (!flush(recorder, now, err) || !write_kept(recorder, now, err))
		return false;
	recorder->way = &on_disk;
	tell_begin(recorder, now);
	return true;
}

static const struct recorder_way on_disk = {
	.begin = begin_on_disk,
	.first = tell_begin,
	.put = write_batch,
	.turn = turn_on_disk,
	.retain = retain_files,
	.finish = do_nothing,
	.write = do_nothing,
};
static const struct recorder_way in_memory = {
	.begin = do_nothing,
	.first = tell_nothing,
	.put = keep_batch,
	.turn = turn_in_memory,
	.retain = retain_kept,
	.finish = finish_in_memory,
	.write = write_kept,
};

/* --- life --------------------------------------------------------------------- */

static int64_t start_clock(struct recorder *recorder)
{
	struct spill_header *header = header_of(recorder);

	recorder->start_nanos = header->start_nanos = now_nanos();
	recorder->start_ticks = header->start_ticks = now_ticks();
	return recorder->start_ticks;
}

static bool start(struct recorder *recorder, struct err *err)
{
	int64_t now = start_clock(recorder);

	if (store_fd(&recorder->store) < 0)
		say(recorder, "no space for buffers that others can read");
	if (!recorder->way->begin(recorder, now, err))
		return false;
	recorder->phase = RECORDER_RUNNING;
	recorder->flipped = recorder->collected = now;
	recorder->evict_due = now + SECOND;
	spill_set(&header_of(recorder)->state, SPILL_RECORDING);
	atomic_store(&recorder->is_on, true);
	observers_start(&recorder->observers, now, recorder->log);
	recorder->way->first(recorder, now);
	return flush(recorder, now, err);
}

bool recorder_start(struct recorder *recorder, struct err *err)
{
	struct err why = { ERR_NONE, "" };
	bool is_started = false;

	if (pthread_mutex_lock(&recorder->lock) != 0)
		return err_set(err, ERR_USAGE,
			       "an observer cannot start the recording");
	if (recorder->phase == RECORDER_OPEN)
		is_started = start(recorder, &why) || fail(recorder, &why);
	else
		err_set(&why, ERR_USAGE, "this recording was started before");
	pthread_mutex_unlock(&recorder->lock);
	if (!is_started && err)
		*err = why;
	return is_started;
}

/* What was kept in memory is worth an attempt when recording fails. */
static void save(struct recorder *recorder)
{
	int64_t now = now_ticks();
	struct instant end;

	if (!sink_size(recorder->sink) && recorder->way->write(recorder, now, NULL) &&
	    sink_size(recorder->sink))
		sink_end(recorder->sink, now, true, &end, NULL);
}

static bool round_of(struct recorder *recorder, int64_t now, struct err *err)
{
	observers_collect(&recorder->observers, now);
	observers_tell_due(&recorder->observers, &recorder->batch, now);
	if (now < recorder->flush_due && !atomic_load(&recorder->store.is_awake) &&
	    recorder->batch.buf.size < BATCH_SIZE)
		return true;
	if (!flush(recorder, now, err) || !recorder->way->turn(recorder, now, err))
		return false;
	evict(recorder, recorder->way->retain(recorder, now), now);
	return true;
}

int64_t recorder_round(struct recorder *recorder)
{
	int64_t now = now_ticks(), due = now + CHUNK_AGE_MAX;
	struct err err = { ERR_NONE, "" };

	if (pthread_mutex_lock(&recorder->lock) != 0)
		return due;
	if (recorder->phase == RECORDER_OPEN) {
		forget(recorder, now);
		due = now + SECOND;
	}
	if (recorder->phase == RECORDER_RUNNING && !round_of(recorder, now, &err)) {
		save(recorder);
		fail(recorder, &err);
	}
	if (recorder->phase == RECORDER_RUNNING) {
		due = observers_due(&recorder->observers);
		if (recorder->flush_due < due)
			due = recorder->flush_due;
	}
	pthread_mutex_unlock(&recorder->lock);
	return due;
}

/* What threads are about to commit is worth a short wait. */
static void wait_for_last(struct recorder *recorder)
{
	struct timespec pause = { .tv_nsec = MILLISECOND };
	unsigned last = epoch_of(recorder);

	flip(recorder, now_ticks());
	for (int i = 0; i < LAST_WAITS && !store_is_past(&recorder->store, last); i++)
		nanosleep(&pause, NULL);
}

static bool stop(struct recorder *recorder, struct err *err)
{
	int64_t now = now_ticks();
	struct instant end;

	observers_collect(&recorder->observers, now);
	if (!recorder->way->finish(recorder, now, err))
		return false;
	observers_stop(&recorder->observers);
	observers_tell_chunk(&recorder->observers, &recorder->batch, now,
			     PERIOD_END_CHUNK);
	atomic_store(&recorder->is_on, false);
	wait_for_last(recorder);
	return flush(recorder, now, err) &&
	       sink_end(recorder->sink, now_ticks(), true, &end, err);
}

/* That is a mistake of an observer. */
static void tell_missing(const struct recorder *recorder)
{
	uint64_t missing = sink_missing(recorder->sink);
	char line[100];

	snprintf(line, sizeof(line), "%llu references lead to nothing",
		 (unsigned long long)missing);
	if (missing)
		say(recorder, line);
}

static void stopped(struct recorder *recorder)
{
	struct spill_header *header = header_of(recorder);

	recorder->way->retain(recorder, now_ticks());
	tell_missing(recorder);
	let_go(recorder);
	if (recorder->spill_path)
		unlink(recorder->spill_path);
	spill_set(&header->bytes, recorder->repository.size);
	spill_set(&header->state, SPILL_STOPPED);
}

void recorder_stop(struct recorder *recorder)
{
	struct err err = { ERR_NONE, "" };

	if (pthread_mutex_lock(&recorder->lock) != 0)
		return;
	if (recorder->phase == RECORDER_RUNNING && !stop(recorder, &err))
		fail(recorder, &err);
	if (recorder->phase != RECORDER_ENDED)
		stopped(recorder);
	pthread_mutex_unlock(&recorder->lock);
}

void recorder_fail(struct recorder *recorder, const struct err *err)
{
	if (pthread_mutex_lock(&recorder->lock) != 0)
		return;
	if (recorder->phase != RECORDER_ENDED)
		fail(recorder, err);
	pthread_mutex_unlock(&recorder->lock);
}

void recorder_close(struct recorder *recorder)
{
	sink_free(recorder->sink);
	constants_free(recorder->constants);
	records_free(recorder->records);
	kept_clear(&recorder->kept);
	batch_clear(&recorder->batch);
	if (header_of(recorder))
		store_close(&recorder->store);
	repository_close(&recorder->repository);
	free(recorder->spill_path);
	pthread_mutex_destroy(&recorder->lock);
	memset(recorder, 0, sizeof(*recorder));
}
