#include <criterion/criterion.h>
#include <limits.h>

#include "engine/kept.h"
#include "fault.h"

#define BATCH 30000		/* bytes: two of them are in a block, and some */

static struct spillfile file;
static struct blocks blocks;
static struct kept kept;

static void begin(void)
{
	struct spillfile_shape shape = {
		.slot_size = 4096, .slots = 1, .slots_first = 1, .blocks = 20,
	};

	cr_assert(spillfile_open(&file, &shape, NULL));
	blocks_init(&blocks, &file);
	kept_init(&kept, &blocks);
}

static void end(void)
{
	kept_clear(&kept, false);
	blocks_clear(&blocks);
	spillfile_close(&file);
}

TestSuite(kept, .init = begin, .fini = end);

/* Batch number i has the epoch i, and came with that flush. */
static bool add(unsigned i, size_t size)
{
	static char events[100000];
	struct kept_batch batch = {
		.flush = i, .events = 2, .epoch = i, .from = i * 10 - 10, .to = i * 10,
	};

	memset(events, (char)i, size);
	return kept_add(&kept, (struct str){ events, size }, &batch);
}

static void expect_whole(const struct kept_batch *batch)
{
	struct buf buf = { 0 };

	kept_read(&kept, batch, &buf);
	cr_assert_eq(buf.size, batch->size);
	for (size_t i = 0; i < buf.size; i++)
		cr_assert_eq(buf.bytes[i], (char)batch->epoch);
	buf_clear(&buf);
}

/* What the blocks of the file hold of the stream, one byte of it. */
static char byte_at(uint64_t at)
{
	for (size_t i = 0; i < file.header->blocks; i++) {
		const struct spill_block *block = spillfile_block(&file, i);

		if (block->kind == SPILL_KEPT && block->number == at / BLOCK_ROOM &&
		    at % BLOCK_ROOM < block->used)
			return block->bytes[at % BLOCK_ROOM];
	}
	cr_assert_fail("byte %zu is not there", (size_t)at);
	return 0;
}

/* Goes over the file as another process would; gives the flush of the newest. */
static uint64_t look(void)
{
	struct spill_batch batch = { 0 };

	for (uint64_t at = file.header->kept_begin; at < file.header->kept_end;) {
		for (size_t i = 0; i < sizeof(batch); i++)
			((char *)&batch)[i] = byte_at(at + i);
		cr_assert_eq(at % 8, 0);
		at += sizeof(batch);
		cr_assert_eq(byte_at(at), (char)batch.flush);
		cr_assert_eq(byte_at(at + batch.size - 1), (char)batch.flush);
		at += (batch.size + 7) / 8 * 8;
	}
	return batch.flush;
}

Test(kept, is_there_as_it_came)
{
	cr_expect_eq(kept_epoch(&kept), UINT_MAX);
	cr_expect(add(1, 0), "nothing is nothing to keep");
	cr_expect_eq(kept.batches.count, 0);
	for (unsigned i = 1; i <= 9; i++)
		cr_assert(add(i, BATCH * (i % 3) + i));
	cr_expect_eq(kept.size, 9 * BATCH + 45);
	cr_expect_eq(kept.events, 18);
	for (size_t i = 0; i < 9; i++)
		expect_whole(&kept.batches.items[i]);
	cr_expect_eq(look(), 9);
	cr_expect_eq(file.header->kept_end, kept.batches.items[8].end);
}

Test(kept, gives_up_the_oldest_when_there_is_too_much)
{
	for (unsigned i = 1; i <= 8; i++)
		cr_assert(add(i, BATCH));
	cr_expect_eq(kept.stream.chain.count, 4u);
	kept_trim(&kept, 4 * BLOCK_SIZE, INT64_MIN);
	cr_expect_eq(kept_epoch(&kept), 1);
	kept_trim(&kept, 4 * BLOCK_SIZE - 1, INT64_MIN);
	cr_expect_eq(kept_epoch(&kept), 4, "the third is in the first block, too");
	cr_expect_eq(kept.stream.chain.count, 3u);
	cr_expect_eq(kept.size, 5 * BATCH);
	cr_expect_eq(kept.events, 10);
	cr_expect_eq(look(), 8);
	kept_trim(&kept, 0, INT64_MIN);
	cr_expect_eq(kept_epoch(&kept), 8, "the newest stays");
	expect_whole(&kept.batches.items[0]);
	cr_expect_eq(look(), 8);
}

