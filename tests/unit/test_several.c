#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "begun.h"
#include "control/places.h"
#include "engine/recorder.h"
#include "refuse.h"
#include "reread.h"
#include "tried.h"

/* What the observers were asked for. */
static struct {
	int started, changed, stopped, load, library;
	bool is_refusing;		/* changes */
} told;

static void tell_load(struct recorder *of, struct batch *batch)
{
	(void)of;
	told.load++;
	batch_begin(batch, EVENT_CPU_LOAD);
	encode_long(&batch->buf, batch->now);
	for (int i = 0; i < 3; i++)
		encode_float(&batch->buf, 1);
	batch_end(batch);
}

static void tell_system(struct recorder *of, struct batch *batch)
{
	(void)of;
	batch_begin(batch, EVENT_OS_INFORMATION);
	encode_long(&batch->buf, batch->now);
	encode_string(&batch->buf, STR("text"));
	batch_end(batch);
}

static bool start(struct recorder *of, struct err *err)
{
	(void)of;
	(void)err;
	told.started++;
	return true;
}

static bool change(struct recorder *of, struct err *err)
{
	(void)of;
	told.changed++;
	return !told.is_refusing || err_set(err, ERR_SYSTEM, "it cannot be otherwise");
}

static void stop(struct recorder *of)
{
	(void)of;
	told.stopped++;
}

static const struct observer one = {
	.name = "one",
	.periodic = (const struct periodic[]){ { EVENT_CPU_LOAD, tell_load },
					       { EVENT_OS_INFORMATION, tell_system },
					       { 0, NULL } },
	.start = start,
	.change = change,
	.stop = stop,
};
static const struct observer *const observers[] = { &one, NULL };

TestSuite(several, .init = tried_begin, .fini = tried_end);

#define LOAD "setting=jdk.CPULoad#enabled=true\nsetting=jdk.CPULoad#period=10 s\n"
#define SYSTEM "setting=jdk.OSInformation#enabled=true\n"
#define ENDS "setting=jdk.VirtualThreadEnd#enabled=true\n"
#define ACTIVE "setting=jdk.ActiveRecording#enabled=true\n"

static uint64_t state(void)
{
	return spill_get(&store_header(&tried.store)->state);
}

/* Another recording; 0: it did not begin. */
static uint64_t begin(const char *lines, struct err *err)
{
	struct buf text = { 0 };
	struct orders orders;
	uint64_t id = 0;

	buf_printf(&text, "flush-interval=1\n%s", lines);
	orders_init(&orders);
	cr_assert(orders_read(&orders, buf_as_str(&text), err), "%s", err->text);
	buf_clear(&text);
	return recorder_begin(&tried, &orders, &id, NULL, err) ? id : 0;
}

static uint64_t more(const char *lines)
{
	struct err err;
	uint64_t id = begin(lines, &err);

	cr_assert(id, "%s", err.text);
	return id;
}

static void end(uint64_t id)
{
	struct err err;

	cr_assert(recorder_end(&tried, id, &err), "%s", err.text);
}

/* What is in a folder. */
static struct {
	size_t files;
	uint64_t of[EVENT_COUNT];
	uint64_t recordings;		/* a bit for each that is told of */
} found;

