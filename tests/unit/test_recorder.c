#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/recorder.h"
#include "fault.h"
#include "reread.h"
#include "tried.h"

/* What the observers were asked for. */
static struct {
	int started, collected, stopped, load, dump, system, library;
	int collected_before;	/* it was stopped */
	int64_t now;		/* of the last event */
	int told_before;	/* loads, when it was stopped */
	bool is_wrong;		/* what is told are no events */
	bool is_long;		/* texts are */
} told;

static void tell(struct batch *batch, enum event_id id)
{
	batch_begin(batch, id);
	encode_long(&batch->buf, batch->now);
	if (id == EVENT_CPU_LOAD) {
		for (int i = 0; i < 3; i++)
			encode_float(&batch->buf, 1);
	} else if (told.is_long) {
		static const char blanks[300000];

		encode_string(&batch->buf, (struct str){ blanks, sizeof(blanks) });
	} else {
		encode_string(&batch->buf, STR("text"));
	}
	told.now = batch->now;
}

static void tell_load(struct recorder *of, struct batch *batch)
{
	(void)of;
	told.load++;
	tell(batch, EVENT_CPU_LOAD);
	batch_end(batch);
	if (told.is_wrong)
		buf_text(&batch->buf, "\3\176\1");
}

static void tell_dump(struct recorder *of, struct batch *batch)
{
	(void)of;
	told.dump++;
	tell(batch, EVENT_THREAD_DUMP);
}

static void tell_system(struct recorder *of, struct batch *batch)
{
	(void)of;
	told.system++;
	tell(batch, EVENT_OS_INFORMATION);
}

static void tell_library(struct recorder *of, struct batch *batch)
{
	(void)of;
	(void)batch;
	told.library++;
}

static bool start(struct recorder *of, struct err *err)
{
	(void)err;
	told.started++;
	return atomic_load(&of->is_on);
}

/* An observer finds its own things by the context. */
static void collect(struct recorder *of)
{
	cr_expect_eq(of->context, &told);
	told.collected++;
}

static void stop(struct recorder *of)
{
	(void)of;
	told.stopped++;
	told.collected_before = told.collected;
	told.told_before = told.load;
}

static bool start_badly(struct recorder *of, struct err *err)
{
	(void)of;
	return err_set(err, ERR_SYSTEM, "there is no such thing");
}

static const struct observer good = {
	.name = "good",
	.periodic = (const struct periodic[]){ { EVENT_CPU_LOAD, tell_load },
					       { EVENT_THREAD_DUMP, tell_dump },
					       { EVENT_OS_INFORMATION, tell_system },
					       { 0, NULL } },
	.start = start,
	.collect = collect,
	.stop = stop,
};
static const struct observer bad = {
	.name = "bad",
	.periodic = (const struct periodic[]){ { EVENT_NATIVE_LIBRARY, tell_library },
					       { 0, NULL } },
	.start = start_badly,
	.collect = collect,
	.stop = stop,
};
static const struct observer bare = { .name = "bare" };
static const struct observer *const observers[] = { &bad, &bare, &good, NULL };

TestSuite(recorder, .init = tried_begin, .fini = tried_end);

static void open_recorder(const char *lines)
{
	tried_open(observers, &told, lines);
}

static void start_recorder(const char *lines)
{
	tried_start(observers, &told, lines);
}

static uint64_t state(void)
{
	return spill_get(&store_header(&tried.store)->state);
}

static void rest(int milliseconds)
{
	usleep((useconds_t)milliseconds * 1000);
}

#define LOAD "setting=jdk.CPULoad#enabled=true\n"
#define DUMP "setting=jdk.ThreadDump#enabled=true\n"
#define SYSTEM "setting=jdk.OSInformation#enabled=true\n"
#define LIBRARY "setting=jdk.NativeLibrary#enabled=true\n"

