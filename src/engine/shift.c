#include "engine/shift.h"

#include "engine/flush.h"
#include "engine/ways.h"

/* --- settings --------------------------------------------------------------------- */

static void set_one(struct event_setting *live, const struct event_setting *to)
{
	__atomic_store_n(&live->is_enabled, to->is_enabled, __ATOMIC_RELAXED);
	__atomic_store_n(&live->with_stack, to->with_stack, __ATOMIC_RELAXED);
	__atomic_store_n(&live->threshold, to->threshold, __ATOMIC_RELAXED);
	__atomic_store_n(&live->period, to->period, __ATOMIC_RELAXED);
	live->filter = to->filter;
	for (size_t i = 0; i < EVENT_SETTINGS_MAX; i++)
		live->texts[i] = to->texts[i];
}

/* Threads that write events read them meanwhile, but for texts. */
static void set_live(struct recorder *recorder)
{
	const struct event_settings *united = &recorder->recordings.united;

	for (size_t i = 0; i < EVENT_COUNT; i++)
		set_one(&recorder->settings.of[i], &united->of[i]);
}

/* Secrets are left out if one of them wants that. */
static void set_redaction(struct recorder *recorder)
{
	const struct recordings *recordings = &recorder->recordings;
	bool is_any = false;

	for (size_t i = 0; i < recordings->all.count; i++) {
		const struct tape *one = recordings->all.items[i];

		is_any |= one->state == FACTS_RUNNING && one->orders.redact;
	}
	recorder->orders->redact = is_any;
}

/*
 * Who runs has changed: what they want becomes what is recorded. Chunks from the next one
 * on are as they want them.
 */
static bool adjust(struct recorder *recorder, struct err *err)
{
	struct recordings *recordings = &recorder->recordings;
	struct event_settings before = recordings->united;
	struct arena texts;

	if (!recordings_unite(recordings, &texts))
		return err_memory(err);
	set_live(recorder);
	arena_clear(&texts);
	recorder->limits = recordings_limits(recordings);
	if (recorder->limits.running == 0)
		return true;
	set_redaction(recorder);
	recordings_wish(recordings, &before, recorder->repository.number + 1);
	recorder->way = recorder->limits.to_disk ? &way_on_disk : &way_in_memory;
	return true;
}

/* --- those who begin and stop ------------------------------------------------------- */

static uint64_t lost_events(struct recorder *recorder)
{
	uint64_t events, bytes;

	store_lost(&recorder->store, &events, &bytes);
	return events;
}

static void begin(struct recorder *recorder, struct tape *recording,
		  struct instant start)
{
	int64_t duration = recording->orders.duration;

	recording->state = FACTS_RUNNING;
	recording->begun = start.nanos;
	recording->due = duration ? start.ticks + duration : INT64_MAX;
	recording->first = recorder->repository.number + 1;
	recording->last = UINT64_MAX;
	recording->lost_before = lost_events(recorder);
}

void shift_mark_end(struct recorder *recorder, struct tape *recording,
		    int64_t nanos)
{
	recording->state = FACTS_STOPPED;
	recording->ended = nanos;
	recording->due = INT64_MAX;
	recording->last = recorder->repository.number;
	recording->lost_after = lost_events(recorder);
}

void shift_mark_failed(struct tape *recording, struct str why)
{
	recording->state = FACTS_FAILED;
	recording->due = INT64_MAX;
	recording->is_news = true;
	orders_text(&recording->orders, &recording->why, why);
}

/* --- on and on ---------------------------------------------------------------------- */

const struct shift shift_none = { .changes = false };

/* What was kept in memory is a chunk like others. */
static bool end_chunk(struct recorder *recorder, const struct shift *shift,
		      struct instant *at, struct err *err)
{
	int64_t now = now_ticks();

	if (shift->begins || shift->ends || shift->changes)
		observers_collect(&recorder->observers, now);
	if (!recorder->way->finish(recorder, now, err))
		return false;
	if (shift->ends)
		observers_tell_last(&recorder->observers, &recorder->batch, now);
	else
		observers_tell_chunk(&recorder->observers, &recorder->batch, now,
				     PERIOD_END_CHUNK);
	flush_flip(recorder, now);
	return flush_all(recorder, now, err) &&
	       sink_end(recorder->sink, now_ticks(), false, at, err);
}

static bool begin_chunk(struct recorder *recorder, struct instant at, struct err *err)
{
	if (!recorder->way->begin(recorder, at, err))
		return false;
	recorder->way->first(recorder, at.ticks);
	return flush_told(recorder, err);
}