static void count(void *context, uint64_t type, const uint64_t *fields)
{
	(void)context;
	found.of[type - EVENT_FIRST]++;
	if (type == EVENT_ACTIVE_RECORDING)
		found.recordings |= UINT64_C(1) << fields[1];
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void read_folder(const char *folder)
{
	const char *paths[300];
	DIR *dir = opendir(folder);
	struct dirent *entry;

	memset(&found, 0, sizeof(found));
	cr_assert(dir);
	while ((entry = readdir(dir)) != NULL) {
		char *path;

		if (entry->d_name[0] == '.')
			continue;
		cr_assert(places_is_of_repository(dirfd(dir), entry->d_name));
		cr_assert_geq(asprintf(&path, "%s/%s", folder, entry->d_name), 0);
		paths[found.files++] = path;
	}
	closedir(dir);
	qsort(paths, found.files, sizeof(*paths), by_name);
	cr_expect_eq(reread_verify(paths, found.files), 0);
	cr_expect_eq(reread_events(paths, found.files, count, NULL), 0);
	for (size_t i = 0; i < found.files; i++)
		free((char *)paths[i]);
}

/* False: there is nothing of it. */
static bool take_last(uint64_t id, int64_t last)
{
	struct stat status;
	struct err err;
	char *folder;

	cr_assert(recorder_hand_over(&tried, id, last, &folder, &err), "%s", err.text);
	memset(&found, 0, sizeof(found));
	if (!folder)
		return false;
	cr_assert_eq(stat(folder, &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0700);
	read_folder(folder);
	cr_expect(places_discard(folder));
	free(folder);
	return true;
}

static bool take(uint64_t id)
{
	return take_last(id, 0);
}

static uint64_t found_of(enum event_id id)
{
	return found.of[id - EVENT_FIRST];
}

static struct recorder_told facts_of(uint64_t id)
{
	struct recorder_told facts = { .facts = { .id = 0 } };
	struct recorder_list list;

	cr_assert(recorder_tell(&tried, &list));
	for (size_t i = 0; i < list.of.count; i++) {
		if (list.of.items[i].facts.id == id)
			facts = list.of.items[i];
	}
	recorder_list_clear(&list);
	return facts;	/* but for its texts */
}

static struct lane *lane_of(void)
{
	struct lane *lane = store_lane(&tried.store);

	cr_assert(lane);
	return lane;
}

/* --- ranges ------------------------------------------------------------------------- */

static void try_ranges(const char *first, const char *second)
{
	struct lane *lane;
	uint64_t two;

	tried_start(observers, &told, first);
	lane = lane_of();
	tried_send(lane, 1);
	two = more(second);
	cr_expect_eq(two, 2);
	cr_expect_eq(told.started, 1);
	cr_expect_eq(told.changed, 1);
	tried_send(lane, 10);
	recorder_round(&tried);
	cr_assert(take(1));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 11);
	end(1);
	cr_expect_eq(told.stopped, 0);
	tried_send(lane, 100);
	cr_assert(take(1));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 11, "those while it ran");
	cr_assert(take(2));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 110);
	tried_send(lane, 1000);
	end(2);
	cr_expect_eq(told.stopped, 1);
	cr_assert(take(2));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 1110);
	cr_assert(take(0));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 1111, "each once");
	cr_expect_eq(facts_of(1).facts.state, FACTS_STOPPED);
	cr_expect_eq(state(), SPILL_STARTING);
	recorder_drop(&tried, 1);
	cr_assert(take(0));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 1110);
	recorder_drop(&tried, 2);
	cr_expect_not(take(0));
	cr_expect_eq(tried.repository.files.count, 0);
	lane_release(lane);
}

Test(several, have_what_came_while_they_ran)
{
	try_ranges(ENDS, ENDS);
}

Test(several, have_it_in_memory)
{
	try_ranges("disk=false\n" ENDS, "disk=false\n" ENDS);
}

Test(several, have_it_on_disk_and_in_memory)
{
	try_ranges("disk=false\n" ENDS, ENDS);
}

Test(several, have_it_in_memory_again)
{
	try_ranges(ENDS, "disk=false\n" ENDS);
}

Test(several, are_handed_over_by_their_newest_chunks)
{
	tried_start(observers, &told, SYSTEM "setting=jdk.OSInformation#period=beginChunk\n");
	cr_assert(take(1));
	usleep(300000);
	cr_assert(take_last(1, 150000000));
	cr_expect_eq(found.files, 1);
	cr_expect_eq(found_of(EVENT_OS_INFORMATION), 1);
	cr_assert(take(1));
	cr_expect_eq(found.files, 3);
}

/* File systems of some kinds have none. */
Test(several, are_handed_over_without_links)
{
	struct lane *lane;
	struct err err;
	char *folder;

	tried_start(observers, &told, ENDS);
	lane = lane_of();
	tried_send(lane, 10);
	more(LOAD);
	tried_send(lane, 10);
	refuse_links(true);
	cr_assert(take(1));
	cr_expect_eq(found.files, 2);
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 20);
	cr_assert(take(2));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 0);
	chmod(tried.repository.files.items[0].path, 0);
	if (geteuid() != 0) {
		cr_expect_not(recorder_hand_over(&tried, 1, 0, &folder, &err));
		cr_expect_eq(err.kind, ERR_SYSTEM);
	}
	unlink(tried.repository.files.items[0].path);
	cr_assert(take(1));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 10);
	refuse_links(false);
	lane_release(lane);
}

