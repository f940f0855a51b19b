#include <criterion/criterion.h>
#include <string.h>

#include "tried.h"

/* What was translated. */
static struct {
	size_t bytes;
	size_t most;		/* in the batch, before that */
	bool is_long;		/* texts are */
	struct lane *again;	/* where as much is committed at once */
} seen;

static void tell(struct batch *batch, enum event_id id)
{
	static const char blanks[30000];

	batch_begin(batch, id);
	encode_long(&batch->buf, batch->now);
	encode_string(&batch->buf,
		      (struct str){ blanks, seen.is_long ? sizeof(blanks) : 1 });
}

static void send_raw(struct lane *raw, size_t count)
{
	char *at = lane_reserve(raw, count);

	cr_assert(at);
	memset(at, 'r', count);
	lane_commit(raw, at + count);
}

/* Each raw event is a byte here; two events come of it, and the last stays open. */
static void translate(struct recorder *of, struct batch *batch, const char *bytes,
		      size_t size)
{
	cr_expect_eq(of->context, &seen);
	cr_expect_eq(batch, &of->batch);
	cr_expect_not(batch->is_open);
	cr_expect_gt(batch->now, 0);
	if (batch->buf.size > seen.most)
		seen.most = batch->buf.size;
	for (size_t i = 0; i < size; i++) {
		cr_expect_eq(bytes[i], 'r');
		tell(batch, EVENT_THREAD_DUMP);
		tell(batch, EVENT_OS_INFORMATION);
	}
	seen.bytes += size;
	if (seen.again)
		send_raw(seen.again, size);
}

static bool start_badly(struct recorder *of, struct err *err)
{
	(void)of;
	return err_set(err, ERR_SYSTEM, "there is no such thing");
}

static const struct observer bare = { .name = "bare" };
static const struct observer good = { .name = "good", .translate = translate };
static const struct observer bad = { .name = "bad",
				     .start = start_badly,
				     .translate = translate };
static const struct observer *const observers[] = { &bare, &good, &bare, NULL };
static const struct observer *const silent_ones[] = { &bad, &bare, NULL };

TestSuite(recorder_raw, .init = tried_begin, .fini = tried_end);

/* Also what comes until the end, as the next flush is after it. */
static void record_raw(const char *lines)
{
	struct lane *raw, *lane;

	tried_start(observers, &seen, lines);
	raw = store_raw_lane(&tried.store);
	lane = store_lane(&tried.store);
	tried_send(lane, 1);
	send_raw(raw, 10);
	tried_send(lane, 2);
	recorder_round(&tried);
	cr_expect_eq(seen.bytes, 10);
	send_raw(raw, 5);
	send_raw(raw, 2);
	tried_send(lane, 3);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(seen.bytes, 17);
	tried_read();
	cr_expect_eq(tried_found(EVENT_THREAD_DUMP), 17);
	cr_expect_eq(tried_found(EVENT_OS_INFORMATION), 17);
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), 6);
	cr_expect_eq(spill_get(&store_header(&tried.store)->events), 40);
}

Test(recorder_raw, events_are_translated)
{
	record_raw("");
}

Test(recorder_raw, events_are_translated_in_memory)
{
	record_raw("disk=false\n");
}

Test(recorder_raw, events_that_become_much_are_written_in_between)
{
	seen.is_long = true;
	tried_start(observers, &seen, "");
	for (int i = 0; i < 20; i++)
		send_raw(store_raw_lane(&tried.store), 1);
	recorder_round(&tried);
	cr_expect_eq(seen.bytes, 20);
	cr_expect(seen.most > 128 << 10 && seen.most < 256 << 10, "%zu", seen.most);
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried_found(EVENT_THREAD_DUMP), 20);
}

Test(recorder_raw, events_that_nobody_translates_are_passed_over)
{
	tried_start(silent_ones, &seen, "");
	send_raw(store_raw_lane(&tried.store), 10);
	recorder_round(&tried);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(seen.bytes, 0);
	tried_read();
	cr_expect_eq(spill_get(&store_header(&tried.store)->events), 0);
}

Test(recorder_raw, events_that_were_lost_are_told)
{
	tried_start(observers, &seen, "setting=jdk.DataLoss#enabled=true\n");
	lane_lose(store_raw_lane(&tried.store), 100);
	recorder_round(&tried);
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried_found(EVENT_DATA_LOSS), 1);
	cr_expect_eq(spill_get(&store_header(&tried.store)->lost_bytes), 100);
}

/* Others are faster than the flusher: what one commits now and then is taken, too. */
static void record_among_faster_ones(const char *lines)
{
	struct lane *lane;
	unsigned drained;

	seen.is_long = true;
	tried_start(observers, &seen, lines);
	lane = store_lane(&tried.store);
	tried_send(lane, 3);
	seen.again = store_raw_lane(&tried.store);
	send_raw(seen.again, 5);
	drained = atomic_load(&tried.drained);
	recorder_round(&tried);
	cr_expect_eq(atomic_load(&tried.drained), drained + 1);
	cr_expect_eq(atomic_load(&lane->slot)->drained, slot_committed(lane->slot));
	seen.again = NULL;
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), 3);
}

Test(recorder_raw, events_are_taken_whatever_others_do)
{
	record_among_faster_ones("memory-size=1000000\n");
}

Test(recorder_raw, events_are_taken_whatever_others_do_in_memory)
{
	record_among_faster_ones("disk=false\nmemory-size=8000000\n");
}