bool shift_chunk(struct recorder *recorder, const struct shift *shift, struct err *err)
{
	struct event_settings before;
	struct instant at;

	if (!end_chunk(recorder, shift, &at, err))
		return false;
	if (!shift->begins && !shift->ends && !shift->changes)
		return begin_chunk(recorder, at, err);
	before = recorder->recordings.united;
	if (shift->begins)
		begin(recorder, shift->begins, at);
	if (shift->ends)
		shift_mark_end(recorder, shift->ends, at.nanos);
	if (!adjust(recorder, err))
		return false;
	observers_change(&recorder->observers, &before, at.ticks, recorder->log);
	return begin_chunk(recorder, at, err);
}

/* --- the first ----------------------------------------------------------------------- */

static struct instant start_clock(struct recorder *recorder)
{
	struct spill_header *header = recorder_header(recorder);

	recorder->start_nanos = header->start_nanos = now_nanos();
	recorder->start_ticks = header->start_ticks = now_ticks();
	return (struct instant){ recorder->start_nanos, recorder->start_ticks };
}

static void open_again(struct recorder *recorder)
{
	recorder->phase = RECORDER_OPEN;
	recorder->evict_due = 0;
	spill_set(&recorder_header(recorder)->state, SPILL_STARTING);
}

static bool run(struct recorder *recorder, int64_t now, struct err *err)
{
	recorder->phase = RECORDER_RUNNING;
	recorder->flipped = recorder->collected = now;
	recorder->evict_due = now + SECOND;
	spill_set(&recorder_header(recorder)->state, SPILL_RECORDING);
	atomic_store(&recorder->is_on, true);
	observers_start(&recorder->observers, now, recorder->log);
	recorder->way->first(recorder, now);
	return flush_all(recorder, now, err);
}

/* Nothing comes of it; what was written so far is readable. */
static void give_up(struct recorder *recorder, struct tape *first,
		    const struct err *why)
{
	int64_t now = now_ticks();
	struct instant at = instant_of(recorder, now);

	atomic_store(&recorder->is_on, false);
	if (recorder->phase == RECORDER_RUNNING)
		observers_stop(&recorder->observers);
	if (sink_size(recorder->sink))
		sink_end(recorder->sink, now, true, &at, NULL);
	store_undo(&recorder->store);
	batch_clear(&recorder->batch);
	while (recorder->kept.batches.count > 0)
		kept_drop(&recorder->kept);
	shift_mark_end(recorder, first, at.nanos);
	shift_mark_failed(first, str_of(why->text));
	adjust(recorder, NULL);
	open_again(recorder);
}

bool shift_first(struct recorder *recorder, struct tape *first, struct err *err)
{
	struct instant start;

	/* What was written when the recorder had stopped is of no recording. */
	if (recorder->repository.number > 0)
		flush_nowhere(recorder);
	start = start_clock(recorder);
	begin(recorder, first, start);
	if (adjust(recorder, err) && recorder->way->begin(recorder, start, err) &&
	    run(recorder, start.ticks, err))
		return true;
	give_up(recorder, first, err);
	return false;
}

/* --- the last ------------------------------------------------------------------------ */

/* What threads are just writing is still wanted. */
static void silence(struct recorder *recorder, int64_t now, bool for_good)
{
	atomic_store(&recorder->is_on, false);
	if (for_good) {
		store_close_lanes(&recorder->store);
		return;
	}
	flush_flip(recorder, now);
	store_await(&recorder->store);
}

static void end_all(struct recorder *recorder, struct instant at)
{
	for (size_t i = 0; i < recorder->recordings.all.count; i++) {
		struct tape *one = recorder->recordings.all.items[i];

		if (one->state == FACTS_RUNNING)
			shift_mark_end(recorder, one, at.nanos);
	}
}

bool shift_last(struct recorder *recorder, bool for_good, struct err *err)
{
	int64_t now = now_ticks();
	struct instant at;

	observers_collect(&recorder->observers, now);
	if (!recorder->way->finish(recorder, now, err))
		return false;
	observers_stop(&recorder->observers);
	observers_tell_last(&recorder->observers, &recorder->batch, now);
	silence(recorder, now, for_good);
	if (!flush_all(recorder, now, err) ||
	    !sink_end(recorder->sink, now_ticks(), true, &at, err))
		return false;
	end_all(recorder, at);
	if (for_good)
		return true;
	recorder->way->retain(recorder, at.ticks);
	open_again(recorder);
	return adjust(recorder, err);
}

/* --- whatever runs ------------------------------------------------------------------- */

bool shift_begin(struct recorder *recorder, struct tape *recording, struct err *err)
{
	if (recorder->phase == RECORDER_OPEN)
		return shift_first(recorder, recording, err);
	return shift_chunk(recorder, &(struct shift){ .begins = recording }, err);
}

bool shift_end(struct recorder *recorder, struct tape *recording, struct err *err)
{
	if (recorder->limits.running == 1)
		return shift_last(recorder, false, err);
	return shift_chunk(recorder, &(struct shift){ .ends = recording }, err);
}
