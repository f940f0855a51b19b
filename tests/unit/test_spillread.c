#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fault.h"
#include "jfr/spillread.h"
#include "makespill.h"

static struct madespill made;
static struct spill spill;
static struct err err;

static void begin(void)
{
	makespill_open(&made, 6, 8);
}

static void end(void)
{
	makespill_close(&made);
}

TestSuite(spillread, .init = begin, .fini = end);

/* --- what was told ------------------------------------------------------------ */

/* "7:ab 8:c" for two events of the lane 7 and one of the lane 8; "r1:a" of a raw one. */
struct listener {
	struct buf text;
	uint64_t lane;		/* of the last event, if there was one */
	int left;		/* refusal number `left` is a no */
};

static bool listen(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct listener *listener = context;

	cr_assert_gt(size, 0);
	if (--listener->left == 0)
		return false;
	if (listener->text.size == 0 || lane != listener->lane)
		buf_printf(&listener->text, "%s%s%d:", listener->text.size ? " " : "",
			   lane & LANE_RAW ? "r" : "", (int)(lane & ~LANE_RAW));
	for (size_t at = 0; at < size; at += (unsigned char)bytes[at])
		buf_byte(&listener->text, bytes[at + 2]);
	listener->lane = lane;
	return true;
}

/* "1001/5=tea " for a record. */
static bool note(void *context, uint32_t type, uint64_t key, const char *bytes,
		 size_t size)
{
	struct listener *listener = context;

	if (--listener->left == 0)
		return false;
	buf_printf(&listener->text, "%d/%d=%.*s ", (int)type, (int)key, (int)size,
		   bytes);
	return true;
}

static void expect_text(struct listener *listener, const char *expected)
{
	buf_byte(&listener->text, 0);
	cr_expect_str_eq(listener->text.bytes, expected);
	buf_clear(&listener->text);
}

static void read_again(bool is_done)
{
	cr_assert(spill_open(&spill, made.fd, &err), "%s", err.text);
	spill.is_done = is_done;
}

/* What is told of the file as it is now, and how much of it is damaged. */
static void expect_done(bool is_done, const char *events, uint64_t damaged)
{
	struct listener listener = { 0 };

	read_again(is_done);
	cr_expect_eq(spill_has_events(&spill), *events != 0 || damaged > 0,
		     "is there something in it? '%s'", events);
	cr_expect(spill_events(&spill, listen, &listener, &err), "%s", err.text);
	cr_expect_eq(spill.damaged, damaged, "%d damaged", (int)spill.damaged);
	expect_text(&listener, events);
	spill_close(&spill);
}

static void expect_events(const char *events)
{
	expect_done(false, events, 0);
}

/* --- flushes ------------------------------------------------------------------ */

Test(spillread, tells_lanes_in_their_order_and_raw_ones_last)
{
	makespill_event(makespill_slot(&made, LANE_RAW | 1, 1), 5, 'x');
	makespill_event(makespill_slot(&made, 9, 2), 5, 'd');
	makespill_event(makespill_slot(&made, 3, 70000), 5, 'b');
	makespill_event(makespill_slot(&made, 9, 1), 5, 'c');
	makespill_event(makespill_slot(&made, 3, 69999), 5, 'a');
	makespill_slot(&made, 4, 1);
	expect_events("3:ab 9:cd r1:x");
	read_again(false);
	cr_expect_eq(spill.pieces.count, 5);
	cr_expect_eq(spill.pieces.items[0].place, 4);
	spill_close(&spill);
}

Test(spillread, tells_nothing_of_a_new_file)
{
	expect_events("");
}

/* Each moment of two flushes, the first of which was done. */
Test(spillread, tells_each_event_once_whenever_the_writer_dies)
{
	struct spill_slot *slot = makespill_slot(&made, 7, 1);

	makespill_event(slot, 5, 'a');
	makespill_drain(slot, 1);
	made.header->flush = made.header->committed = 1;
	makespill_event(slot, 5, 'b');
	expect_events("7:b");
	expect_done(true, "7:b", 0);
	slot->consumed = slot->drained;
	expect_events("7:b");
	slot->flush = 2;
	expect_events("7:b");
	expect_done(true, "7:b", 0);
	slot->drained = slot->committed;
	expect_events("7:b");
	makespill_event(slot, 5, 'c');
	expect_events("7:bc");
	made.header->flush = 2;
	expect_done(false, "7:bc", 0);
	expect_done(true, "7:c", 0);
	made.header->committed = 2;
	expect_done(false, "7:c", 0);
	expect_done(true, "7:c", 0);
	slot->consumed = slot->drained;
	expect_events("7:c");
}