Test(recorder, asks_observers_when_events_are_due)
{
	start_recorder(LOAD "setting=jdk.CPULoad#period=30 ms\n" DUMP
			    "setting=jdk.ThreadDump#period=10 s\n");
	cr_expect_eq(told.load, 0);
	recorder_round(&tried);
	cr_expect_eq(told.load, 0, "not before the first period is over");
	rest(100);
	recorder_round(&tried);
	cr_expect_eq(told.load, 1, "what was missed is not made up for");
	cr_expect_leq(told.now, now_ticks());
	rest(31);
	recorder_round(&tried);
	cr_expect_eq(told.load, 2);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(told.dump, 0);
	tried_read();
	cr_expect_eq(tried_found(EVENT_CPU_LOAD), 2);
	cr_expect_eq(tried_found(EVENT_THREAD_DUMP), 0);
	cr_expect_eq(spill_get(&store_header(&tried.store)->events), 2);
}

/* The time of the next round is that of the next event, or of the next flush. */
Test(recorder, says_when_it_wants_to_be_called)
{
	int64_t now;

	start_recorder("flush-interval=5000000000\n" LOAD
		       "setting=jdk.CPULoad#period=200 ms\n");
	now = now_ticks();
	cr_expect_leq(recorder_round(&tried), now + 200000000);
	rest(210);
	now = now_ticks();
	cr_expect_gt(recorder_round(&tried), now);
	cr_expect_eq(told.load, 1);
	cr_expect_eq(spill_get(&store_header(&tried.store)->events), 0,
		     "nothing was flushed");
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(spill_get(&store_header(&tried.store)->events), 1);
	now = now_ticks();
	cr_expect_gt(recorder_round(&tried), now + 1000000000);
}

/* One that looks at the JVM does not wait for the disk. */
Test(recorder, comes_as_often_as_observers_want_to_collect)
{
	static const struct observer rare = {
		.name = "rare",
		.collect = collect,
		.collect_each = 3000000000,
	};
	static const struct observer often = {
		.name = "often",
		.collect = collect,
		.collect_each = 200000000,
	};
	static const struct observer out = {
		.name = "out",
		.start = start_badly,
		.collect = collect,
		.collect_each = 1000000,
	};
	static const struct observer *const all[] = { &rare, &often, &out, &bare, NULL };
	int64_t before, due;

	tried_start(all, &told, "flush-interval=600000000000\n");
	before = now_ticks();
	due = recorder_round(&tried);
	cr_expect_geq(due, before + often.collect_each);
	cr_expect_leq(due, now_ticks() + often.collect_each);
	cr_expect_eq(told.collected, 2);
	cr_expect_eq(spill_get(&store_header(&tried.store)->chunks), 1);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(told.collected, 4);
}

Test(recorder, asks_observers_at_the_beginning_and_end_of_chunks)
{
	start_recorder(LOAD DUMP SYSTEM "setting=jdk.CPULoad#period=everyChunk\n"
					"setting=jdk.ThreadDump#period=endChunk\n"
					"setting=jdk.OSInformation#period=beginChunk\n"
					"max-chunk-size=1\n");
	cr_expect_eq(told.load, 1);
	cr_expect_eq(told.dump, 0);
	cr_expect_eq(told.system, 1);
	recorder_round(&tried);
	cr_expect_eq(told.load, 3, "a chunk ended");
	cr_expect_eq(told.dump, 1);
	cr_expect_eq(told.system, 2);
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried.repository.files.count, 2);
	cr_expect_eq(spill_get(&store_header(&tried.store)->chunks), 2);
	cr_expect_eq(tried_found(EVENT_CPU_LOAD), 4);
	cr_expect_eq(tried_found(EVENT_THREAD_DUMP), 2);
	cr_expect_eq(tried_found(EVENT_OS_INFORMATION), 2);
}