static void try_sieves(const char *first, const char *second)
{
	struct lane *lane;

	tried_start(observers, &told, first);
	lane = lane_of();
	more(second);
	tried_send(lane, 10);
	cr_assert(take(1));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 10);
	cr_expect_eq(found_of(EVENT_CPU_LOAD), 0);
	cr_assert(take(2));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 0);
	cr_expect_gt(found_of(EVENT_CPU_LOAD), 0);
	end(2);
	recorder_drop(&tried, 2);
	tried_send(lane, 10);
	recorder_stop(&tried, INT64_MAX);
	cr_assert(take(1));
	cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 20);
	cr_expect_eq(found_of(EVENT_CPU_LOAD), 0);
	lane_release(lane);
}

#define LOADS "setting=jdk.CPULoad#enabled=true\nsetting=jdk.CPULoad#period=everyChunk\n"

Test(several, have_only_what_they_asked_for)
{
	try_sieves(ENDS, LOADS);
}

Test(several, have_only_that_in_memory)
{
	try_sieves("disk=false\n" ENDS, "disk=false\n" LOADS);
}

/* --- settings ----------------------------------------------------------------------- */

Test(several, are_told_of_in_each_chunk)
{
	tried_start(observers, &told, ACTIVE);
	more("name=two\n");
	cr_assert(take(1));
	cr_expect_eq(found.recordings, 6);
	end(1);
	cr_assert(take(2));
	end(2);
}

Test(several, change_while_they_run)
{
	struct orders orders;
	struct err err;

	tried_start(observers, &told, LOAD);
	cr_expect(recorder_wants(&tried, EVENT_CPU_LOAD));
	cr_expect_not(recorder_wants(&tried, EVENT_OS_INFORMATION));
	orders_init(&orders);
	cr_assert(orders_read(&orders, STR(SYSTEM "setting=jdk.CPULoad#period=1 s\n"
					   "setting=jdk.OSInformation#period=beginChunk\n"),
			      &err));
	cr_assert(recorder_change(&tried, 1, &orders, &err), "%s", err.text);
	orders_clear(&orders);
	cr_expect_eq(told.changed, 1);
	cr_expect(recorder_wants(&tried, EVENT_OS_INFORMATION));
	cr_expect_eq(recorder_period(&tried, EVENT_CPU_LOAD), SECOND);
	cr_expect_eq(tried.repository.files.count, 2);
	cr_assert(take(1));
	cr_expect_eq(found_of(EVENT_OS_INFORMATION), 1);
	end(1);
	cr_expect_not(recorder_wants(&tried, EVENT_OS_INFORMATION));
	cr_expect_not(recorder_is_set(&tried, EVENT_OS_INFORMATION));
	cr_expect_not(recorder_change(&tried, 1, &orders, &err), "it has stopped");
}

Test(several, leave_out_who_cannot_change)
{
	tried_start(observers, &told, LOAD);
	told.is_refusing = true;
	more(LOAD "setting=jdk.CPULoad#period=10 ms\n");
	cr_expect_eq(told.stopped, 1);
	cr_expect(tried_log_has("one: it cannot be otherwise"));
	usleep(20000);
	recorder_round(&tried);
	cr_expect_eq(told.load, 0);
	end(1);
	end(2);
	cr_expect_eq(told.stopped, 1);
	more(LOAD);
	cr_expect_eq(told.started, 2, "it may begin anew");
}

static bool set(uint64_t id, const char *lines, struct err *err)
{
	struct orders orders;
	bool is_good;

	orders_init(&orders);
	is_good = orders_read(&orders, str_of(lines), err) &&
		  recorder_change(&tried, id, &orders, err);
	orders_clear(&orders);
	return is_good;
}

#define SAMPLES "setting=jdk.ExecutionSample#enabled=true\n"
#define NATIVE_SAMPLES "setting=jdk.NativeMethodSample#enabled=true\n"