/* Slots of which nothing went with the newest flush say an older one. */
Test(spillread, knows_old_flushes_for_done)
{
	struct spill_slot *old = makespill_slot(&made, 1, 1);
	struct spill_slot *newer = makespill_slot(&made, 2, 1);

	makespill_event(old, 5, 'a');
	makespill_drain(old, 3);
	makespill_event(newer, 5, 'b');
	makespill_drain(newer, 9);
	made.header->flush = 9;
	made.header->committed = 8;
	expect_done(false, "2:b", 0);
	expect_done(true, "", 0);
	made.header->committed = 2;
	expect_done(true, "1:a", 0);
}

/* A slot that was free is taken by another lane. */
Test(spillread, tells_nothing_of_a_slot_that_is_being_taken)
{
	struct spill_slot *slot = makespill_slot(&made, 7, 5);

	makespill_event(slot, 5, 'a');
	makespill_event(slot, 5, 'b');
	makespill_drain(slot, 1);
	made.header->flush = made.header->committed = 1;
	expect_events("");
	slot->committed = 0;
	expect_events("");
	slot->sequence = 1;
	expect_events("");
	slot->drained = 0;
	expect_events("");
	slot->lane = 8;
	expect_events("");
	slot->consumed = 0;
	expect_events("");
	makespill_event(slot, 5, 'c');
	expect_events("8:c");
}

Test(spillread, says_whether_there_are_events)
{
	struct spill_slot *slot = makespill_slot(&made, 7, 1);

	makespill_event(slot, 5, 'a');
	makespill_drain(slot, 1);
	made.header->flush = 1;
	read_again(false);
	cr_expect(spill_has_events(&spill));
	spill.is_done = true;
	cr_expect_not(spill_has_events(&spill));
	spill_close(&spill);
}

/* --- damaged slots ------------------------------------------------------------ */

struct wrong {
	uint64_t lane, sequence;
	uint32_t consumed, drained, committed;
};

Test(spillread, leaves_out_slots_that_contradict_themselves)
{
	static const struct wrong wrongs[] = {
		{ 0, 1, 0, 0, 10 },	      { 7, 0, 0, 0, 10 },
		{ 7, 1, 6, 5, 10 },	      { 7, 1, 0, 11, 10 },
		{ 7, 1, UINT32_MAX, 0, 10 },  { 7, 1, 0, UINT32_MAX, 10 },
		{ 7, 1, 0, 0, UINT32_MAX },   { 7, 1, 5, 5, MAKESPILL_SLOT - 40 },
	};
	struct spill_slot *slot = makespill_slot(&made, 7, 1);

	makespill_event(makespill_slot(&made, 8, 1), 5, 'z');
	for (int i = 0; i < 60; i++)
		makespill_event(slot, 5, 'a');
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		slot->lane = wrongs[i].lane;
		slot->sequence = wrongs[i].sequence;
		slot->consumed = wrongs[i].consumed;
		slot->drained = wrongs[i].drained;
		slot->committed = wrongs[i].committed;
		expect_done(false, "8:z", 1);
	}
}

Test(spillread, tells_nothing_twice)
{
	makespill_event(makespill_slot(&made, 7, 1), 5, 'a');
	makespill_event(makespill_slot(&made, 7, 1), 5, 'b');
	expect_done(false, "7:a", 1);
}

Test(spillread, ends_a_slot_where_its_events_cannot_be)
{
	static const char *const wrongs[] = {
		"\0\x64xx",		/* no size */
		"\x7f\x64xx",		/* past the end */
		"\4\0xx", "\4\1xx",	/* metadata, a checkpoint */
		"\xff\xff\xff\xff",	/* half a number */
	};

	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		struct spill_slot *slot = makespill_slot(&made, 7, 1);

		makespill_event(slot, 5, 'a');
		makespill_put(slot, wrongs[i], 4);
		makespill_event(makespill_slot(&made, 7, 2), 5, 'b');
		expect_done(false, "7:ab", 1);
		makespill_close(&made);
		begin();
	}
}

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