Test(recorder, leaves_out_observers_that_do_not_start)
{
	start_recorder(LOAD LIBRARY "setting=jdk.NativeLibrary#period=everyChunk\n");
	cr_expect_eq(told.started, 1);
	cr_expect(tried_log_has("bad: there is no such thing"));
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(told.stopped, 1, "the good one");
	cr_expect_eq(told.library, 0);
}

Test(recorder, lets_observers_bring_in_what_they_saw)
{
	start_recorder("");
	cr_expect_eq(told.collected, 0);
	recorder_round(&tried);
	recorder_round(&tried);
	cr_expect_eq(told.collected, 2, "at each round");
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(told.collected, 3);
	cr_expect_eq(told.collected_before, 3, "the last time before they are stopped");
	recorder_round(&tried);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(told.collected, 3);
}

/* So what they count is told to the end. */
Test(recorder, asks_for_the_end_of_the_last_chunk_when_all_is_stopped)
{
	start_recorder(LOAD "setting=jdk.CPULoad#period=endChunk\n");
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(told.stopped, 1);
	cr_expect_eq(told.told_before, 0);
	cr_expect_eq(told.load, 1);
}

static const struct observer last = {
	.name = "last",
	.periodic = (const struct periodic[]){ { EVENT_CPU_LOAD, tell_load },
					       { EVENT_THREAD_DUMP, tell_dump },
					       { EVENT_OS_INFORMATION, tell_system },
					       { 0, NULL } },
	.tells_last = true,
	.stop = stop,
};

/* What is counted all the time is complete, whenever it was told before. */
Test(recorder, asks_once_more_at_the_end_if_an_observer_wants_it)
{
	static const struct observer *const list[] = { &last, NULL };

	tried_start(list, &told,
		    LOAD DUMP SYSTEM "setting=jdk.CPULoad#period=1 h\n"
				     "setting=jdk.ThreadDump#period=endChunk\n"
				     "setting=jdk.OSInformation#period=beginChunk\n");
	recorder_round(&tried);
	cr_expect_eq(told.load, 0);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(told.told_before, 0, "it is stopped by then");
	cr_expect_eq(told.load, 1);
	cr_expect_eq(told.dump, 1, "once");
	cr_expect_eq(told.system, 1, "at the beginning alone");
}

Test(recorder, tells_about_itself)
{
	uint64_t settings = 0;

	for (int id = EVENT_FIRST; id < EVENT_END; id++) {
		const struct schema_setting *at =
			eventtype_of((enum event_id)id)->settings;

		for (; at && at->name; at++)
			settings++;
	}
	start_recorder("setting=jdk.ActiveRecording#enabled=true\n"
		       "setting=jdk.ActiveSetting#enabled=true\n");
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried_found(EVENT_ACTIVE_RECORDING), 1);
	cr_expect_gt(settings, EVENT_COUNT);
	cr_expect_eq(tried_found(EVENT_ACTIVE_SETTING), settings);
}

Test(recorder, writes_what_threads_commit_and_what_they_lose)
{
	struct lane *lane;
	int sent;

	start_recorder("setting=jdk.DataLoss#enabled=true\nmemory-size=65536\n");
	lane = store_lane(&tried.store);
	sent = tried_send(lane, 20000);
	cr_expect_lt(sent, 20000);
	recorder_round(&tried);
	sent += tried_send(lane, 100);
	lane_release(lane);
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), (uint64_t)sent);
	cr_expect_eq(tried_found(EVENT_DATA_LOSS), 1);
	cr_expect_eq(spill_get(&store_header(&tried.store)->lost_events),
		     (uint64_t)(20100 - sent));
	cr_expect_eq(spill_get(&store_header(&tried.store)->events), (uint64_t)sent + 1);
}

