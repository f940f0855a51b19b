#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "jfr/spillread.h"
#include "makespill.h"
#include "spilled.h"

TestSuite(spillread_files, .init = spilled_begin, .fini = spilled_end);

/* --- events of any size ------------------------------------------------------- */

struct sizes {
	size_t events, bytes, longest;
};

/* Each event has four bytes for its size. */
static bool measure(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct sizes *sizes = context;
	const unsigned char *at = (const unsigned char *)bytes, *last = at + size;

	cr_expect_eq(lane, 7);
	while (at < last) {
		size_t own = (at[0] & 0x7f) | (size_t)(at[1] & 0x7f) << 7 |
			     (size_t)(at[2] & 0x7f) << 14 | (size_t)at[3] << 21;

		cr_assert(own > 4 && own <= (size_t)(last - at));
		sizes->longest = own > sizes->longest ? own : sizes->longest;
		sizes->events++;
		at += own;
	}
	sizes->bytes += size;
	return true;
}

static void put_large(struct spill_slot *slot, size_t size)
{
	char *at = slot->bytes + slot->committed;

	at[0] = (char)(size | 0x80);
	at[1] = (char)(size >> 7 | 0x80);
	at[2] = (char)(size >> 14 | 0x80);
	at[3] = (char)(size >> 21);
	at[4] = 100;
	slot->committed += (uint32_t)size;
}

Test(spillread_files, reads_large_slots_piece_by_piece)
{
	static const size_t all[] = { 40, 70000, 65536, 65519, 5, 1 << 19, 300, 65530 };
	struct sizes sizes = { 0 };
	struct spill_slot *slot;

	makespill_close(&spilled_file);
	makespill_open_as(&spilled_file, 1 << 20, 2, MAKESPILL_BLOCK, 0);
	slot = makespill_slot(&spilled_file, 7, 1);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		put_large(slot, all[i]);
	spilled_open(false);
	cr_expect(spill_events(&spilled, measure, &sizes, &spilled_err), "%s",
		  spilled_err.text);
	cr_expect_eq(sizes.events, sizeof(all) / sizeof(all[0]));
	cr_expect_eq(sizes.bytes, slot->committed);
	cr_expect_eq(sizes.longest, 1 << 19);
	cr_expect_eq(spilled.damaged, 0);
	cr_expect_leq(spilled.buf.capacity, 1 << 20);
	spill_close(&spilled);
}

/* An event says that it is as large as the slot, of which the file has but the start. */
Test(spillread_files, takes_no_memory_for_what_is_not_there)
{
	struct spill_slot *slot;

	makespill_close(&spilled_file);
	makespill_open_as(&spilled_file, SPILL_PART_MAX, 2, MAKESPILL_BLOCK, 0);
	slot = makespill_slot(&spilled_file, 7, 1);
	put_large(slot, SPILL_PART_MAX - 100);
	cr_assert_eq(ftruncate(spilled_file.fd, SPILL_HEADER_SIZE + 8192), 0);
	spilled_open(false);
	cr_expect(spill_events(&spilled, measure, NULL, &spilled_err), "%s",
		  spilled_err.text);
	cr_expect_eq(spilled.damaged, 2, "the file, and that event");
	cr_expect_leq(spilled.buf.capacity, 1 << 18);
	spill_close(&spilled);
}

/* --- metadata ----------------------------------------------------------------- */

static void expect_metadata(size_t size, uint64_t damaged)
{
	struct buf metadata = { 0 };

	spilled_open(false);
	cr_expect(spill_metadata(&spilled, &metadata, &spilled_err), "%s",
		  spilled_err.text);
	cr_expect_eq(metadata.size, size, "%d bytes", (int)metadata.size);
	cr_expect_eq(spilled.damaged, damaged, "%d damaged", (int)spilled.damaged);
	for (size_t i = 3; i < metadata.size; i++)
		cr_assert_eq(metadata.bytes[i], 'm');
	buf_clear(&metadata);
	spill_close(&spilled);
}

Test(spillread_files, gives_the_metadata)
{
	char event[700] = "\xbc\x05"; /* 700, and 0 for metadata */

	memset(event + 3, 'm', sizeof(event) - 3);
	expect_metadata(0, 0);
	makespill_metadata(&spilled_file, event, sizeof(event));
	expect_metadata(700, 0);
	makespill_block_at(&spilled_file, 3)->used--;
	expect_metadata(0, 1);
	makespill_block_at(&spilled_file, 3)->used++;
	makespill_block_at(&spilled_file, 0)->bytes[2] = 1;
	expect_metadata(0, 1);
	makespill_block_at(&spilled_file, 0)->bytes[2] = 0;
	spilled_lose(1);
	expect_metadata(0, 1);
	spilled_lose(0);
	expect_metadata(0, 1);
}

