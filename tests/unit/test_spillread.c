#include <criterion/criterion.h>
#include <string.h>

#include "jfr/spillread.h"
#include "makespill.h"
#include "spilled.h"

TestSuite(spillread, .init = spilled_begin, .fini = spilled_end);

/* --- flushes ------------------------------------------------------------------ */

Test(spillread, tells_lanes_in_their_order_and_raw_ones_last)
{
	makespill_event(makespill_slot(&spilled_file, LANE_RAW | 1, 1), 5, 'x');
	makespill_event(makespill_slot(&spilled_file, 9, 2), 5, 'd');
	makespill_event(makespill_slot(&spilled_file, 3, 70000), 5, 'b');
	makespill_event(makespill_slot(&spilled_file, 9, 1), 5, 'c');
	makespill_event(makespill_slot(&spilled_file, 3, 69999), 5, 'a');
	makespill_slot(&spilled_file, 4, 1);
	spilled_events("3:ab 9:cd r1:x");
	spilled_open(false);
	cr_expect_eq(spilled.pieces.count, 5);
	cr_expect_eq(spilled.pieces.items[0].place, 4);
	spill_close(&spilled);
}

Test(spillread, tells_nothing_of_a_new_file)
{
	spilled_events("");
}

/* Each moment of two flushes, the first of which was done. */
Test(spillread, tells_each_event_once_whenever_the_writer_dies)
{
	struct spill_slot *slot = makespill_slot(&spilled_file, 7, 1);

	makespill_event(slot, 5, 'a');
	makespill_drain(slot, 1);
	spilled_file.header->flush = spilled_file.header->committed = 1;
	makespill_event(slot, 5, 'b');
	spilled_events("7:b");
	spilled_expect(true, "7:b", 0);
	slot->consumed = slot->drained;
	spilled_events("7:b");
	slot->flush = 2;
	spilled_events("7:b");
	spilled_expect(true, "7:b", 0);
	slot->drained = slot->committed;
	spilled_events("7:b");
	makespill_event(slot, 5, 'c');
	spilled_events("7:bc");
	spilled_file.header->flush = 2;
	spilled_expect(false, "7:bc", 0);
	spilled_expect(true, "7:c", 0);
	spilled_file.header->committed = 2;
	spilled_expect(false, "7:c", 0);
	spilled_expect(true, "7:c", 0);
	slot->consumed = slot->drained;
	spilled_events("7:c");
}

/* Slots of which nothing went with the newest flush say an older one. */
Test(spillread, knows_old_flushes_for_done)
{
	struct spill_slot *old = makespill_slot(&spilled_file, 1, 1);
	struct spill_slot *newer = makespill_slot(&spilled_file, 2, 1);

	makespill_event(old, 5, 'a');
	makespill_drain(old, 3);
	makespill_event(newer, 5, 'b');
	makespill_drain(newer, 9);
	spilled_file.header->flush = 9;
	spilled_file.header->committed = 8;
	spilled_expect(false, "2:b", 0);
	spilled_expect(true, "", 0);
	spilled_file.header->committed = 2;
	spilled_expect(true, "1:a", 0);
}

/* A slot that was free is taken by another lane. */
Test(spillread, tells_nothing_of_a_slot_that_is_being_taken)
{
	struct spill_slot *slot = makespill_slot(&spilled_file, 7, 5);

	makespill_event(slot, 5, 'a');
	makespill_event(slot, 5, 'b');
	makespill_drain(slot, 1);
	spilled_file.header->flush = spilled_file.header->committed = 1;
	spilled_events("");
	slot->committed = 0;
	spilled_events("");
	slot->sequence = 1;
	spilled_events("");
	slot->drained = 0;
	spilled_events("");
	slot->lane = 8;
	spilled_events("");
	slot->consumed = 0;
	spilled_events("");
	makespill_event(slot, 5, 'c');
	spilled_events("8:c");
}

Test(spillread, says_whether_there_are_events)
{
	struct spill_slot *slot = makespill_slot(&spilled_file, 7, 1);

	makespill_event(slot, 5, 'a');
	makespill_drain(slot, 1);
	spilled_file.header->flush = 1;
	spilled_open(false);
	cr_expect(spill_has_events(&spilled));
	spilled.is_done = true;
	cr_expect_not(spill_has_events(&spilled));
	spill_close(&spilled);
}

/* --- damaged slots ------------------------------------------------------------ */

struct wrong {
	uint64_t lane, sequence;
	uint32_t consumed, drained, committed;
};

