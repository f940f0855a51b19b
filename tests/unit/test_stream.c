#include <criterion/criterion.h>

#include "engine/stream.h"
#include "fault.h"

static struct spillfile file;
static struct blocks blocks;
static struct stream stream;

static void begin(void)
{
	struct spillfile_shape shape = {
		.slot_size = 4096, .slots = 1, .slots_first = 1, .blocks = 20,
	};

	cr_assert(spillfile_open(&file, &shape, NULL));
	blocks_init(&blocks, &file);
	stream_init(&stream, &blocks, SPILL_METADATA);
}

static void end(void)
{
	stream_clear(&stream, false);
	blocks_clear(&blocks);
	spillfile_close(&file);
}

TestSuite(stream, .init = begin, .fini = end);

/* Numbers, four bytes each, from where the stream ends. */
static bool add_numbers(size_t count)
{
	bool is_good = true;

	for (size_t i = 0; i < count && is_good; i++) {
		uint32_t number = (uint32_t)(stream.end / 4);

		is_good = stream_add(&stream, &number, sizeof(number));
	}
	return is_good;
}

static void expect_numbers(uint64_t from, uint64_t to)
{
	struct buf buf = { 0 };
	uint32_t number;

	stream_read(&stream, from * 4, (to - from) * 4, &buf);
	cr_assert_eq(buf.size, (to - from) * 4);
	for (uint64_t i = from; i < to; i++) {
		memcpy(&number, buf.bytes + (i - from) * 4, sizeof(number));
		cr_assert_eq(number, i);
	}
	buf_clear(&buf);
}

Test(stream, is_in_numbered_blocks)
{
	cr_expect_eq(stream.chain.count, 0u);
	cr_assert(add_numbers(50000));
	cr_expect_eq(stream.chain.count, 4u);
	expect_numbers(0, 50000);
	expect_numbers(16000, 17000);
	for (uint64_t i = 0; i < 4; i++) {
		cr_expect_eq(spillfile_block(&file, i)->kind, SPILL_METADATA);
		cr_expect_eq(spillfile_block(&file, i)->number, i);
		cr_expect_eq(spillfile_block(&file, i)->used,
			     i < 3 ? BLOCK_ROOM : 200000 - 3 * BLOCK_ROOM);
	}
}

Test(stream, gives_blocks_back_at_its_beginning)
{
	cr_assert(add_numbers(50000));
	stream_drop(&stream, BLOCK_ROOM - 4);
	cr_expect_eq(stream.chain.count, 4u);
	stream_drop(&stream, BLOCK_ROOM);
	cr_expect_eq(stream.chain.count, 3u);
	cr_expect_eq(spillfile_block(&file, 0)->kind, SPILL_FREE);
	expect_numbers(BLOCK_ROOM / 4, 50000);
	stream_drop(&stream, stream.end);
	cr_expect_eq(stream.chain.count, 1u);
	cr_assert(add_numbers(50000));
	expect_numbers(50000, 100000);
}

Test(stream, is_cut_at_its_end)
{
	cr_assert(add_numbers(50000));
	stream_cut(&stream, 20000 * 4);
	cr_expect_eq(stream.chain.count, 2u);
	cr_expect_eq(spillfile_block(&file, 1)->used, 80000 - BLOCK_ROOM);
	cr_assert(add_numbers(20000));
	expect_numbers(0, 40000);
	stream_cut(&stream, BLOCK_ROOM);
	cr_expect_eq(stream.chain.count, 1u);
	stream_cut(&stream, 0);
	cr_expect_eq(stream.chain.count, 0u);
	cr_assert(add_numbers(100));
	expect_numbers(0, 100);
}

Test(stream, has_marks_to_go_on_at)
{
	stream_mark(&stream);
	cr_assert(add_numbers(10));
	stream_mark(&stream);
	cr_expect_eq(spillfile_block(&file, 0)->first, 1);
	cr_assert(add_numbers(20000));
	cr_expect_eq(spillfile_block(&file, 1)->first, 0);
	stream_mark(&stream);
	cr_expect_eq(spillfile_block(&file, 1)->first, 80040 - BLOCK_ROOM + 1);
	stream_cut(&stream, 80000);
	cr_expect_eq(spillfile_block(&file, 1)->first, 0, "it is behind the end");
}

Test(stream, stays_where_others_see_it)
{
	cr_assert(add_numbers(10));
	stream_clear(&stream, true);
	cr_expect_eq(spillfile_block(&file, 0)->kind, SPILL_METADATA);
	cr_expect_eq(spillfile_block(&file, 0)->used, 40);
}

Test(stream, can_be_cut_when_memory_ran_out)
{
	cr_assert(add_numbers(10));
	blocks.limit = blocks.count;
	for (int i = 0; i < 3; i++)
		blocks_take(&blocks);
	fault_at(2);
	cr_expect_not(add_numbers(50000));
	fault_at(0);
	stream_cut(&stream, 40);
	expect_numbers(0, 10);
	cr_expect(add_numbers(50000), "in memory");
	expect_numbers(0, 50010);
}
