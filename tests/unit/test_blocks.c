#include <criterion/criterion.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/blocks.h"
#include "fault.h"

#define BLOCKS 6

static struct spillfile file;
static struct blocks blocks;

static void begin(void)
{
	struct spillfile_shape shape = {
		.slot_size = 4096, .slots = 1, .slots_first = 1, .blocks = BLOCKS,
	};

	cr_assert(spillfile_open(&file, &shape, NULL));
	blocks_init(&blocks, &file);
}

static void end(void)
{
	blocks_clear(&blocks);
	spillfile_close(&file);
}

TestSuite(blocks, .init = begin, .fini = end);

Test(blocks, get_space_step_by_step)
{
	for (unsigned i = 0; i < BLOCKS; i++) {
		struct spill_block *block = blocks_take(&blocks);

		cr_expect_eq(block, spillfile_block(&file, i));
		cr_expect_eq(block->kind, SPILL_FREE);
		cr_expect_eq(block->used, 0);
		cr_expect_eq(file.header->blocks, i < 4 ? 4 : BLOCKS);
	}
	cr_expect_not(blocks.is_short);
}

Test(blocks, are_used_again)
{
	struct spill_block *block = blocks_take(&blocks);

	block_set_used(block, 100);
	blocks_publish(block, SPILL_KEPT, 7);
	cr_expect_eq(block->kind, SPILL_KEPT);
	cr_expect_eq(block->number, 7);
	blocks_give(&blocks, block);
	cr_expect_eq(block->kind, SPILL_FREE);
	cr_expect_eq(blocks_take(&blocks), block);
	cr_expect_eq(block->used, 0);
}

/* Others do not see these. */
Test(blocks, come_from_memory_when_there_is_no_space)
{
	struct spill_block *block;

	for (unsigned i = 0; i < BLOCKS; i++)
		blocks_take(&blocks);
	fault_at(1);
	cr_expect_null(blocks_take(&blocks));
	fault_at(0);
	block = blocks_take(&blocks);
	cr_assert(block);
	cr_expect(blocks.is_short);
	cr_expect_eq(file.header->blocks, BLOCKS);
	memset(block->bytes, 1, BLOCK_ROOM);
	blocks_give(&blocks, block);
	cr_expect_eq(blocks.free_count, 0);
}

Test(blocks, come_from_memory_where_there_is_no_file)
{
	struct blocks none;
	struct spill_block *block;

	blocks_init(&none, NULL);
	blocks_stock(&none);
	block = blocks_take(&none);
	cr_assert(block);
	cr_expect_eq(block->used, 0);
	cr_expect_not(none.is_short, "nobody expects any");
	blocks_give(&none, block);
	blocks_drop(&none);
	blocks_clear(&none);
}

Test(blocks, are_in_stock)
{
	blocks_stock(&blocks);
	cr_expect_eq(file.header->blocks, 4);
	cr_expect_eq(blocks.free_count, 4);
	for (int i = 0; i < 3; i++)
		blocks_take(&blocks);
	cr_expect_eq(file.header->blocks, 4);
	blocks_stock(&blocks);
	cr_expect_eq(file.header->blocks, BLOCKS);
	cr_expect_eq(blocks.free_count, 3);
}

Test(blocks, go_back_in_the_end)
{
	struct stat before, after;

	fstat(file.fd, &before);
	blocks_give(&blocks, blocks_take(&blocks));
	blocks_drop(&blocks);
	fstat(file.fd, &after);
	cr_expect_eq(before.st_blocks, after.st_blocks);
	cr_expect_eq(file.header->blocks, 0);
}

#define MANY 200

static void count(void *context)
{
	++*(int *)context;
}

/* The more are in use, the more; who fills it is woken in time, and once. */
Test(blocks, are_in_stock_as_many_as_are_needed)
{
	struct spillfile_shape shape = {
		.slot_size = 4096, .slots = 1, .slots_first = 1, .blocks = MANY,
	};
	int calls = 0, taken = 0;

	end();
	cr_assert(spillfile_open(&file, &shape, NULL));
	blocks_init(&blocks, &file);
	blocks_wake_by(&blocks, count, &calls);
	blocks_stock(&blocks);
	cr_expect_eq(blocks.free_count, 4);
	while (!calls && taken < MANY) {
		blocks_take(&blocks);
		taken++;
	}
	cr_expect_eq(taken, 3);
	blocks_take(&blocks);
	cr_expect_eq(calls, 1);
	for (int i = 0; i < 100; i++) {
		if (calls) {
			calls = 0;
			blocks_stock(&blocks);
		}
		cr_expect_gt(blocks.free_count, 0);
		blocks_take(&blocks);
	}
	blocks_stock(&blocks);
	cr_expect_geq(blocks.free_count, 13);
	cr_expect_lt(blocks.free_count, 13 + 4);
	calls = 0;
	while (file.header->blocks < MANY || blocks.free_count) {
		blocks_take(&blocks);
		if (calls)
			blocks_stock(&blocks);
	}
	calls = 0;
	blocks_stock(&blocks);
	blocks_give(&blocks, blocks_take(&blocks));
	cr_expect_eq(calls, 0, "there are no more to be had");
}