Test(spillread, leaves_out_slots_that_contradict_themselves)
{
	static const struct wrong wrongs[] = {
		{ 0, 1, 0, 0, 10 },	     { 7, 0, 0, 0, 10 },
		{ 7, 1, 6, 5, 10 },	     { 7, 1, 0, 11, 10 },
		{ 7, 1, UINT32_MAX, 0, 10 }, { 7, 1, 0, UINT32_MAX, 10 },
		{ 7, 1, 0, 0, UINT32_MAX },  { 7, 1, 5, 5, MAKESPILL_SLOT - 40 },
	};
	struct spill_slot *slot = makespill_slot(&spilled_file, 7, 1);

	makespill_event(makespill_slot(&spilled_file, 8, 1), 5, 'z');
	for (int i = 0; i < 60; i++)
		makespill_event(slot, 5, 'a');
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		slot->lane = wrongs[i].lane;
		slot->sequence = wrongs[i].sequence;
		slot->consumed = wrongs[i].consumed;
		slot->drained = wrongs[i].drained;
		slot->committed = wrongs[i].committed;
		spilled_expect(false, "8:z", 1);
	}
}

Test(spillread, tells_nothing_twice)
{
	makespill_event(makespill_slot(&spilled_file, 7, 1), 5, 'a');
	makespill_event(makespill_slot(&spilled_file, 7, 1), 5, 'b');
	spilled_expect(false, "7:a", 1);
}

Test(spillread, ends_a_slot_where_its_events_cannot_be)
{
	static const char *const wrongs[] = {
		"\0\x64xx",		/* no size */
		"\1\x64xx",		/* no room for its type */
		"\x7f\x64xx",		/* past the end */
		"\4\0xx",		/* metadata */
		"\4\1xx",		/* a checkpoint */
		"\xff\xff\xff\xff",	/* half a number */
	};

	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		struct spill_slot *slot = makespill_slot(&spilled_file, 7, 1);

		makespill_event(slot, 5, 'a');
		makespill_put(slot, wrongs[i], 4);
		makespill_event(makespill_slot(&spilled_file, 7, 2), 5, 'b');
		spilled_expect(false, "7:ab", 1);
		makespill_close(&spilled_file);
		spilled_begin();
	}
}

/* --- records ------------------------------------------------------------------ */

static void expect_records(const char *records, uint64_t damaged)
{
	struct heard listener = { 0 };

	spilled_open(false);
	cr_expect(spill_records(&spilled, heard_record, &listener, &spilled_err), "%s",
		  spilled_err.text);
	cr_expect_eq(spilled.damaged, damaged, "%d damaged", (int)spilled.damaged);
	heard_expect(&listener, records);
	spill_close(&spilled);
}

