#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/held.h"
#include "engine/batch.h"
#include "fault.h"
#include "jfr/event.h"
#include "jfr/input.h"
#include "jfr/methodnote.h"
#include "jfr/rawsample.h"
#include "jfr/spillread.h"
#include "jfr/writer.h"
#include "makeleft.h"
#include "place.h"
#include "reread.h"
#include "salvage/leftfile.h"
#include "salvage/salvage.h"

static struct madespill made;
static struct salvage salvage;
static struct err err;
static const char *repository;

static void begin_as(uint32_t slot_size, uint32_t slots)
{
	makespill_open_as(&made, slot_size, slots, 1024, 8);
	makeleft_begin(&made);
}

static void begin(void)
{
	place_open();
	repository = place_make("r");
	begin_as(512, 8);
}

static void end(void)
{
	salvage_clear(&salvage);
	makespill_close(&made);
	place_close();
}

TestSuite(salvage, .init = begin, .fini = end);

/* A file of one chunk; its size. */
static int64_t save_chunk(const char *name, int from, int to, uint8_t state)
{
	struct buf bytes = { 0 };
	int64_t size = makeleft_chunk(&bytes, from, to, state);
	FILE *file = fopen(place_of(name), "wb");

	cr_assert(file && fwrite(bytes.bytes, 1, bytes.size, file) == bytes.size);
	cr_assert_eq(fclose(file), 0);
	buf_clear(&bytes);
	return size;
}

/* --- what becomes of it ------------------------------------------------------------ */

static void salvage_all(uint64_t events, uint64_t damaged)
{
	salvage_clear(&salvage);
	cr_assert(salvage_run(&salvage, made.fd, repository, &err), "%s", err.text);
	cr_expect_eq(salvage.events, events, "%d events", (int)salvage.events);
	cr_expect_eq(salvage.damaged, damaged, "%d damaged", (int)salvage.damaged);
	cr_expect_eq(salvage.chunks.size > 0, events > 0);
}

/* Saves it; no reader finds a fault. */
static const char *save_salvaged(void)
{
	const char *path = place_of("salvaged.jfr");
	FILE *file = fopen(path, "wb");

	cr_assert(file && fwrite(salvage.chunks.bytes, 1, salvage.chunks.size, file) ==
				  salvage.chunks.size);
	cr_assert_eq(fclose(file), 0);
	cr_expect_eq(reread_verify(&path, 1), 0);
	return path;
}

static void tell(void *context, uint64_t type, const uint64_t *fields)
{
	if (type == EVENT_VIRTUAL_THREAD_START)
		buf_printf(context, "%d ", (int)fields[3]);
	else
		buf_printf(context, "type %d ", (int)type);
}

/* The numbers of all events. */
static void expect_events(const char *expected)
{
	const char *path = save_salvaged();
	struct buf text = { 0 };

	cr_expect_eq(reread_events(&path, 1, tell, &text), 0);
	buf_byte(&text, 0);
	cr_expect_str_eq(text.bytes, expected);
	buf_clear(&text);
}

static struct header header_of(const unsigned char *bytes, size_t size)
{
	struct header header;

	cr_assert(header_read(&header, bytes, size, &err));
	return header;
}

static struct header first_header(void)
{
	return header_of(salvage.chunks.bytes, salvage.chunks.size);
}

/* True if the constant of the type that has this text in it is there. */
static bool has_text(const char *text)
{
	return memmem(salvage.chunks.bytes, salvage.chunks.size, text, strlen(text));
}

Test(salvage, finds_nothing_in_a_new_file)
{
	salvage_all(0, 0);
	cr_expect_null(salvage.cut);
	place_put("r/notes.txt", "tea");
	salvage_all(0, 0);
	cr_expect_null(salvage.cut);
}

