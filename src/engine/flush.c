#include "engine/flush.h"

#include <errno.h>
#include <stdio.h>

#include "engine/self.h"

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

	if (batch->buf.size >= recorder->batch_max)
		return false;
	if (lane & LANE_RAW)
		observers_translate(&recorder->observers, batch, bytes, size);
	else
		batch_add(batch, bytes, size);
	return !batch->buf.failed;
}

/*
 * What was committed goes the same way, in parts that are not too large. Threads may be
 * faster than we are, so when as much has come as all buffers hold, the rest is one
 * part, whatever its size: in the end all is taken that was there when this began, also
 * that of a thread that is slow; and who waits for it to be so (drained, evict) does
 * not wait for ever.
 */
static bool drain(struct recorder *recorder, struct err *err)
{
	int64_t most = recorder->orders->memory_size / (int64_t)BATCH_SIZE + 2;
	bool is_all = false;

	for (; !is_all; most--) {
		recorder->batch_max = most > 0 ? BATCH_SIZE : SIZE_MAX;
		is_all = store_drain(&recorder->store, take, recorder);
		if (!put(recorder, err))
			return false;
		store_settle(&recorder->store);
	}
	atomic_fetch_add(&recorder->drained, 1);
	return true;
}

/* Why there is no spill file, or not all of what belongs into it. */
static const char *shortage_of(const struct recorder *recorder)
{
	static const struct {
		int error;
		const char *text;
	} shortages[] = {
		{ EBADF, "the program closed the file of the buffers" },
		{ EOPNOTSUPP, "the file system cannot hold buffers" },
		{ EFBIG, "files may not be so large as buffers must be" },
	};
	int error = atomic_load(&recorder->store.slots.file.error);

	for (size_t i = 0; i < sizeof(shortages) / sizeof(*shortages); i++) {
		if (shortages[i].error == error)
			return shortages[i].text;
	}
	return "no space for buffers";
}

static void warn_once(struct recorder *recorder)
{
	char text[200];

	if (recorder->has_warned || (store_fd(&recorder->store) >= 0 &&
				     !atomic_load(&recorder->blocks.is_short)))
		return;
	recorder->has_warned = true;
	snprintf(text, sizeof(text),
		 "%s that outlive the JVM: what it has not written yet is lost if it "
		 "is killed",
		 shortage_of(recorder));
	recorder_say(recorder, text);
	if (recorder->warn)
		recorder->warn(recorder->context, text);
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
	warn_once(recorder);
	repository_lock_again(&recorder->repository);
	recorder->flush_due = now + recorder->limits.flush_interval;
	return is_done;
}

static bool pass_over(void *context, uint64_t lane, const char *bytes, size_t size)
{
	(void)context;
	(void)lane;
	(void)bytes;
	(void)size;
	return true;
}

void flush_nowhere(struct recorder *recorder)
{
	store_drain(&recorder->store, pass_over, NULL);
	store_settle(&recorder->store);
}
