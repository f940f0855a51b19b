#include "engine/ways.h"

#include <limits.h>

#include "engine/self.h"
#include "jfr/frame.h"

#define PART_SIZE ((size_t)64 << 10)	/* kept, and given up, at a time */

/* --- on disk -------------------------------------------------------------------- */

static bool begin_chunk(struct recorder *recorder, struct instant start, unsigned epoch,
			struct err *err)
{
	struct spill_header *header = recorder_header(recorder);

	if (!sink_begin(recorder->sink, start, epoch, err))
		return false;
	spill_add(&header->chunks, 1);
	spill_set(&header->bytes, recorder->repository.size);
	return true;
}

static bool begin_on_disk(struct recorder *recorder, struct instant at, struct err *err)
{
	return begin_chunk(recorder, at, recorder_epoch(recorder), err);
}

static void tell_begin(struct recorder *recorder, int64_t now)
{
	recorder->batch.now = now;
	self_tell(&recorder->batch, &recorder->recordings);
	observers_tell_chunk(&recorder->observers, &recorder->batch, now,
			     PERIOD_BEGIN_CHUNK);
}

/* Events that go to the chunk, as a flush; `kept`: up to there, they were kept. */
struct parcel {
	struct str events;
	uint64_t count, kept;
	unsigned epoch;
	int64_t now;
};

static bool write_parcel(struct recorder *recorder, const struct parcel *parcel,
			 struct err *err)
{
	struct spill_header *header = recorder_header(recorder);
	struct sink *sink = recorder->sink;

	store_announce(&recorder->store, sink_start_nanos(sink), sink_size(sink),
		       parcel->kept);
	if (!sink_add(sink, parcel->events, parcel->epoch, parcel->now, err) ||
	    !sink_flush(sink, parcel->now, err))
		return false;
	spill_add(&header->events, parcel->count);
	spill_set(&header->bytes, recorder->repository.size);
	return true;
}

static bool write_batch(struct recorder *recorder, int64_t now, struct err *err)
{
	struct parcel parcel = {
		.events = buf_as_str(&recorder->batch.buf),
		.count = recorder->batch.events,
		.epoch = recorder_epoch(recorder),
		.now = now,
	};

	return write_parcel(recorder, &parcel, err);
}

static bool is_complete(struct recorder *recorder, int64_t now)
{
	return sink_size(recorder->sink) >= recorder->limits.chunk_size ||
	       now - sink_start(recorder->sink) >= recorder->limits.chunk_age;
}

/* What is in memory counts as the newest of all. */
static unsigned retain_chunks(struct recorder *recorder, int64_t now)
{
	return recordings_retain(&recorder->recordings, &recorder->repository,
				 instant_of(recorder, now).nanos, recorder->kept.size);
}

/*
 * If constants take too much, only what the present chunk uses stays: others are then
 * written under another key if they come again, which groups them apart in views.
 */
static unsigned retain_files(struct recorder *recorder, int64_t now)
{
	unsigned oldest = retain_chunks(recorder, now);

	spill_set(&recorder_header(recorder)->bytes, recorder->repository.size);
	return constants_memory(recorder->constants) > CONSTANTS_MAX
		       ? sink_epoch(recorder->sink)
		       : oldest;
}

/* What only the other way has to do. */
static bool do_nothing(struct recorder *recorder, int64_t now, struct err *err)
{
	(void)recorder;
	(void)now;
	(void)err;
	return true;
}

const struct recorder_way way_on_disk = {
	.begin = begin_on_disk,
	.first = tell_begin,
	.put = write_batch,
	.turn = is_complete,
	.retain = retain_files,
	.finish = do_nothing,
	.write = do_nothing,
};

/* --- in memory ------------------------------------------------------------------ */

static bool begin_in_memory(struct recorder *recorder, struct instant at,
			    struct err *err)
{
	(void)err;
	recorder->collected = at.ticks;
	return true;
}

static void tell_nothing(struct recorder *recorder, int64_t now)
{
	(void)recorder;
	(void)now;
}

/* Not more than there may be at once. */
static size_t kept_size(const struct recorder *recorder)
{
	size_t most = tape_kept_size(recorder->orders);
	size_t size = recorder->limits.kept_size;

	return size < most ? size : most;
}

/* Constants take their share of it: up to a half, as those of living things stay. */
static size_t events_size(struct recorder *recorder)
{
	size_t all = kept_size(recorder);
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
	struct str events = buf_as_str(&recorder->batch.buf);
	struct kept_batch batch = {
		.flush = recorder->store.flush,
		.epoch = recorder_epoch(recorder),
		.from = recorder->collected,
		.to = now,
	};
	size_t size;

	constants_restart(recorder->constants);
	if (!constants_want(recorder->constants, events.bytes, events.size, batch.epoch,
			    NULL, err))
		return false;
	for (size_t from = 0; from < events.size; from += size) {
		size = part_of(events, from, &batch.events);
		if (!kept_add(&recorder->kept, (struct str){ events.bytes + from, size },
			      &batch))
			return err_memory(err);
	}
	recorder->collected = now;
	return true;
}