Test(salvage, makes_a_chunk_of_what_was_committed)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);
	struct spill_slot *slot = makespill_slot(&made, 3, 1);
	struct header header;

	makeleft_thread(block, 11, "worker");
	makeleft_event(slot, 4, 11, 1);
	makeleft_event(slot, 6, 11, 2);
	makeleft_event(makespill_slot(&made, 2, 1), 5, 11, 3);
	salvage_all(3, 0);
	expect_events("3 1 2 ");
	cr_expect(has_text("worker"));
	header = first_header();
	cr_expect_eq(header.start_ticks, LEFT_TICKS + 4 * LEFT_SECOND);
	cr_expect_eq(header.start_nanos, LEFT_NANOS + 4 * LEFT_SECOND);
	cr_expect_eq(header.duration_nanos, 2 * LEFT_SECOND);
	cr_expect_eq(header.flags, HEADER_COMPRESSED | HEADER_FINAL);
	cr_expect_eq(header.state, 0);
}

Test(salvage, follows_the_last_of_the_chunks)
{
	struct header header;

	save_chunk("r/2.jfr", 3, 8, 0);
	save_chunk("r/1.jfr", 0, 3, 0);
	makeleft_event(makespill_slot(&made, 3, 1), 7, 0, 2);
	makeleft_event(makespill_slot(&made, 4, 1), 9, 0, 3);
	salvage_all(2, 0);
	cr_expect_null(salvage.cut);
	expect_events("2 3 ");
	header = first_header();
	cr_expect_eq(header.start_nanos, LEFT_NANOS + 8 * LEFT_SECOND);
	cr_expect_eq(header.start_ticks, LEFT_TICKS + 8 * LEFT_SECOND);
	cr_expect_eq(header.duration_nanos, LEFT_SECOND);
}

/* --- the newest flush --------------------------------------------------------------- */

/* Events 1 and 2, of which the first goes with the flush 5. */
static void begin_flush(void)
{
	struct spill_slot *slot = makespill_slot(&made, 3, 1);

	makeleft_event(slot, 1, 0, 1);
	makespill_drain(slot, 5);
	makeleft_event(slot, 2, 0, 2);
	made.header->committed = 4;
	made.header->flush = 5;
}

Test(salvage, asks_the_chunk_whether_the_newest_flush_was_done)
{
	int64_t size = save_chunk("r/1.jfr", 0, 3, 1);

	begin_flush();
	made.header->flush_chunk = LEFT_NANOS;
	made.header->flush_size = (uint64_t)size;
	salvage_all(2, 0);
	expect_events("1 2 ");
	made.header->flush_size--;
	salvage_all(1, 0);
	expect_events("2 ");
	cr_expect_str_eq(salvage.cut, place_of("r/1.jfr"));
	cr_expect_eq(salvage.cut_size, (uint64_t)size);
	/* Killed in the middle of the writing of the header, of which the first part is new. */
	save_chunk("r/1.jfr", 0, 3, 255);
	salvage_all(1, 0);
	/* Of another chunk. */
	made.header->flush_chunk = LEFT_NANOS + 1;
	salvage_all(2, 0);
	/* It went to none. */
	made.header->flush_chunk = 0;
	salvage_all(2, 0);
	made.header->committed = 5;
	salvage_all(1, 0);
}

