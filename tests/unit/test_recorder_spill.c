#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/recorder.h"
#include "jfr/frame.h"
#include "jfr/spillread.h"
#include "tried.h"

/* What is told are no events. */
static bool is_wrong;

static void tell_load(struct recorder *of, struct batch *batch)
{
	(void)of;
	if (is_wrong)
		buf_text(&batch->buf, "\3\176\1");
}

static const struct observer observer = {
	.name = "load",
	.periodic = (const struct periodic[]){ { EVENT_CPU_LOAD, tell_load },
					       { 0, NULL } },
};
static const struct observer *const observers[] = { &observer, NULL };

TestSuite(recorder_spill, .init = tried_begin, .fini = tried_end);

static void start_recorder(const char *lines)
{
	tried_start(observers, &is_wrong, lines);
}

static uint64_t state(void)
{
	return spill_get(&store_header(&tried.store)->state);
}

#define LOAD                                                                   \
	"setting=jdk.CPULoad#enabled=true\n"                                   \
	"setting=jdk.CPULoad#period=10 ms\n"

/* What others find in the spill file; records of constants, and events in no chunk. */
struct found {
	size_t records, events, metadata;
};

static bool find_record(void *context, uint32_t type, uint64_t key, const char *bytes,
			size_t size)
{
	struct found *found = context;

	(void)bytes;
	(void)size;
	found->records += type != SPILL_GONE && key != 0;
	return true;
}

static bool find_events(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct found *found = context;

	(void)lane;
	for (size_t at = 0; at < size;) {
		struct frame frame = { 0 };

		cr_assert_null(frame_read((const void *)bytes, size, at, &frame));
		at += frame.size;
		found->events++;
	}
	return true;
}

static struct found look(bool is_done)
{
	struct err err = { ERR_NONE, "" };
	struct found found = { 0 };
	struct buf metadata = { 0 };
	struct spill spill;

	cr_assert(spill_open(&spill, store_fd(&tried.store), &err), "%s", err.text);
	spill.is_done = is_done;
	cr_expect(spill_records(&spill, find_record, &found, &err));
	cr_expect(spill_events(&spill, find_events, &found, &err));
	cr_expect(spill_metadata(&spill, &metadata, &err));
	cr_expect_eq(spill.damaged, 0);
	found.metadata = metadata.size;
	buf_clear(&metadata);
	spill_close(&spill);
	return found;
}

Test(recorder_spill, has_all_in_the_spill_file_that_is_not_written)
{
	struct lane *lane;
	struct found found;

	start_recorder("");
	lane = store_lane(&tried.store);
	found = look(false);
	cr_expect_gt(found.metadata, 1000);
	cr_expect_eq(found.events, 0);
	cr_expect_eq(tried_send(lane, 10), 10);
	cr_expect_eq(look(false).events, 10);
	constants_symbol(tried.constants, STR("a name"));
	cr_expect_gt(look(false).records, found.records);
	recorder_round(&tried);
	cr_expect_eq(look(false).events, 0);
	cr_expect_eq(tried_send(lane, 10), 10);
	recorder_stop(&tried, INT64_MAX);
	found = look(false);
	cr_expect_eq(found.events, 0);
	cr_expect_eq(found.records, 0);
	cr_expect_eq(found.metadata, 0);
	cr_expect_eq(tried_send(lane, 10), 0, "it is closed");
}

/* Nobody commits behind the last draining: what is not in the file, nobody had. */
Test(recorder_spill, loses_nothing_when_it_has_ended)
{
	struct lane *lane;

	start_recorder("");
	lane = store_lane(&tried.store);
	tried_send(lane, 10);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_eq(tried_send(lane, 10), 0);
	cr_expect_eq(store_header(&tried.store)->lost_events, 0);
	tried_read();
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), 10);
}

/* The chunk does not have what was in the batch with what could not be written. */
Test(recorder_spill, leaves_to_others_what_it_cannot_write)
{
	struct lane *lane;
	struct found found;

	start_recorder(LOAD);
	lane = store_lane(&tried.store);
	tried_send(lane, 10);
	recorder_round(&tried);
	tried_send(lane, 20);
	is_wrong = true;
	usleep(15000);
	recorder_round(&tried);
	cr_expect_eq(state(), SPILL_FAILED);
	found = look(false);
	cr_expect_eq(found.events, 20);
	cr_expect_geq(found.records, 6);
	cr_expect_gt(found.metadata, 1000);
	cr_expect_eq(tried_send(lane, 10), 0, "it is closed");
	cr_expect_eq(look(false).events, 20);
	tried_read();
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), 10);
}