/* Batches in memory: the newest are written when it ends, as one chunk. */
Test(recorder, keeps_the_newest_in_memory)
{
	struct lane *lane;
	int sent = 0;

	start_recorder("disk=false\nmemory-size=200000\n" SYSTEM
		       "setting=jdk.OSInformation#period=beginChunk\n");
	cr_expect_eq(tried.repository.files.count, 0);
	cr_expect_eq(told.system, 0);
	lane = store_lane(&tried.store);
	for (int i = 0; i < 100; i++) {
		sent += tried_send(lane, 300);
		recorder_round(&tried);
		cr_expect_lt(spill_get(&store_header(&tried.store)->bytes), 160000);
	}
	lane_release(lane);
	cr_expect_eq(tried.repository.files.count, 0);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(tried.repository.files.count, 1);
	cr_expect_eq(told.system, 1);
	tried_read();
	cr_expect_eq(tried_found(EVENT_OS_INFORMATION), 1);
	cr_expect_gt(tried_found(EVENT_VIRTUAL_THREAD_END), 3000);
	cr_expect_lt(tried_found(EVENT_VIRTUAL_THREAD_END), (uint64_t)sent);
}

/* What belongs to the chunk takes no room from what was kept. */
Test(recorder, ends_what_was_in_memory_without_giving_it_up)
{
	struct lane *lane;
	int sent;

	told.is_long = true;
	start_recorder("disk=false\nmemory-size=200000\n"
		       "setting=jdk.ThreadDump#enabled=true\n"
		       "setting=jdk.ThreadDump#period=everyChunk\n");
	lane = store_lane(&tried.store);
	sent = tried_send(lane, 300);
	recorder_round(&tried);
	sent += tried_send(lane, 20);
	lane_release(lane);
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried_found(EVENT_THREAD_DUMP), 2);
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), (uint64_t)sent);
}

/* A second may bring more than there is room for: a part of it can be given up. */
Test(recorder, keeps_in_memory_what_comes_at_once_in_parts)
{
	struct lane *lane;

	start_recorder("disk=false\n");
	lane = store_lane(&tried.store);
	cr_expect_eq(tried_send(lane, 20000), 20000);
	lane_release(lane);
	recorder_round(&tried);
	cr_expect_gt(tried.kept.size, 3 * 65536);
	cr_expect_gt(tried.kept.batches.count, 3);
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), 20000);
}

Test(recorder, keeps_in_memory_what_is_young)
{
	struct lane *lane;

	start_recorder("disk=false\nmax-age=100000000\n");
	lane = store_lane(&tried.store);
	tried_send(lane, 10);
	recorder_round(&tried);
	rest(150);
	tried_send(lane, 5);
	lane_release(lane);
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), 5);
}

Test(recorder, gives_up_chunks_that_are_too_old)
{
	struct lane *lane;

	start_recorder("max-age=100000000\nmax-chunk-size=1\n");
	lane = store_lane(&tried.store);
	for (int i = 0; i < 8; i++) {
		tried_send(lane, 10);
		recorder_round(&tried);
		rest(50);
	}
	recorder_round(&tried);
	tried_send(lane, 10);		/* these stay, however long all that took */
	lane_release(lane);
	recorder_stop(&tried, INT64_MAX);
	tried_read();
	cr_expect_geq(tried_found(EVENT_VIRTUAL_THREAD_END), 10);
	cr_expect_leq(tried_found(EVENT_VIRTUAL_THREAD_END), 40);
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END) % 10, 0, "whole chunks go");
}

Test(recorder, ends_chunks_that_are_old_enough)
{
	start_recorder("max-age=2000000000\n" LOAD
		       "setting=jdk.CPULoad#period=100 ms\n");
	for (int i = 0; i < 13; i++) {
		recorder_round(&tried);
		rest(100);
	}
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(tried.repository.files.count, 2);
	tried_read();
}