Test(salvage, does_not_miss_a_repository_that_is_gone)
{
	begin_flush();
	made.header->flush_chunk = LEFT_NANOS;
	repository = place_of("gone");
	salvage_all(2, 0);
	cr_expect_null(salvage.cut);
	repository = place_put("file", "");
	salvage_clear(&salvage);
	cr_expect_not(salvage_run(&salvage, made.fd, repository, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
}

static void expect_cut(const char *name, int64_t size)
{
	salvage_all(1, 0);
	cr_assert_not_null(salvage.cut);
	cr_expect_str_eq(salvage.cut, place_of(name));
	cr_expect_eq(salvage.cut_size, (uint64_t)size);
}

Test(salvage, tells_which_file_was_being_written)
{
	int64_t size = save_chunk("r/1.jfr", 0, 3, 0);
	FILE *file;

	makeleft_event(makespill_slot(&made, 3, 1), 4, 0, 2);
	salvage_all(1, 0);
	cr_expect_null(salvage.cut);
	/* Finished, but with something behind: of the newest flush alone. */
	file = fopen(place_of("r/1.jfr"), "ab");
	cr_assert(file && fputs("more", file) >= 0 && fclose(file) == 0);
	salvage_all(1, 0);
	cr_expect_null(salvage.cut);
	made.header->flush_chunk = LEFT_NANOS;
	expect_cut("r/1.jfr", size);
	made.header->flush_chunk = 0;
	size = save_chunk("r/2.jfr", 3, 5, 7);
	expect_cut("r/2.jfr", size);
	place_put("r/3.jfr", "");
	expect_cut("r/3.jfr", 0);
	place_put("r/3.jfr", "FL");
	expect_cut("r/3.jfr", 0);
	place_put("r/3.jfr", "no recording");
	expect_cut("r/2.jfr", size);
}

/* Such files are all that is there when a process dies in its first flush. */
Test(salvage, does_not_take_a_header_alone_for_a_chunk)
{
	struct header header = writer_header;
	struct buf bytes = { 0 };

	header.chunk_size = HEADER_SIZE;
	header.start_nanos = LEFT_NANOS + 20 * LEFT_SECOND;
	header.state = 1;
	header_write(&header, &bytes);
	buf_byte(&bytes, 0);
	makeleft_event(makespill_slot(&made, 3, 1), 4, 0, 2);
	for (size_t i = 0; i < bytes.size; i++) {
		FILE *file = fopen(place_of("r/1.jfr"), "wb");

		cr_assert(file && fwrite(bytes.bytes, 1, i, file) == i);
		cr_assert_eq(fclose(file), 0);
		expect_cut("r/1.jfr", 0);
		cr_expect_eq(first_header().start_nanos, LEFT_NANOS + 4 * LEFT_SECOND);
	}
	buf_clear(&bytes);
}

/* --- samples ------------------------------------------------------------------------ */

Test(salvage, makes_events_of_samples)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);
	struct spill_slot *slot = makespill_slot(&made, LANE_RAW | 1, 1);
	const char *path;
	struct buf text = { 0 };

	makeleft_thread(block, 11, "worker");
	makeleft_method(block, 900, 0xabc0);
	makeleft_sample(slot, 1, 11, 0xabc0);
	salvage_all(1, 0);
	path = save_salvaged();
	cr_expect_eq(reread_events(&path, 1, tell, &text), 0);
	buf_byte(&text, 0);
	cr_expect(strncmp(text.bytes, "type ", 5) == 0 &&
		  atoi(text.bytes + 5) == EVENT_NATIVE_METHOD_SAMPLE);
	cr_expect(has_text("await"));
	cr_expect(has_text("STATE_PARKED"));
	cr_expect(has_text("worker"));
	cr_expect_not(has_text("<unknown>"));
	buf_clear(&text);
}

Test(salvage, has_stand_ins_for_what_nobody_noted)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);
	struct spill_slot *slot = makespill_slot(&made, LANE_RAW | 1, 1);
	struct methodnote note = { .method = 901 };
	struct buf value = { 0 };

	methodnote_write(&value, &note);
	makespill_record(block, SPILL_METHOD, 0xdef0, value.bytes, value.size);
	makeleft_sample(slot, 1, 13, 0xabc0);
	makeleft_sample(slot, 1, 13, 0xdef0);	/* its method is not there */
	salvage_all(2, 0);
	save_salvaged();
	cr_expect(has_text("<unknown>"));
	cr_expect(has_text("VirtualThreads"));
	cr_expect(has_text("STATE_SLEEPING"));
	buf_clear(&value);
}

/* --- values in parts ----------------------------------------------------------------- */

/* A thread whose name is longer than a block is large. */
static void put_long_name(uint64_t number, uint64_t key)
{
	struct buf value = { 0 }, name = { 0 };

	buf_str(&name, STR("long "));
	buf_fill(&name, 'x', 1500);
	encode_string(&value, buf_as_str(&name));
	encode_long(&value, 77);
	encode_string(&value, STR("short"));
	encode_long(&value, 5);
	encode_varint(&value, 0);
	encode_boolean(&value, false);
	cr_assert_not(value.failed);
	makespill_parts(&made, number, POOL_THREAD, key, value.bytes, value.size);
	buf_clear(&name);
	buf_clear(&value);
}