Test(spillread, reads_large_slots_piece_by_piece)
{
	static const size_t all[] = { 40, 70000, 65536, 65519, 5, 1 << 19, 300, 65530 };
	struct sizes sizes = { 0 };
	struct spill_slot *slot;

	makespill_close(&made);
	makespill_open_as(&made, 1 << 20, 2, MAKESPILL_BLOCK, 0);
	slot = makespill_slot(&made, 7, 1);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		put_large(slot, all[i]);
	read_again(false);
	cr_expect(spill_events(&spill, measure, &sizes, &err), "%s", err.text);
	cr_expect_eq(sizes.events, sizeof(all) / sizeof(all[0]));
	cr_expect_eq(sizes.bytes, slot->committed);
	cr_expect_eq(sizes.longest, 1 << 19);
	cr_expect_eq(spill.damaged, 0);
	cr_expect_leq(spill.buf.capacity, 1 << 20);
	spill_close(&spill);
}

/* An event says that it is as large as the slot, of which the file has but the start. */
Test(spillread, takes_no_memory_for_what_is_not_there)
{
	struct spill_slot *slot;

	makespill_close(&made);
	makespill_open_as(&made, SPILL_PART_MAX, 2, MAKESPILL_BLOCK, 0);
	slot = makespill_slot(&made, 7, 1);
	put_large(slot, SPILL_PART_MAX - 100);
	cr_assert_eq(ftruncate(made.fd, SPILL_HEADER_SIZE + 8192), 0);
	read_again(false);
	cr_expect(spill_events(&spill, measure, NULL, &err), "%s", err.text);
	cr_expect_eq(spill.damaged, 2, "the file, and that event");
	cr_expect_leq(spill.buf.capacity, 1 << 18);
	spill_close(&spill);
}

/* --- records ------------------------------------------------------------------ */

static void expect_records(const char *records, uint64_t damaged)
{
	struct listener listener = { 0 };

	read_again(false);
	cr_expect(spill_records(&spill, note, &listener, &err), "%s", err.text);
	cr_expect_eq(spill.damaged, damaged, "%d damaged", (int)spill.damaged);
	expect_text(&listener, records);
	spill_close(&spill);
}

Test(spillread, tells_records_of_all_blocks)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);
	struct spill_record *gone;

	makespill_record(block, 1001, 5, "tea", 3);
	gone = makespill_record(block, 1001, 6, "coffee, milk", 12);
	makespill_record(block, 1002, 7, "", 0);
	makespill_record(makespill_block(&made, SPILL_RECORDS, 0), SPILL_METHOD, 8,
			 "cocoa", 5);
	expect_records("1001/5=tea 1001/6=coffee, milk 1002/7= 1/8=cocoa ", 0);
	gone->type = SPILL_GONE;
	gone->size = UINT32_MAX;
	expect_records("1001/5=tea 1002/7= 1/8=cocoa ", 0);
	gone->type = 1001;
	gone->size = 3;
	expect_records("1001/5=tea 1001/6=cof 1002/7= 1/8=cocoa ", 0);
}

/* Room counts up to a multiple of 8, but in the end of the block. */
Test(spillread, finds_records_behind_odd_room)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);
	struct spill_record *first = makespill_record(block, 1001, 5, "tea", 3);
	struct spill_record *last = makespill_record(block, 1001, 6, "milk", 4);

	first->room = 3;
	last->room = 4;
	expect_records("1001/5=tea 1001/6=milk ", 0);
	block->used -= 4;
	expect_records("1001/5=tea 1001/6=milk ", 0);
	block->used -= 1;
	expect_records("1001/5=tea ", 1);
	block->used -= 4;
	expect_records("1001/5=tea ", 0);
}

Test(spillread, leaves_out_records_that_cannot_be)
{
	struct spill_block *block = makespill_block(&made, SPILL_RECORDS, 0);
	struct spill_record *wrong = makespill_record(block, 1001, 5, "tea", 3);

	makespill_record(block, 1001, 6, "milk", 4);
	wrong->size = wrong->room + 1;
	expect_records("1001/6=milk ", 1);
	wrong->room = UINT32_MAX;
	expect_records("", 1);
	wrong->room = 0;
	wrong->type = SPILL_GONE;
	memset(wrong->bytes, 0, 8);
	block->used = MAKESPILL_ROOM + 1;
	expect_records("", 1);
	block->kind = 77;
	block->used = 8;
	expect_records("", 1);
	block->kind = SPILL_FREE;
	expect_records("", 0);
}