/* --- files that are not what they say ----------------------------------------- */

Test(spillread_files, has_no_more_committed_than_flushed)
{
	spilled_file.header->committed = 1;
	spilled_expect(false, "", 1);
}

/* All that can be asked, whatever the file is. */
static void read_all(struct heard *listener)
{
	struct heard records = { 0 };
	struct buf metadata = { 0 };

	cr_expect(spill_events(&spilled, heard_events, listener, &spilled_err), "%s",
		  spilled_err.text);
	cr_expect(spill_records(&spilled, heard_record, &records, &spilled_err), "%s",
		  spilled_err.text);
	cr_expect(spill_metadata(&spilled, &metadata, &spilled_err), "%s",
		  spilled_err.text);
	buf_clear(&records.text);
	buf_clear(&metadata);
	spill_close(&spilled);
}

static void expect_cut(off_t size, const char *events)
{
	struct heard listener = { 0 };

	cr_assert_eq(ftruncate(spilled_file.fd, size), 0);
	spilled_open(false);
	read_all(&listener);
	cr_expect_gt(spilled.damaged, 0);
	heard_expect(&listener, events);
}

Test(spillread_files, ends_where_the_file_does)
{
	const off_t first = SPILL_HEADER_SIZE + sizeof(struct spill_slot) + 5;
	const off_t second = first + MAKESPILL_SLOT;
	struct spill_block *block = makespill_block(&spilled_file, SPILL_RECORDS, 0);

	makespill_event(makespill_slot(&spilled_file, 7, 1), 5, 'a');
	makespill_event(makespill_slot(&spilled_file, 7, 2), 5, 'b');
	makespill_record(block, 1001, 1, "milk", 4);
	makespill_metadata(&spilled_file, "\4\0mm", 4);
	spilled_keep(1, 4, 'k');
	for (off_t size = (off_t)spilled_file.size - MAKESPILL_BLOCK;
	     size >= SPILL_HEADER_SIZE; size -= 3)
		expect_cut(size, size >= second ? "7:ab" : size >= first ? "7:a" : "");
	cr_assert_eq(ftruncate(spilled_file.fd, SPILL_HEADER_SIZE - 1), 0);
	cr_expect_not(spill_open(&spilled, spilled_file.fd, &spilled_err));
	cr_expect_eq(spilled_err.kind, ERR_FORMAT);
	cr_expect_str_eq(spilled_err.text, "too short for a spill file");
}

static bool is_short(off_t size)
{
	bool is;

	cr_assert_eq(ftruncate(spilled_file.fd, size), 0);
	spilled_open(false);
	is = spilled.is_short;
	spill_close(&spilled);
	return is;
}

/* As long as the last slot and block that have space are there, all is. */
Test(spillread_files, knows_that_the_file_was_cut_off)
{
	const off_t blocks = (off_t)spill_block_at(spilled_file.header, 0);

	cr_expect_not(is_short((off_t)spilled_file.size));
	cr_expect(is_short((off_t)spilled_file.size - 1));
	spilled_file.header->blocks = 1;
	cr_expect_not(is_short(blocks + MAKESPILL_BLOCK));
	cr_expect(is_short(blocks + MAKESPILL_BLOCK - 1));
	spilled_file.header->blocks = 0;
	cr_expect_not(is_short(blocks));
	cr_expect(is_short(blocks - 1));
	spilled_file.header->slots = 0;
	cr_expect_not(is_short(SPILL_HEADER_SIZE));
}

/* Between two opportunities to read the file became shorter. */
Test(spillread_files, takes_what_is_gone_for_damage)
{
	struct heard listener = { 0 };

	makespill_event(makespill_slot(&spilled_file, 7, 1), 5, 'a');
	makespill_record(makespill_block(&spilled_file, SPILL_RECORDS, 0), 1001, 1,
			 "milk", 4);
	makespill_metadata(&spilled_file, "\4\0mm", 4);
	spilled_keep(1, 4, 'k');
	spilled_file.header->committed = 1;
	spilled_open(false);
	cr_assert_eq(ftruncate(spilled_file.fd, 0), 0);
	read_all(&listener);
	cr_expect_eq(spilled.damaged, 4, "%d", (int)spilled.damaged);
	heard_expect(&listener, "");
}

