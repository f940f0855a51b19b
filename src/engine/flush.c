#include "engine/flush.h"

#include "engine/self.h"

#define NO_SPACE                                                               \
	"no space for the spill file: what the JVM has not written yet is lost " \
	"if it is killed"

void recorder_say(const struct recorder *recorder, const char *text)
{
	if (recorder->log)
		recorder->log(text);
}

void flush_flip(struct recorder *recorder, int64_t now)
{
	constants_epoch(recorder->constants, recorder_epoch(recorder) + 1);
	store_flip(&recorder->store);
	recorder->flipped = now;
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

bool flush_told(struct recorder *recorder, struct err *err)
{
	store_next_flush(&recorder->store);
	if (!put(recorder, err))
		return false;
	store_commit(&recorder->store);
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

/* There is no spill file, or not all of what belongs into it. */
static void warn_once(struct recorder *recorder)
{
	if (recorder->has_warned || (store_fd(&recorder->store) >= 0 &&
				     !atomic_load(&recorder->blocks.is_short)))
		return;
	recorder->has_warned = true;
	recorder_say(recorder, NO_SPACE);
	if (recorder->warn)
		recorder->warn(recorder->context, NO_SPACE);
}

bool flush_all(struct recorder *recorder, int64_t now, struct err *err)
{
	struct spill_header *header = recorder_header(recorder);
	uint64_t events, bytes;
	bool is_done;

	recorder->batch.now = now;
	self_tell_losses(&recorder->batch, &recorder->store, &recorder->settings);
	is_done = drain(recorder, err);
	store_lost(&recorder->store, &events, &bytes);
	spill_set(&header->lost_events, events);
	spill_set(&header->lost_bytes, bytes);
	blocks_stock(&recorder->blocks);
	warn_once(recorder);
	recorder->flush_due = now + recorder->orders->flush_interval;
	return is_done;
}