Test(recorder, says_in_the_spill_file_how_it_goes)
{
	struct spill_header *header;
	struct err err;

	open_recorder("");
	header = store_header(&tried.store);
	cr_expect_eq(state(), SPILL_STARTING);
	cr_expect_not(atomic_load(&tried.is_on));
	cr_expect_eq(access(tried.spill_path, F_OK), 0);
	recorder_round(&tried);
	cr_expect_eq(state(), SPILL_STARTING);
	cr_assert(tried_record(&err), "%s", err.text);
	cr_expect_eq(state(), SPILL_RECORDING);
	cr_expect(atomic_load(&tried.is_on));
	cr_expect_eq(header->start_ticks, tried.start_ticks);
	cr_expect_eq(header->start_nanos, tried.start_nanos);
	cr_expect_eq(header->bytes, tried.repository.size);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(state(), SPILL_STOPPED);
	cr_expect_not(atomic_load(&tried.is_on));
	cr_expect_neq(access(tried.spill_path, F_OK), 0, "all is in chunks");
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(told.stopped, 1);
	cr_expect_eq(header->bytes, tried.repository.size);
	cr_expect_not(tried_record(&err));
}

Test(recorder, may_be_stopped_before_it_starts)
{
	struct err err;

	open_recorder(LOAD);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(state(), SPILL_STOPPED);
	cr_expect_eq(tried.repository.files.count, 0);
	cr_expect_not(tried_record(&err));
	cr_expect_eq(told.started, 0);
}

/* A thread that came and went; gives the key. */
static uint64_t pass_thread(void)
{
	uint64_t key = constants_key(tried.constants, POOL_THREAD);
	struct buf value = { 0 };

	for (int i = 0; i < 2; i++) {
		encode_string(&value, STR("one"));
		encode_long(&value, (int64_t)key);
	}
	encode_long(&value, 0);
	encode_boolean(&value, false);
	if (constants_put_buf(tried.constants, POOL_THREAD, key, &value))
		constants_unpin(tried.constants, POOL_THREAD, key);
	buf_clear(&value);
	return key;
}

static bool is_kept(uint64_t key)
{
	return constants_touch(tried.constants, POOL_THREAD, key);
}

Test(recorder, forgets_before_it_starts)
{
	size_t before;
	uint64_t key;

	open_recorder(LOAD);
	before = constants_count(tried.constants);
	key = pass_thread();
	cr_expect(is_kept(key));
	for (int i = 0; i < 1000; i++)
		pass_thread();
	cr_expect_geq(constants_count(tried.constants), before + 1001);
	recorder_round(&tried);
	rest(1001);
	cr_expect_leq(recorder_round(&tried), now_ticks() + 2 * SECOND);
	cr_expect_eq(constants_count(tried.constants), before);
	cr_expect_eq(state(), SPILL_STARTING);
}

Test(recorder, keeps_nothing_when_it_has_ended)
{
	start_recorder(LOAD);
	cr_expect(is_kept(pass_thread()));
	cr_expect_not(recorder_is_over(&tried));
	recorder_stop(&tried, INT64_MAX);
	cr_expect(recorder_is_over(&tried));
	cr_expect_not(is_kept(pass_thread()));
	cr_expect_eq(constants_symbol(tried.constants, STR("java/lang/Object")), 0);
	cr_expect_eq(constants_count(tried.constants), 0);
	recorder_round(&tried);
}

static void hear_failure(void *context, const char *text)
{
	cr_expect_eq(context, &told);
	buf_printf(&tried_logged, "failed: %s\n", text);
}

Test(recorder, fails_for_a_reason_of_others)
{
	struct err err = { ERR_SYSTEM, "no thread for it" };
	size_t size;

	start_recorder(LOAD);
	tried.failed = hear_failure;
	recorder_fail(&tried, &err);
	size = tried_logged.size;
	recorder_fail(&tried, &err);
	cr_expect_eq(tried_logged.size, size);
	cr_expect_eq(state(), SPILL_FAILED);
	cr_expect(tried_log_has("no thread for it\nfailed: no thread for it\n"));
	cr_expect(recorder_is_over(&tried));
	cr_expect_not(is_kept(pass_thread()));
}