/* --- what is kept ------------------------------------------------------------- */

/* A batch of so many events of 8 bytes, one more mark for each. */
static void keep(uint64_t flush, int events, char mark)
{
	char bytes[1024];

	for (int i = 0; i < events; i++)
		makespill_event_at(bytes + 8 * i, 8, (char)(mark + i));
	makespill_batch(&made, flush, (uint64_t)events, bytes, 8 * (size_t)events);
	made.header->flush = flush;
}

Test(spillread, tells_what_is_kept_before_all_else)
{
	struct spill_slot *slot = makespill_slot(&made, 3, 1);

	makespill_event(slot, 8, 'a');
	makespill_drain(slot, 1);
	keep(1, 1, 'a');
	made.header->committed = 1;
	makespill_event(slot, 8, 'b');
	expect_events("0:a 3:b");
	makespill_drain(slot, 2);
	keep(2, 1, 'b');
	expect_events("0:a 3:b");
	made.header->committed = 2;
	expect_events("0:ab");
	makespill_event(slot, 8, 'c');
	made.header->kept_begin = 48;
	expect_events("0:b 3:c");
	made.header->kept_begin = 96;
	expect_events("3:c");
}

/* It goes to a chunk: until that is done it is here, then it is there. */
Test(spillread, passes_over_what_went_to_a_chunk)
{
	uint64_t first;

	keep(1, 1, 'a');
	first = made.header->kept_end;
	keep(2, 1, 'b');
	made.header->committed = 2;
	made.header->flush_kept = first;
	expect_done(true, "0:ab", 0);
	made.header->flush = 3;
	expect_done(false, "0:ab", 0);
	expect_done(true, "0:b", 0);
	made.header->kept_begin = first;
	expect_done(true, "0:b", 0);
	made.header->committed = 3;
	expect_done(true, "0:b", 0);
	made.header->flush_kept = made.header->kept_end;
	expect_done(true, "0:b", 0);
	made.header->flush = 4;
	expect_done(false, "0:b", 0);
	expect_done(true, "", 0);
}

/* In blocks of 232 bytes, in any order. */
Test(spillread, reads_a_stream_in_the_order_of_its_numbers)
{
	struct spill_block swap;

	keep(1, 10, 'a');
	keep(1, 30, 'A');
	keep(1, 10, 'k');
	made.header->committed = 1;
	expect_events("0:abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^klmnopqrst");
	swap = *makespill_block_at(&made, 0);
	cr_assert_eq(swap.number, 0);
	makespill_block_at(&made, 0)->number = 2;
	makespill_block_at(&made, 2)->number = 0;
	read_again(false);
	cr_expect_eq(spill.kept.items[0].place, 2);
	cr_expect_eq(spill.kept.items[2].place, 0);
	spill_close(&spill);
}

/* Where the block was, there is none. */
static void lose(uint64_t number)
{
	uint32_t place = 0;

	while (makespill_block_at(&made, place)->number != number)
		place++;
	makespill_block_at(&made, place)->kind = SPILL_FREE;
}

/* Of a batch in blocks 0 to 2 the second is missing; the third knows the next batch. */
Test(spillread, goes_on_behind_a_block_that_is_missing)
{
	keep(1, 70, '0');
	keep(1, 2, 'A');
	keep(1, 1, 'C');
	made.header->committed = 1;
	lose(1);
	expect_done(false, "0:0123456789:;<=>?@ABCDEFGABC", 1);
}

/* Of the batches that begin in a missing block nothing is known. */
Test(spillread, finds_the_next_batch_behind_a_missing_block)
{
	keep(1, 20, 'a');
	keep(1, 20, 'A');
	keep(1, 20, 'a');
	made.header->committed = 1;
	expect_events("0:abcdefghijklmnopqrstABCDEFGHIJKLMNOPQRSTabcdefghijklmnopqrst");
	lose(0);
	expect_done(false, "0:abcdefghijklmnopqrst", 1);
}