/* Nor is anything there twice, when what was kept got into a chunk. */
Test(recorder_spill, leaves_to_others_what_it_did_not_keep)
{
	struct lane *lane;

	start_recorder("disk=false\n" LOAD);
	lane = store_lane(&tried.store);
	tried_send(lane, 10);
	recorder_round(&tried);
	cr_expect_eq(look(false).events, 10, "kept");
	tried_send(lane, 20);
	is_wrong = true;
	usleep(15000);
	recorder_round(&tried);
	cr_expect_eq(state(), SPILL_FAILED);
	cr_expect_eq(look(false).events, 20);
	tried_read();
	cr_expect_eq(tried_found(EVENT_VIRTUAL_THREAD_END), 10);
}

/* It fails with what was kept: that is with the events that were not written. */
Test(recorder_spill, leaves_to_others_what_was_kept)
{
	struct err err = { ERR_SYSTEM, "no thread for it" };
	struct lane *lane;

	start_recorder("disk=false\n");
	lane = store_lane(&tried.store);
	tried_send(lane, 10);
	recorder_round(&tried);
	tried_send(lane, 20);
	recorder_fail(&tried, &err);
	cr_expect_eq(look(false).events, 30);
}

static bool is_locked(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY);
	bool is_free = flock(fd, LOCK_SH | LOCK_NB) == 0;

	close(fd);
	return !is_free;
}

Test(recorder_spill, locks_its_repository_until_it_ends)
{
	start_recorder("");
	cr_expect(is_locked(tried.repository.path));
	recorder_stop(&tried, INT64_MAX);
	cr_expect_not(is_locked(tried.repository.path));
}

Test(recorder_spill, locks_its_repository_again)
{
	start_recorder("disk=false\n");
	close(tried.repository.lock);
	cr_expect_not(is_locked(tried.repository.path));
	recorder_round(&tried);
	cr_expect(is_locked(tried.repository.path));
}

Test(recorder_spill, locks_its_repository_until_it_fails)
{
	struct err err = { ERR_SYSTEM, "no thread for it" };

	start_recorder("");
	cr_expect(is_locked(tried.repository.path));
	recorder_fail(&tried, &err);
	cr_expect_not(is_locked(tried.repository.path));
}

Test(recorder_spill, has_a_spill_file_without_a_name_for_a_parent)
{
	start_recorder("socket=/nowhere\n");
	cr_expect_null(tried.spill_path);
}

Test(recorder_spill, has_a_spill_file_with_a_name_if_asked_to)
{
	tried_order("socket=/nowhere\n");
	tried_orders.spill_file = true;
	cr_assert(recorder_open(&tried, &tried_orders, observers, &is_wrong, NULL));
	cr_assert(tried.spill_path);
	cr_expect_eq(access(tried.spill_path, F_OK), 0);
	tried_record(NULL);
	recorder_stop(&tried, INT64_MAX);
	cr_expect_neq(access(tried.spill_path, F_OK), 0);
}

static void hear_warning(void *context, const char *text)
{
	cr_expect_eq(context, &is_wrong);
	buf_printf(&tried_logged, "warned: %s\n", text);
}

Test(recorder_spill, warns_once_when_the_spill_file_has_no_space)
{
	struct spill_block *block = NULL;
	size_t size;

	tried_open(observers, &is_wrong, "");
	tried.warn = hear_warning;
	tried_record(NULL);
	cr_expect_not(tried_log_has("warned"));
	tried.blocks.limit = tried.blocks.count;
	do {
		block = blocks_take(&tried.blocks);
	} while (blocks_is_seen(&tried.blocks, block));
	blocks_give(&tried.blocks, block);
	recorder_round(&tried);
	cr_expect(tried_log_has("warned: no space for buffers that outlive the JVM: "));
	size = tried_logged.size;
	recorder_round(&tried);
	cr_expect_eq(tried_logged.size, size);
}

/* That has another reason, and is told so; newer kernels can do without. */
Test(recorder_spill, warns_when_the_spill_file_was_closed)
{
	tried_open(observers, &is_wrong, "");
	tried.warn = hear_warning;
	tried_record(NULL);
	atomic_store(&tried.store.slots.file.error, EBADF);
	atomic_store(&tried.blocks.is_short, true);
	recorder_round(&tried);
	cr_expect(tried_log_has("warned: the program closed the file of the buffers "
				"that outlive the JVM: "));
}

static void count_waking(void *context)
{
	(void)context;
	is_wrong = true;
}

/* Threads take blocks with locks held: so the flusher is woken before there are none. */
Test(recorder_spill, has_blocks_in_stock)
{
	start_recorder("");
	store_wake_by(&tried.store, count_waking, NULL);
	recorder_round(&tried);
	cr_expect_geq(tried.blocks.free_count, 4);
	for (int i = 0; i < 100 && !is_wrong; i++)
		blocks_take(&tried.blocks);
	cr_expect(is_wrong);
	cr_expect_gt(tried.blocks.free_count, 0);
	recorder_round(&tried);
	cr_expect_geq(tried.blocks.free_count, 4);
	is_wrong = false;
}