Test(salvage, joins_constants_that_are_in_parts)
{
	const char *path;

	put_long_name(5, 11);
	makeleft_event(makespill_slot(&made, 3, 1), 1, 11, 1);
	salvage_all(1, 0);
	path = save_salvaged();
	cr_expect_eq(reread_findings(&path, 1), 0);
	cr_expect(has_text("long xxx"));
	/* It was being removed. */
	((struct spill_record *)makespill_block_at(&made, 1)->bytes)->type = SPILL_GONE;
	salvage_all(1, 0);
	cr_expect_not(has_text("long xxx"));
}

/* --- damage -------------------------------------------------------------------------- */

Test(salvage, leaves_out_what_does_not_fit)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);
	struct spill_slot *slot = makespill_slot(&made, 3, 1);
	const char unknown[] = { 4, 99, 0, 0 };		/* a type that there is not */
	const char brief[] = { 3, 100, 1 };		/* fewer fields than it has */

	makespill_record(block, POOL_THREAD, 1, "x", 1);
	makespill_record(block, POOL_END, 1, "x", 1);
	makespill_record(block, SPILL_METHOD, 1, "\x81", 1);
	makeleft_text(block, POOL_SYMBOL, UINT64_MAX, "tea");
	makeleft_thread(block, 11, "worker");
	makeleft_event(slot, 1, 11, 1);
	makespill_put(slot, unknown, sizeof(unknown));
	makeleft_event(slot, 2, 11, 2);
	makespill_put(slot, brief, sizeof(brief));
	makeleft_event(slot, 3, 99, 3);			/* a thread that there is not */
	salvage_all(3, 6);
	cr_expect_eq(salvage.missing, 1);
	expect_events("1 2 3 ");
}

/* All else is right. */
static void put_dump(struct spill_slot *slot, const char *text)
{
	struct batch batch = { .events = 0 };

	batch_begin(&batch, EVENT_THREAD_DUMP);
	encode_long(&batch.buf, LEFT_TICKS + LEFT_SECOND);
	encode_string(&batch.buf, str_of(text));
	batch_end(&batch);
	makespill_put(slot, batch.buf.bytes, batch.buf.size);
	batch_clear(&batch);
}

Test(salvage, leaves_out_strings_that_are_no_text)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);
	struct spill_slot *slot = makespill_slot(&made, 3, 1);
	struct methodnote note = { .method = 900, .waiting = STR("STATE_\xff") };
	struct buf value = { 0 };

	makeleft_thread(block, 11, "worker \xff");
	makeleft_text(block, POOL_SYMBOL, 12, "\xc3");
	methodnote_write(&value, &note);
	makespill_record(block, SPILL_METHOD, 0xabc0, value.bytes, value.size);
	makeleft_event(slot, 1, 11, 1);
	put_dump(slot, "all is \x80well");
	put_dump(slot, "all is w\u00e9ll");
	makeleft_sample(makespill_slot(&made, LANE_RAW | 1, 1), 1, 11, 0xabc0);
	salvage_all(3, 4);
	save_salvaged();
	cr_expect_not(has_text("worker"));
	cr_expect_not(has_text("all is \x80"));
	cr_expect(has_text("all is w\u00e9ll"));
	cr_expect_not(has_text("STATE_\xff"));
	buf_clear(&value);
}

Test(salvage, has_times_that_can_be_whatever_events_say)
{
	struct spill_slot *slot = makespill_slot(&made, 3, 1);

	makeleft_event(slot, -6000, 0, 1);
	salvage_all(1, 0);
	cr_expect_eq(first_header().start_ticks, LEFT_TICKS);
	cr_expect_eq(first_header().duration_nanos, 1);
	makeleft_event(slot, INT64_MAX / LEFT_SECOND - 5000, 0, 1);
	salvage_all(2, 0);
	cr_expect_gt(first_header().duration_nanos, 0);
}

/* One event, and types: of a recording that has nothing else. */
static void make_with_types(const struct buf *recording)
{
	struct header header =
		header_of((const unsigned char *)recording->bytes, recording->size);

	makespill_close(&made);
	makespill_open_as(&made, 512, 8, 65536, 2);
	makeleft_begin(&made);
	makeleft_event(makespill_slot(&made, 3, 1), 1, 0, 1);
	makespill_metadata(&made, recording->bytes + header.metadata_at,
			   recording->size - (size_t)header.metadata_at);
}