Test(kept, gives_up_what_is_too_old)
{
	for (unsigned i = 1; i <= 3; i++)
		cr_expect(add(i, 100));
	kept_trim(&kept, SIZE_MAX, 10);
	cr_expect_eq(kept_epoch(&kept), 1);
	kept_trim(&kept, SIZE_MAX, 11);
	cr_expect_eq(kept_epoch(&kept), 2);
	kept_trim(&kept, SIZE_MAX, 100);
	cr_expect_eq(kept_epoch(&kept), 3);
	cr_expect_eq(file.header->kept_begin, kept.batches.items[0].begin);
}

Test(kept, goes_batch_by_batch)
{
	for (unsigned i = 1; i <= 5; i++)
		cr_assert(add(i, BATCH));
	for (unsigned i = 1; i <= 5; i++) {
		cr_expect_eq(kept_epoch(&kept), i);
		expect_whole(&kept.batches.items[0]);
		kept_drop(&kept);
		cr_expect_eq(file.header->kept_begin == file.header->kept_end, i == 5);
	}
	cr_expect_eq(kept.size, 0);
	cr_expect_leq(kept.stream.chain.count, 1u);
	cr_expect(add(6, BATCH));
	expect_whole(&kept.batches.items[0]);
	cr_expect_eq(look(), 6);
}

Test(kept, forgets_what_came_with_a_flush_that_failed)
{
	for (unsigned i = 1; i <= 5; i++)
		cr_assert(add(i < 4 ? i : 4, BATCH));
	kept_undo(&kept, 4);
	cr_expect_eq(kept.batches.count, 5);
	kept_undo(&kept, 3);
	cr_expect_eq(kept.batches.count, 3);
	cr_expect_eq(kept.events, 6);
	cr_expect_eq(look(), 3);
	cr_expect(add(7, BATCH));
	expect_whole(&kept.batches.items[3]);
	cr_expect_eq(look(), 7);
	kept_undo(&kept, 0);
	cr_expect_eq(file.header->kept_end, 0);
	cr_expect_eq(kept.stream.chain.count, 0u);
}

Test(kept, never_grows_beyond_its_limit)
{
	for (unsigned i = 1; i <= 1000; i++) {
		cr_assert(add(i, 1 + i * 7919 % 70000));
		kept_trim(&kept, 10 * BLOCK_SIZE, INT64_MIN);
		cr_assert_leq(kept.stream.chain.count, 10u);
	}
	cr_expect_leq(file.header->blocks, 16);
	cr_expect_eq(look(), 1000 % 256 + 768);
	cr_expect_not(blocks.is_short);
}

/* Readers go on behind blocks that they do not see. */
Test(kept, says_where_batches_begin)
{
	for (unsigned i = 1; i <= 4; i++)
		cr_assert(add(i, BATCH));
	cr_expect_eq(spillfile_block(&file, 0)->first, 1);
	cr_expect_eq(spillfile_block(&file, 1)->first,
		     kept.batches.items[3].begin - BLOCK_ROOM + 1);
}

Test(kept, stays_when_it_is_needed)
{
	cr_assert(add(1, BATCH));
	kept_clear(&kept, true);
	cr_expect_eq(look(), 1);
}

Test(kept, stays_as_it_is_without_memory)
{
	size_t n = 0;
	bool is_added;

	cr_assert(add(1, 10));
	blocks.limit = blocks.count;
	for (unsigned i = 0; i < 3; i++)
		blocks_take(&blocks);
	do {
		fault_at(++n);
		is_added = add(2, 100000);
		fault_at(0);
		cr_expect_eq(kept.batches.count, 1 + (size_t)is_added);
		expect_whole(&kept.batches.items[0]);
	} while (!is_added);
	cr_expect_gt(n, 1);
	expect_whole(&kept.batches.items[1]);
	cr_expect(blocks.is_short);
}