/* Only who takes samples cares how they are taken. */
Test(several, sample_as_those_want_that_do)
{
	struct err err;

	tried_start(observers, &told, LOAD "threads=main\n");
	more("samples-wall=true\nthreads=a\n" NATIVE_SAMPLES);
	cr_expect(tried_orders.samples_wall);
	cr_expect(str_is(tried_orders.threads, STR("a")));
	more("threads=b\n" LOAD);
	cr_expect(tried_orders.samples_wall);
	cr_expect(str_is(tried_orders.threads, STR("a")));
	cr_expect_not(begin(SAMPLES, &err));
	end(2);
	cr_expect(set(1, SAMPLES, &err), "%s", err.text);
	cr_expect_not(tried_orders.samples_wall);
	cr_expect(str_is(tried_orders.threads, STR("main")));
}

/* Also by settings; then they stay as they are. */
Test(several, are_not_set_as_others_have_not)
{
	struct err err;

	tried_start(observers, &told, SAMPLES);
	more("samples-wall=true\n" LOAD);
	cr_expect_not(set(2, SAMPLES SYSTEM, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect(strstr(err.text, "recording '1' samples by CPU time"), "%s", err.text);
	cr_expect_not(recorder_is_set(&tried, EVENT_OS_INFORMATION));
	cr_expect_eq(told.changed, 1);
	cr_expect(set(2, SYSTEM, &err), "%s", err.text);
	cr_expect(recorder_is_set(&tried, EVENT_OS_INFORMATION));
	cr_expect_not(tried_orders.samples_wall);
}

Test(several, have_the_stack_depth_of_who_is_alone)
{
	tried_start(observers, &told, "stack-depth=32\n");
	more("stack-depth=16\n");
	cr_expect_eq(recorder_stack_depth(&tried), 32);
	end(1);
	end(2);
	more("stack-depth=16\n");
	cr_expect_eq(recorder_stack_depth(&tried), 16);
}

Test(several, are_refused_what_others_have_not)
{
	struct err err;

	tried_start(observers, &told, "setting=jdk.ExecutionSample#enabled=true\n");
	cr_expect_not(begin("samples-wall=true\n"
			    "setting=jdk.ExecutionSample#enabled=true\n", &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect(strstr(err.text, "recording '1' samples by CPU time"), "%s", err.text);
	cr_expect_not(begin("setting=jdk.CPULoad#period=20 parsecs\n", &err));
	cr_expect_eq(facts_of(1).facts.state, FACTS_RUNNING);
	cr_expect(more("samples-wall=true\n"));
}

/* --- time ----------------------------------------------------------------------------- */

Test(several, begin_and_stop_when_it_is_time)
{
	int64_t now;

	tried_open(observers, &told, "");
	more("delay=100000000\nduration=200000000\n");
	cr_expect_eq(facts_of(1).facts.state, FACTS_DELAYED);
	now = now_ticks();
	cr_expect_leq(recorder_round(&tried), now + 100000000);
	usleep(110000);
	recorder_round(&tried);
	cr_expect_eq(facts_of(1).facts.state, FACTS_RUNNING);
	more("duration=10000000\nflush-interval=5000000000\n");
	usleep(20000);
	recorder_round(&tried);
	cr_expect_eq(facts_of(2).facts.state, FACTS_STOPPED);
	cr_expect_eq(recorder_stopped_next(&tried), 2);
	cr_expect_eq(recorder_stopped_next(&tried), 2, "nothing was made of it");
	recorder_heard(&tried, 2, now_ticks() + 50000000);
	cr_expect_eq(recorder_stopped_next(&tried), 0);
	usleep(60000);
	cr_expect_eq(recorder_stopped_next(&tried), 2);
	recorder_heard(&tried, 2, INT64_MAX);
	cr_expect_eq(recorder_stopped_next(&tried), 0);
	usleep(210000);
	recorder_round(&tried);
	cr_expect_eq(facts_of(1).facts.state, FACTS_STOPPED);
	cr_expect_eq(recorder_stopped_next(&tried), 1);
	cr_expect_eq(state(), SPILL_STARTING);
	cr_expect_not(recorder_is_over(&tried));
	cr_expect_leq(recorder_round(&tried), now_ticks() + 2 * SECOND);
	recorder_drop(&tried, 1);
	cr_expect_eq(recorder_stopped_next(&tried), 0);
}

Test(several, are_told_of_one_by_one)
{
	struct recorder_list list;
	struct err err;

	tried_start(observers, &told, LOAD);
	more("name=checkout\n");
	cr_assert(recorder_tell_one(&tried, 2, &list, &err));
	cr_expect_eq(list.of.count, 1);
	cr_expect(str_is(list.of.items[0].facts.name, STR("checkout")));
	recorder_list_clear(&list);
	cr_expect_not(recorder_tell_one(&tried, 3, &list, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_eq(recorder_count(&tried), 2);
	end(2);
	recorder_drop(&tried, 2);
	cr_expect_eq(recorder_count(&tried), 1);
	cr_expect_not(begin("name=x\nsetting=jdk.CPULoad#period=x\n", &err));
	cr_expect_eq(more(LOAD), 3, "a number means one recording");
}

/* Nothing may grow. */
Test(several, come_and_go_for_ever)
{
	size_t names = 0, lanes = 0;
	struct lane *lane;

	tried_open(observers, &told, "");
	lane = lane_of();
	for (uint64_t i = 1; i <= 100; i++) {
		struct buf value = { 0 };
		uint64_t key = constants_key(tried.constants, POOL_THREAD);

		cr_assert_eq(more(i % 2 ? LOAD ENDS : "disk=false\n" LOAD ENDS), i);
		for (int k = 0; k < 2; k++) {
			encode_string(&value, STR("one"));
			encode_long(&value, (int64_t)key);
		}
		encode_long(&value, 0);
		encode_boolean(&value, false);
		cr_assert(constants_put_buf(tried.constants, POOL_THREAD, key, &value));
		buf_clear(&value);
		tried_send(lane, 200);
		recorder_round(&tried);
		constants_unpin(tried.constants, POOL_THREAD, key);
		end(i);
		tried_send(lane, 5);	/* nobody wants them */
		cr_assert(take(i));
		cr_expect_eq(found_of(EVENT_VIRTUAL_THREAD_END), 200, "%d",
			     (int)found_of(EVENT_VIRTUAL_THREAD_END));
		recorder_drop(&tried, i);
		cr_expect_eq(tried.repository.files.count, 0);
		cr_expect_eq(tried.repository.size, 0);
		tried.evict_due = 0;	/* it is not a second each */
		recorder_round(&tried);
		tried.evict_due = 0;
		recorder_round(&tried);
		if (i == 10) {
			names = constants_count(tried.constants);
			lanes = atomic_load(&tried.store.lane_count);
		}
	}
	cr_expect_leq(constants_count(tried.constants), names);
	cr_expect_eq(atomic_load(&tried.store.lane_count), lanes);
	cr_expect_eq(told.started, 100);
	cr_expect_eq(told.stopped, 100);
	cr_expect_eq(tried.recordings.all.count, 0);
	lane_release(lane);
	recorder_stop(&tried, INT64_MAX);
	cr_expect(recorder_is_over(&tried));
	cr_expect_neq(state(), SPILL_STOPPED, "not all that there was is in the chunks");
}

/* --- ends ------------------------------------------------------------------------------ */

Test(several, end_together)
{
	tried_start(observers, &told, LOAD);
	more("disk=false\n");
	more("delay=10000000000\n");
	recorder_stop(&tried, INT64_MAX);
	for (uint64_t i = 1; i <= 3; i++)
		cr_expect_eq(facts_of(i).facts.state, FACTS_STOPPED);
	cr_expect(take(1));
	cr_expect(take(2));
	cr_expect_not(take(3), "it had not begun");
	recorder_drop(&tried, 1);
	recorder_drop(&tried, 2);
	cr_expect_eq(tried.repository.files.count, 0);
}

Test(several, fail_together)
{
	char command[300];
	struct err err;

	tried_start(observers, &told, LOAD "max-chunk-size=1\n");
	more(SYSTEM);
	more("delay=10000000000\n");
	snprintf(command, sizeof(command), "rm -rf %s", tried.repository.path);
	cr_assert_eq(system(command), 0);
	recorder_round(&tried);
	cr_expect_eq(state(), SPILL_FAILED);
	for (uint64_t i = 1; i <= 3; i++) {
		cr_expect_eq(facts_of(i).facts.state, FACTS_FAILED);
		cr_expect_eq(recorder_stopped_next(&tried), i);
		recorder_heard(&tried, i, INT64_MAX);
	}
	cr_expect_not(begin(LOAD, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_not(take(1), "nothing is left");
	recorder_drop(&tried, 1);
}

/* The first cannot begin: later others may. */
Test(several, may_begin_later)
{
	char command[300];
	struct err err;

	tried_open(observers, &told, "");
	snprintf(command, sizeof(command), "mv %s %s/away", tried.repository.path,
		 tried_folder);
	cr_assert_eq(system(command), 0);
	cr_expect_not(begin(LOAD, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_eq(state(), SPILL_STARTING);
	cr_expect_eq(told.started, 0);
	snprintf(command, sizeof(command), "mv %s/away %s", tried_folder,
		 tried.repository.path);
	cr_assert_eq(system(command), 0);
	cr_expect_eq(more(LOAD), 1);
	end(1);
	cr_expect(take(1));
}

/* Another thread has the lock until it shall let go. */
static struct {
	pthread_t thread;
	atomic_bool has_it, shall_go;
} holder;

static void *hold(void *unused)
{
	pthread_mutex_lock(&tried.lock);
	atomic_store(&holder.has_it, true);
	while (!atomic_load(&holder.shall_go))
		usleep(1000);
	pthread_mutex_unlock(&tried.lock);
	return unused;
}

static void hold_up(void)
{
	cr_assert_eq(pthread_create(&holder.thread, NULL, hold, NULL), 0);
	while (!atomic_load(&holder.has_it))
		usleep(1000);
}

static void let_go(void)
{
	atomic_store(&holder.shall_go, true);
	pthread_join(holder.thread, NULL);
}

/* The one whose time has come cannot begin: that is its own affair. */
Test(several, may_fail_alone_when_it_is_time)
{
	char command[300];

	tried_open(observers, &told, "");
	more("delay=1\n" LOAD);
	more("delay=100000000\n" LOAD);
	snprintf(command, sizeof(command), "mv %s %s/away", tried.repository.path,
		 tried_folder);
	cr_assert_eq(system(command), 0);
	recorder_round(&tried);
	cr_expect_eq(facts_of(1).facts.state, FACTS_FAILED);
	cr_expect_gt(facts_of(1).facts.why.size, 0);
	cr_expect(tried_log_has("recording '1' cannot begin: "));
	cr_expect_eq(recorder_stopped_next(&tried), 1);
	cr_expect_not(recorder_is_over(&tried));
	cr_expect_eq(state(), SPILL_STARTING);
	snprintf(command, sizeof(command), "mv %s/away %s", tried_folder,
		 tried.repository.path);
	cr_assert_eq(system(command), 0);
	usleep(110000);
	recorder_round(&tried);
	cr_expect_eq(facts_of(2).facts.state, FACTS_RUNNING);
	end(2);
	cr_expect(take(2));
}

/* Somebody is at work in it. */
Test(several, are_not_waited_for_for_ever)
{
	int64_t before;

	tried_start(observers, &told, LOAD);
	hold_up();
	before = now_ticks();
	cr_expect_not(recorder_stop(&tried, before + 50000000));
	cr_expect_geq(now_ticks(), before + 50000000);
	cr_expect_not(recorder_is_over(&tried));
	let_go();
	cr_expect(recorder_stop(&tried, now_ticks() + 10 * SECOND));
	cr_expect(recorder_is_over(&tried));
}

Test(several, are_not_handed_over_without_a_place)
{
	struct err err;
	char *folder;

	tried_start(observers, &told, "disk=false\n" ENDS);
	chmod(tried_folder, 0500);
	if (geteuid() != 0) {
		cr_expect_not(recorder_hand_over(&tried, 1, 0, &folder, &err));
		cr_expect_eq(err.kind, ERR_SYSTEM);
		cr_expect_null(folder);
	}
	chmod(tried_folder, 0700);
	cr_expect_not(recorder_hand_over(&tried, 7, 0, &folder, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect(take(1));
	cr_expect_eq(facts_of(1).facts.state, FACTS_RUNNING);
}