static void expect_counts(uint64_t slots, uint64_t slots_max, uint64_t blocks,
			  uint64_t blocks_max, uint64_t damaged)
{
	struct heard listener = { 0 };

	*spilled_file.header = (struct spill_header){
		.magic = SPILL_MAGIC,
		.version = SPILL_VERSION,
		.slot_size = SPILL_PART_MAX,
		.block_size = SPILL_PART_MAX,
		.slots = slots,
		.slots_max = (uint32_t)slots_max,
		.blocks = blocks,
		.blocks_max = (uint32_t)blocks_max,
	};
	spilled_open(false);
	read_all(&listener);
	cr_expect_eq(spilled.damaged, damaged, "%d damaged", (int)spilled.damaged);
	heard_expect(&listener, "");
}

Test(spillread_files, looks_no_further_than_the_file_is)
{
	expect_counts(0, UINT32_MAX, 0, UINT32_MAX, 0);
	expect_counts(1, UINT32_MAX, 0, UINT32_MAX, 0);
	expect_counts(2, UINT32_MAX, 1, UINT32_MAX, 2);
	expect_counts(UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 2);
	expect_counts(UINT64_MAX, UINT32_MAX, UINT64_MAX, UINT32_MAX, 2);
	expect_counts(UINT64_MAX, 0, UINT64_MAX, 0, 1);
}

/*
 * Two terabytes, of which next to nothing is there: who looks at each slot does not come
 * to an end.
 */
Test(spillread_files, passes_over_holes)
{
	struct spill_header header = {
		.magic = SPILL_MAGIC,
		.version = SPILL_VERSION,
		.slot_size = 512,
		.slots = UINT32_MAX,
		.slots_max = UINT32_MAX,
	};
	union {
		struct spill_slot head;
		char bytes[sizeof(struct spill_slot) + 8];
	} slot = { .head = { .lane = 7, .committed = 5 } };
	uint64_t places[] = { 0, 77777777, 77777778, UINT32_MAX - 1 };
	struct heard listener = { 0 };

	memcpy(slot.head.bytes, "\5daaa", 5);
	cr_assert_eq(ftruncate(spilled_file.fd, 0), 0);
	cr_assert_eq(
		ftruncate(spilled_file.fd, (off_t)spill_slot_at(&header, UINT32_MAX)),
		0);
	cr_assert_eq(pwrite(spilled_file.fd, &header, sizeof(header), 0),
		     sizeof(header));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		slot.head.sequence = i + 1;
		slot.head.bytes[2] = (char)('a' + i);
		cr_assert_eq(pwrite(spilled_file.fd, &slot, sizeof(slot),
				    (off_t)spill_slot_at(&header, places[i])),
			     sizeof(slot));
	}
	spilled_open(false);
	cr_expect_eq(spilled.pieces.count, 4);
	cr_expect_eq(spilled.pieces.items[3].place, UINT32_MAX - 1);
	read_all(&listener);
	cr_expect_eq(spilled.damaged, 0);
	heard_expect(&listener, "7:abcd");
}

/* --- what cannot be read ------------------------------------------------------ */

static void expect_error(enum err_kind kind, const char *text)
{
	cr_expect_not(spill_open(&spilled, spilled_file.fd, &spilled_err));
	cr_expect_eq(spilled_err.kind, kind);
	cr_expect(strstr(spilled_err.text, text), "%s", spilled_err.text);
	spilled_err = (struct err){ 0 };
}

Test(spillread_files, refuses_other_files)
{
	spilled_file.header->version = SPILL_VERSION + 1;
	expect_error(ERR_FORMAT, "newer");
	spilled_file.header->version = SPILL_VERSION;
	spilled_file.header->slot_size = 8;
	expect_error(ERR_FORMAT, "slots of 8 bytes");
	spilled_file.header->slot_size = SPILL_PART_MAX + 8;
	expect_error(ERR_FORMAT, "slots of");
	spilled_file.header->slot_size = 512;
	spilled_file.header->block_size = 20;
	expect_error(ERR_FORMAT, "blocks of 20 bytes");
	spilled_file.header->magic[0] = 'X';
	expect_error(ERR_FORMAT, "not a spill file");
}

Test(spillread_files, says_what_the_system_says)
{
	int fd = spilled_file.fd;

	spilled_file.fd = -1;
	expect_error(ERR_SYSTEM, "cannot read the spill file");
	spilled_file.fd = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
	expect_error(ERR_FORMAT, "too short");
	close(spilled_file.fd);
	spilled_file.fd = fd;
}