/* Bytes that are no text come from the command line. */
Test(recorder, tells_names_as_text)
{
	const char *path;

	start_recorder("name=\xff\ndestination=z\xff.jfr\n"
		       "setting=jdk.ActiveRecording#enabled=true\n");
	recorder_stop(&tried, INT64_MAX);
	path = tried.repository.files.items[0].path;
	cr_expect_eq(reread_verify(&path, 1), 0);
}

Test(recorder, fails_when_it_cannot_write)
{
	char command[300];

	start_recorder(LOAD
		       "setting=jdk.CPULoad#period=everyChunk\nmax-chunk-size=1\n");
	snprintf(command, sizeof(command), "rm -rf %s", tried.repository.path);
	cr_assert_eq(system(command), 0);
	recorder_round(&tried);
	cr_expect_eq(state(), SPILL_FAILED);
	cr_expect_eq(told.stopped, 1);
	cr_expect_not(atomic_load(&tried.is_on));
	cr_expect(strstr(store_header(&tried.store)->message, "it was removed"));
	cr_expect(strstr(store_header(&tried.store)->message, tried.repository.path));
	cr_expect(tried_log_has(store_header(&tried.store)->message));
	recorder_round(&tried);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(state(), SPILL_FAILED);
	cr_expect_eq(told.stopped, 1);
}

/* An event that is none ends the recording; what was kept before is there. */
Test(recorder, saves_what_was_kept_when_it_fails)
{
	start_recorder("disk=false\n" LOAD "setting=jdk.CPULoad#period=10 ms\n");
	for (int i = 0; i < 3; i++) {
		told.is_wrong = i == 2;
		rest(15);
		recorder_round(&tried);
	}
	cr_expect_eq(state(), SPILL_FAILED);
	cr_expect(strstr(store_header(&tried.store)->message, "does not fit its type"));
	cr_assert_eq(tried.repository.files.count, 1);
	tried_read();
	cr_expect_eq(tried_found(EVENT_CPU_LOAD), 2);
}

Test(recorder, does_not_open_without_a_place_or_with_wrong_settings)
{
	char path[100];
	struct err err;

	tried_order("setting=jdk.CPULoad#period=20 parsecs\n");
	cr_expect_not(recorder_open(&tried, &tried_orders, observers, &told, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	orders_clear(&tried_orders);
	tried_order("");
	snprintf(path, sizeof(path), "%s/not/there", tried_folder);
	orders_text(&tried_orders, &tried_orders.repository, str_of(path));
	cr_expect_not(recorder_open(&tried, &tried_orders, observers, &told, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_eq(rmdir(tried_folder), 0, "nothing is left behind");
	cr_assert_eq(mkdir(tried_folder, 0700), 0);
}

/* With whatever memory there is: it may fail, and says so. */
Test(recorder, survives_without_memory)
{
	static const char *const lines[] = { LOAD "max-chunk-size=1\n",
					     LOAD "disk=false\n" };
	struct err err;

	for (size_t i = 0; i < 2; i++) {
		bool is_done = false;

		for (size_t n = 1; !is_done; n++) {
			tried_order(lines[i]);
			fault_at(n);
			if (recorder_open(&tried, &tried_orders, observers, &told, &err)) {
				tried_record(&err);
				recorder_round(&tried);
				recorder_stop(&tried, INT64_MAX);
				is_done = !fault_happened();
				cr_expect_eq(state() == SPILL_STOPPED ||
						     state() == SPILL_FAILED,
					     true);
				fault_at(0);
				recorder_close(&tried);
			} else {
				cr_expect_eq(err.kind, ERR_MEMORY);
			}
			fault_at(0);
			orders_clear(&tried_orders);
		}
	}
	tried_order("");
	cr_assert(recorder_open(&tried, &tried_orders, observers, &told, &err));
}