Test(salvage, has_types_of_the_file_or_of_its_own)
{
	struct buf recording = { 0 };
	struct header header;
	const unsigned char *found;

	makeleft_event(makespill_slot(&made, 3, 1), 1, 0, 1);
	salvage_all(1, 0);
	expect_events("1 ");
	cr_assert(eventtypes_recording(&recording, &err));
	header = header_of((const unsigned char *)recording.bytes, recording.size);
	/* The number of the metadata tells which it is. */
	recording.bytes[header.metadata_at + ENCODE_PADDED + 3] = 99;
	make_with_types(&recording);
	salvage_all(1, 0);
	expect_events("1 ");
	found = memmem(salvage.chunks.bytes, salvage.chunks.size,
		       recording.bytes + header.metadata_at, 200);
	cr_expect_not_null(found);
	/* What is none is damage. */
	makespill_block_at(&made, 0)->bytes[40] ^= 0x55;
	salvage_all(1, 1);
	expect_events("1 ");
	buf_clear(&recording);
}

Test(salvage, refuses_what_is_no_spill_file_or_a_newer_one)
{
	made.header->version++;
	cr_expect_not(salvage_run(&salvage, made.fd, repository, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	salvage_clear(&salvage);
	made.header->magic[0]++;
	cr_expect_not(salvage_run(&salvage, made.fd, repository, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	salvage_clear(&salvage);
}

/* --- many --------------------------------------------------------------------------- */

#define LARGE ((uint32_t)8 << 20)
#define LARGE_SLOTS 9

/* Fills the slot, with events of about this size; gives how many. */
static uint64_t fill(struct spill_slot *slot, size_t size)
{
	static char text[100000];
	struct batch batch = { .events = 0 };
	uint64_t count = 0;

	memset(text, 'x', sizeof(text));
	batch_begin(&batch, EVENT_THREAD_DUMP);
	encode_long(&batch.buf, LEFT_TICKS + LEFT_SECOND);
	encode_string(&batch.buf, (struct str){ text, size });
	batch_end(&batch);
	for (; (count + 1) * batch.buf.size < LARGE - sizeof(*slot); count++)
		makespill_put(slot, batch.buf.bytes, batch.buf.size);
	batch_clear(&batch);
	return count;
}

Test(salvage, makes_as_many_chunks_as_it_takes)
{
	uint64_t events = 0;
	int64_t before = 0;
	size_t count = 0;

	makespill_close(&made);
	begin_as(LARGE, LARGE_SLOTS);
	for (uint64_t i = 0; i < LARGE_SLOTS; i++)
		events += fill(makespill_slot(&made, i + 1, 1), 50000);
	salvage_all(events, 0);
	save_salvaged();
	for (size_t at = 0; at < salvage.chunks.size; count++) {
		struct header header = header_of(salvage.chunks.bytes + at,
						 salvage.chunks.size - at);

		cr_expect_gt(header.start_nanos, before);
		cr_expect_lt(header.chunk_size, 34 << 20);
		before = header.start_nanos;
		at += (size_t)header.chunk_size;
		cr_expect_eq(header.flags & HEADER_FINAL,
			     at == salvage.chunks.size ? HEADER_FINAL : 0);
	}
	cr_expect_eq(count, 3u, "%zu", count);
}

/* --- the file in a repository --------------------------------------------------------- */

static int hold(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY);

	cr_assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
	return fd;
}

static void expect_found(bool is_found)
{
	int fd = leftfile_find(repository, &err);

	cr_expect_eq(fd >= 0, is_found);
	cr_expect_eq(err.kind, ERR_NONE);
	if (fd >= 0)
		close(fd);
}

Test(salvage, keeps_and_finds_the_file_in_a_repository)
{
	struct spill spill;
	int fd;

	expect_found(false);
	makeleft_event(makespill_slot(&made, 3, 1), 1, 0, 1);
	cr_expect_not(held_is(AT_FDCWD, repository));
	cr_assert(leftfile_keep(made.fd, repository, &err), "%s", err.text);
	expect_found(true);
	fd = leftfile_find(repository, &err);
	cr_assert(spill_open(&spill, fd, &err));
	cr_expect_eq(spill.header.start_ticks, LEFT_TICKS);
	cr_expect_eq(spill.pieces.count, 1u);
	spill_close(&spill);
	cr_expect(leftfile_keep(fd, repository, &err));	/* it has a name already */
	close(fd);
	cr_expect(leftfile_keep(made.fd, place_of("other"), &err));
	cr_expect_not(leftfile_keep(made.fd, place_of("no/such"), &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
}

Test(salvage, finds_no_file_that_somebody_writes)
{
	int holder;

	cr_assert(leftfile_keep(made.fd, repository, &err));
	holder = hold(repository);
	cr_expect(held_is(AT_FDCWD, repository));
	expect_found(false);
	/* Its JVM lives, but has given up. */
	made.header->state = SPILL_FAILED;
	cr_assert(leftfile_keep(made.fd, repository, &err));
	expect_found(true);
	close(holder);
	expect_found(true);
}

/* Its process died before there was anything in it. */
/* root may read all: then it is somebody else for a moment. */
Test(salvage, leaves_it_to_others_to_tell_of_a_folder_that_cannot_be_opened)
{
	const uid_t user = geteuid();

	cr_assert(leftfile_keep(made.fd, repository, &err), "%s", err.text);
	cr_assert_eq(chmod(repository, 0), 0);
	if (user == 0)
		cr_assert_eq(seteuid(65534), 0);
	cr_expect_eq(leftfile_find(repository, &err), -1);
	cr_expect_eq(err.kind, ERR_NONE, "%s", err.text);
	if (user == 0)
		cr_assert_eq(seteuid(user), 0);
	cr_assert_eq(chmod(repository, 0700), 0);
	cr_assert_eq(chmod(place_of("r/" SPILL_NAME), 0), 0);
	if (user == 0)
		cr_assert_eq(chmod(place_folder, 0755) | chmod(repository, 0755), 0);
	if (user == 0)
		cr_assert_eq(seteuid(65534), 0);
	cr_expect_eq(leftfile_find(repository, &err), -1);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	if (user == 0)
		cr_assert_eq(seteuid(user), 0);
}

Test(salvage, finds_no_file_that_was_never_made)
{
	place_put("r/spill", "");
	expect_found(false);
	cr_assert_eq(truncate(place_of("r/spill"), 8192), 0);
	expect_found(false);
	place_put("r/spill", "tea, which is no spill file");
	expect_found(true);
}

/* --- memory ---------------------------------------------------------------------------- */

/* It says so; what could not be read for that is no damage. */
static void run_without_memory(void)
{
	size_t n;

	for (n = 1; n < 100000; n++) {
		bool is_good;

		salvage_clear(&salvage);
		fault_at(n);
		is_good = salvage_run(&salvage, made.fd, repository, &err);
		if (!fault_happened())
			break;
		cr_expect(is_good ? !salvage.damaged : err.kind == ERR_MEMORY,
			  "%zu: %s", n, err.text);
	}
	fault_at(0);
	cr_expect_lt(n, 100000u);
}

Test(salvage, says_so_without_memory)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);

	save_chunk("r/1.jfr", 0, 3, 1);
	makeleft_thread(block, 11, "worker");
	makeleft_method(block, 900, 0xabc0);
	put_long_name(5, 12);
	makeleft_event(makespill_slot(&made, 3, 1), 1, 12, 1);
	makeleft_sample(makespill_slot(&made, LANE_RAW | 1, 1), 1, 11, 0xabc0);
	run_without_memory();
	cr_expect_eq(salvage.events, 2u);
}

Test(salvage, has_no_other_types_without_memory)
{
	struct buf recording = { 0 };

	cr_assert(eventtypes_recording(&recording, &err));
	make_with_types(&recording);
	run_without_memory();
	cr_expect_eq(salvage.events, 1u);
	buf_clear(&recording);
}