static bool keep_batch(struct recorder *recorder, int64_t now, struct err *err)
{
	int64_t age = recorder->limits.kept_age;
	struct spill_header *header = recorder_header(recorder);

	store_announce(&recorder->store, 0, 0, 0);
	if (!keep(recorder, now, err))
		return false;
	kept_trim(&recorder->kept, events_size(recorder),
		  age ? now - age : INT64_MIN);
	spill_set(&header->events, recorder->kept.events);
	spill_set(&header->bytes, recorder->kept.size);
	return true;
}

static bool turn_in_memory(struct recorder *recorder, int64_t now)
{
	if (now - recorder->flipped >= SECOND)
		flush_flip(recorder, now);
	return false;
}

static unsigned retain_kept(struct recorder *recorder, int64_t now)
{
	unsigned oldest = retain_chunks(recorder, now), kept = kept_epoch(&recorder->kept);

	return oldest < kept ? oldest : kept;
}

/*
 * The oldest batch goes to the chunk; before that is known to be so, it is kept no
 * more.
 */
static bool write_oldest(struct recorder *recorder, struct buf *buf, struct err *err)
{
	const struct kept_batch *batch = &recorder->kept.batches.items[0];
	struct parcel parcel = {
		.count = batch->events,
		.kept = batch->end,
		.epoch = batch->epoch,
		.now = batch->to,
	};

	buf_reset(buf);
	kept_read(&recorder->kept, batch, buf);
	if (buf->failed)
		return err_memory(err);
	parcel.events = buf_as_str(buf);
	store_next_flush(&recorder->store);
	if (!write_parcel(recorder, &parcel, err))
		return false;
	kept_drop(&recorder->kept);
	store_commit(&recorder->store);
	return true;
}

/* All that was kept becomes a chunk. */
static bool write_kept(struct recorder *recorder, int64_t now, struct err *err)
{
	const struct kept *kept = &recorder->kept;
	const bool is_any = kept->batches.count > 0;
	int64_t from = is_any ? kept->batches.items[0].from : recorder->collected;
	unsigned epoch = is_any ? kept_epoch(kept) : recorder_epoch(recorder);
	struct buf buf = { 0 };
	bool is_good = true;

	(void)now;
	spill_set(&recorder_header(recorder)->events, 0);
	if (!begin_chunk(recorder, instant_of(recorder, from), epoch, err))
		return false;
	while (is_good && kept->batches.count > 0)
		is_good = write_oldest(recorder, &buf, err);
	buf_clear(&buf);
	return is_good;
}

/* What was kept becomes the chunk; what it still lacks takes no room from that. */
static bool finish_in_memory(struct recorder *recorder, int64_t now, struct err *err)
{
	if (!flush_all(recorder, now, err) || !write_kept(recorder, now, err))
		return false;
	recorder->way = &way_on_disk;
	tell_begin(recorder, now);
	return true;
}

static bool copy_batches(struct recorder *recorder, struct sink *sink, struct err *err)
{
	const struct kept *kept = &recorder->kept;
	struct buf buf = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < kept->batches.count && is_good; i++) {
		const struct kept_batch *batch = &kept->batches.items[i];

		buf_reset(&buf);
		kept_read(kept, batch, &buf);
		is_good = !buf.failed ? sink_add(sink, buf_as_str(&buf), batch->epoch,
						 batch->to, err)
				      : err_memory(err);
	}
	buf_clear(&buf);
	return is_good;
}

/* What is told for it alone is not kept. */
static bool copy_told(struct recorder *recorder, struct sink *sink, int64_t now,
		      struct err *err)
{
	struct batch *batch = &recorder->batch;
	bool is_good;

	tell_begin(recorder, now);
	observers_tell_chunk(&recorder->observers, batch, now, PERIOD_END_CHUNK);
	batch_end(batch);
	is_good = !batch->buf.failed ? sink_add(sink, buf_as_str(&batch->buf),
						recorder_epoch(recorder), now, err)
				     : err_memory(err);
	batch_reset(batch);
	return is_good;
}

static bool copy_kept(struct recorder *recorder, struct sink *sink, struct err *err)
{
	const struct kept *kept = &recorder->kept;
	const bool is_any = kept->batches.count > 0;
	int64_t from = is_any ? kept->batches.items[0].from : recorder->collected;
	unsigned epoch = is_any ? kept_epoch(kept) : recorder_epoch(recorder);
	int64_t now = now_ticks();
	struct instant end;

	return sink_begin(sink, instant_of(recorder, from), epoch, err) &&
	       copy_batches(recorder, sink, err) &&
	       copy_told(recorder, sink, now, err) &&
	       sink_end(sink, now_ticks(), true, &end, err);
}

/* No chunk is open: constants are marked for this one. */
bool ways_copy_kept(struct recorder *recorder, struct repository *to, struct err *err)
{
	struct sink *sink = sink_new(recorder->constants, to);
	bool is_good = sink ? copy_kept(recorder, sink, err) : err_memory(err);

	sink_free(sink);
	constants_restart(recorder->constants);
	return is_good;
}

const struct recorder_way way_in_memory = {
	.begin = begin_in_memory,
	.first = tell_nothing,
	.put = keep_batch,
	.turn = turn_in_memory,
	.retain = retain_kept,
	.finish = finish_in_memory,
	.write = write_kept,
};