Test(spillread, tells_records_of_all_blocks)
{
	struct spill_block *block = makespill_block(&spilled_file, SPILL_RECORDS, 0);
	struct spill_record *gone;

	makespill_record(block, 1001, 5, "tea", 3);
	gone = makespill_record(block, 1001, 6, "coffee, milk", 12);
	makespill_record(block, 1002, 7, "", 0);
	makespill_record(makespill_block(&spilled_file, SPILL_RECORDS, 0), SPILL_METHOD,
			 8, "cocoa", 5);
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
	struct spill_block *block = makespill_block(&spilled_file, SPILL_RECORDS, 0);
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
	struct spill_block *block = makespill_block(&spilled_file, SPILL_RECORDS, 0);
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

/* A part of the value 1001/5, whose bytes are these. */
static struct spill_record *put_part(uint64_t number, uint32_t index, uint32_t count,
				     const char *bytes)
{
	struct spill_part_of of = {
		.key = 5, .type = 1001, .size = 18, .index = index, .count = count,
	};
	char value[MAKESPILL_ROOM];

	memcpy(value, &of, sizeof(of));
	memcpy(value + sizeof(of), bytes, strlen(bytes));
	return makespill_record(makespill_block(&spilled_file, SPILL_RECORDS, 0),
				SPILL_PART, number, value, sizeof(of) + strlen(bytes));
}

Test(spillread, joins_values_in_parts)
{
	struct spill_record *part = put_part(77, 2, 3, "milk");

	makespill_record(makespill_block(&spilled_file, SPILL_RECORDS, 0), 1002, 6,
			 "cocoa", 5);
	put_part(77, 0, 3, "coffee, ");
	put_part(77, 1, 3, "sugar,");
	expect_records("1002/6=cocoa 1001/5=coffee, sugar,milk ", 0);
	/* What was put before is being removed. */
	put_part(76, 1, 3, "tea,");
	expect_records("1002/6=cocoa 1001/5=coffee, sugar,milk ", 0);
	part->type = SPILL_GONE;
	expect_records("1002/6=cocoa ", 0);
	part->type = SPILL_PART;
	part->size = part->room + 1;
	expect_records("1002/6=cocoa ", 1);
	part->size = 10;
	expect_records("1002/6=cocoa ", 1);
	part->size = sizeof(struct spill_part_of) + 3;
	expect_records("1002/6=cocoa ", 1);
}

/* --- what is kept ------------------------------------------------------------- */

Test(spillread, tells_what_is_kept_before_all_else)
{
	struct spill_slot *slot = makespill_slot(&spilled_file, 3, 1);

	makespill_event(slot, 8, 'a');
	makespill_drain(slot, 1);
	spilled_keep(1, 1, 'a');
	spilled_file.header->committed = 1;
	makespill_event(slot, 8, 'b');
	spilled_events("0:a 3:b");
	makespill_drain(slot, 2);
	spilled_keep(2, 1, 'b');
	spilled_events("0:a 3:b");
	spilled_file.header->committed = 2;
	spilled_events("0:ab");
	makespill_event(slot, 8, 'c');
	spilled_file.header->kept_begin = 48;
	spilled_events("0:b 3:c");
	spilled_file.header->kept_begin = 96;
	spilled_events("3:c");
}

/* It goes to a chunk: until that is done it is here, then it is there. */
Test(spillread, passes_over_what_went_to_a_chunk)
{
	uint64_t first;

	spilled_keep(1, 1, 'a');
	first = spilled_file.header->kept_end;
	spilled_keep(2, 1, 'b');
	spilled_file.header->committed = 2;
	spilled_file.header->flush_kept = first;
	spilled_expect(true, "0:ab", 0);
	spilled_file.header->flush = 3;
	spilled_expect(false, "0:ab", 0);
	spilled_expect(true, "0:b", 0);
	spilled_file.header->kept_begin = first;
	spilled_expect(true, "0:b", 0);
	spilled_file.header->committed = 3;
	spilled_expect(true, "0:b", 0);
	spilled_file.header->flush_kept = spilled_file.header->kept_end;
	spilled_expect(true, "0:b", 0);
	spilled_file.header->flush = 4;
	spilled_expect(false, "0:b", 0);
	spilled_expect(true, "", 0);
}

/* In blocks of 232 bytes, in any order. */
Test(spillread, reads_a_stream_in_the_order_of_its_numbers)
{
	struct spill_block swap;

	spilled_keep(1, 10, 'a');
	spilled_keep(1, 30, 'A');
	spilled_keep(1, 10, 'k');
	spilled_file.header->committed = 1;
	spilled_events("0:abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^klmnopqrst");
	swap = *makespill_block_at(&spilled_file, 0);
	cr_assert_eq(swap.number, 0);
	makespill_block_at(&spilled_file, 0)->number = 2;
	makespill_block_at(&spilled_file, 2)->number = 0;
	spilled_open(false);
	cr_expect_eq(spilled.kept.items[0].place, 2);
	cr_expect_eq(spilled.kept.items[2].place, 0);
	spill_close(&spilled);
}

/* Of a batch in blocks 0 to 2 the second is missing; the third knows the next batch. */
Test(spillread, goes_on_behind_a_block_that_is_missing)
{
	spilled_keep(1, 70, '0');
	spilled_keep(1, 2, 'A');
	spilled_keep(1, 1, 'C');
	spilled_file.header->committed = 1;
	spilled_lose(1);
	spilled_expect(false, "0:0123456789:;<=>?@ABCDEFGABC", 1);
}

/* Of the batches that begin in a missing block nothing is known. */
Test(spillread, finds_the_next_batch_behind_a_missing_block)
{
	spilled_keep(1, 20, 'a');
	spilled_keep(1, 20, 'A');
	spilled_keep(1, 20, 'a');
	spilled_file.header->committed = 1;
	spilled_events(
		"0:abcdefghijklmnopqrstABCDEFGHIJKLMNOPQRSTabcdefghijklmnopqrst");
	spilled_lose(0);
	spilled_expect(false, "0:abcdefghijklmnopqrst", 1);
}

Test(spillread, gives_up_what_is_kept_where_no_batch_is)
{
	struct spill_block *block;
	struct spill_batch *batch;

	spilled_keep(1, 2, 'a');
	spilled_keep(1, 2, 'c');
	spilled_file.header->committed = 1;
	block = makespill_block_at(&spilled_file, 0);
	batch = (void *)(block->bytes + 56);
	batch->flush = 0;
	spilled_expect(false, "0:ab", 1);
	batch->flush = 1;
	batch->size = 17;
	spilled_expect(false, "0:ab", 1);
	batch->size = UINT64_MAX - 4;
	spilled_expect(false, "0:ab", 1);
	batch->size = 16;
	spilled_file.header->kept_end -= 1;
	spilled_expect(false, "0:ab", 1);
	spilled_file.header->kept_end += 9;
	spilled_expect(false, "0:abcd", 1);
	spilled_file.header->kept_end = UINT64_MAX;
	spilled_expect(false, "", 1);
	spilled_file.header->kept_end = INT64_MAX;
	spilled_expect(false, "0:abcd", 1);
	spilled_file.header->kept_begin = INT64_MAX - 1;
	spilled_expect(false, "", 1);
}

/* Of two blocks that would be the same the first is it. */
Test(spillread, has_one_block_of_each_number)
{
	spilled_keep(1, 2, 'a');
	makespill_block(&spilled_file, SPILL_KEPT, 0)->used = 1;
	spilled_file.header->committed = 1;
	spilled_expect(false, "0:ab", 1);
}