/* Its descriptor is taken away: nothing of it can be read any more. */
Test(spillread_files, says_that_it_cannot_read_on)
{
	struct heard listener = { 0 };
	struct buf metadata = { 0 };

	makespill_event(makespill_slot(&spilled_file, 7, 1), 5, 'a');
	makespill_record(makespill_block(&spilled_file, SPILL_RECORDS, 0), 1001, 1,
			 "milk", 4);
	makespill_metadata(&spilled_file, "\4\0mm", 4);
	spilled_open(false);
	spilled.fd = -1;
	cr_expect_not(spill_events(&spilled, heard_events, &listener, &spilled_err));
	cr_expect_eq(spilled_err.kind, ERR_SYSTEM);
	spilled_err = (struct err){ 0 };
	cr_expect_not(spill_records(&spilled, heard_record, &listener, &spilled_err));
	cr_expect_eq(spilled_err.kind, ERR_SYSTEM);
	spilled_err = (struct err){ 0 };
	cr_expect_not(spill_metadata(&spilled, &metadata, &spilled_err));
	cr_expect_eq(spilled_err.kind, ERR_SYSTEM);
	spill_close(&spilled);
	spilled_keep(1, 1, 'k');
	spilled_file.header->committed = 1;
	spilled_err = (struct err){ 0 };
	spilled_open(false);
	spilled.pieces.count = 0;
	spilled.fd = -1;
	cr_expect_not(spill_events(&spilled, heard_events, &listener, &spilled_err));
	cr_expect_eq(spilled_err.kind, ERR_SYSTEM);
	spill_close(&spilled);
	cr_expect_eq(listener.text.size, 0);
}

/* Who takes it had enough, with any of what there is. */
Test(spillread_files, ends_when_it_is_enough)
{
	makespill_event(makespill_slot(&spilled_file, 7, 1), 5, 'a');
	makespill_record(makespill_block(&spilled_file, SPILL_RECORDS, 0), 1001, 1,
			 "milk", 4);
	spilled_keep(1, 1, 'k');
	spilled_file.header->committed = 1;
	spilled_open(false);
	for (int left = 1; left <= 2; left++) {
		struct heard listener = { .left = left };

		cr_expect_not(
			spill_events(&spilled, heard_events, &listener, &spilled_err));
		heard_expect(&listener, left == 1 ? "" : "0:k");
	}
	cr_expect_not(spill_records(&spilled, heard_record,
				    &(struct heard){ .left = 1 }, &spilled_err));
	cr_expect_eq(spilled_err.kind, ERR_NONE);
	cr_expect_eq(spilled.damaged, 0);
	spill_close(&spilled);
}

/* --- without memory ----------------------------------------------------------- */

static bool count(void *context, uint64_t lane, const char *bytes, size_t size)
{
	(void)lane, (void)bytes;
	*(size_t *)context += size;
	return true;
}

static bool count_record(void *context, uint32_t type, uint64_t key, const char *bytes,
			 size_t size)
{
	(void)type, (void)key, (void)bytes;
	*(size_t *)context += size;
	return true;
}

/* What was read: so many bytes. 0: err says why not. */
static size_t try_all(void)
{
	struct buf metadata = { 0 };
	size_t size = 0;
	bool is_read;

	if (!spill_open(&spilled, spilled_file.fd, &spilled_err))
		return 0;
	is_read = spill_events(&spilled, count, &size, &spilled_err) &&
		  spill_records(&spilled, count_record, &size, &spilled_err) &&
		  spill_metadata(&spilled, &metadata, &spilled_err);
	size += metadata.size;
	buf_clear(&metadata);
	spill_close(&spilled);
	return is_read ? size : 0;
}

Test(spillread_files, says_that_memory_ran_out)
{
	size_t n = 0, size;

	makespill_event(makespill_slot(&spilled_file, 7, 1), 5, 'a');
	makespill_record(makespill_block(&spilled_file, SPILL_RECORDS, 0), 1001, 1,
			 "milk", 4);
	makespill_metadata(&spilled_file, "\4\0mm", 4);
	spilled_keep(1, 4, 'k');
	spilled_file.header->committed = 1;
	do {
		spilled_err = (struct err){ 0 };
		fault_at(++n);
		size = try_all();
		if (fault_happened()) {
			cr_expect_eq(size, 0);
			cr_expect_eq(spilled_err.kind, ERR_MEMORY, "%d", (int)n);
		}
	} while (fault_happened());
	fault_at(0);
	cr_expect_eq(size, 32 + 5 + 4 + 4);
	cr_expect_geq(n, 6);
}
