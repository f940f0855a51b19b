#include <criterion/criterion.h>
#include <stdlib.h>

#include "engine/records.h"
#include "fault.h"

#define BLOCKS 200
#define LIVE 2000			/* records, in churn */

static struct spillfile file;
static struct blocks blocks;
static struct records *records;

static void begin(void)
{
	struct spillfile_shape shape = {
		.slot_size = 4096, .slots = 1, .slots_first = 1, .blocks = BLOCKS,
	};

	cr_assert(spillfile_open(&file, &shape, NULL));
	blocks_init(&blocks, &file);
	records = records_new(&blocks);
	cr_assert(records);
}

static void end(void)
{
	records_free(records);
	blocks_clear(&blocks);
	spillfile_close(&file);
}

TestSuite(records, .init = begin, .fini = end);

/* A value that its size and key tell. */
static struct spill_record *put(uint64_t key, size_t size)
{
	static char bytes[200000];

	memset(bytes, (char)(key + size), size);
	return records_put(records, 30, key, bytes, size);
}

static bool is_whole(const struct spill_record *record)
{
	for (size_t i = 0; i < record->size; i++) {
		if (record->bytes[i] != (char)(record->key + record->size))
			return false;
	}
	return record->size <= record->room;
}

/* Values in parts of which so many are there: whole when it is of.count. */
static struct {
	uint64_t number;
	struct spill_part_of of;
	uint32_t there;
	size_t size;
} joined[20];
static size_t joined_count;

static void join(const struct spill_record *part)
{
	struct spill_part_of of;
	size_t i = 0;

	memcpy(&of, part->bytes, sizeof(of));
	while (i < joined_count && joined[i].number != part->key)
		i++;
	cr_assert_lt(i, sizeof(joined) / sizeof(joined[0]));
	if (i == joined_count) {
		joined[joined_count++].of = of;
		joined[i].number = part->key;
		joined[i].there = 0;
		joined[i].size = 0;
	}
	cr_assert_eq(of.key, joined[i].of.key);
	cr_assert_eq(of.count, joined[i].of.count);
	joined[i].there++;
	joined[i].size += part->size - sizeof(of);
	for (size_t at = sizeof(of); at < part->size; at++)
		cr_assert_eq(part->bytes[at], (char)(of.key + of.size));
}

/* All there are in the file, as others see them; those in parts are in `joined`. */
static size_t count_seen(void)
{
	size_t count = 0;

	joined_count = 0;
	for (size_t i = 0; i < file.header->blocks; i++) {
		const struct spill_block *block = spillfile_block(&file, i);
		const struct spill_record *record;

		if (block->kind != SPILL_RECORDS)
			continue;
		cr_assert_leq(block->used, BLOCK_ROOM);
		for (size_t at = 0; at < block->used;
		     at += sizeof(*record) + record->room) {
			record = (const void *)(block->bytes + at);
			cr_assert_eq((uintptr_t)record % 8, 0);
			cr_assert_eq(record->room % 8, 0);
			cr_assert_leq(at + sizeof(*record) + record->room, block->used);
			if (record->type == SPILL_PART)
				join(record);
			if (record->type == SPILL_GONE || record->type == SPILL_PART)
				continue;
			cr_assert(is_whole(record));
			count++;
		}
	}
	for (size_t i = 0; i < joined_count; i++) {
		cr_assert_eq(joined[i].there, joined[i].of.count);
		cr_assert_eq(joined[i].size, joined[i].of.size);
	}
	return count + joined_count;
}

Test(records, are_in_the_file_while_they_are_there)
{
	struct spill_record *record = put(7, 100), *other = put(8, 0);

	cr_expect_eq(record->type, 30);
	cr_expect_eq(record->key, 7);
	cr_expect_eq(record->size, 100);
	cr_expect_eq(other->size, 0);
	cr_expect_eq(count_seen(), 2);
	records_remove(records, record);
	cr_expect_eq(record->type, SPILL_GONE);
	cr_expect_eq(count_seen(), 1);
	records_remove(records, NULL);
	cr_expect_eq(records_memory(records), BLOCK_SIZE);
}

Test(records, have_room_for_any_size)
{
	for (size_t size = 0; size < BLOCK_SIZE + 100; size += 1 + size / 50) {
		struct spill_record *record = put(size, size);

		cr_assert(record);
		cr_assert(is_whole(record));
	}
	cr_expect_gt(count_seen(), 200);
	cr_expect_not(blocks.is_short);
}

Test(records, take_the_room_of_others)
{
	struct spill_record *record = put(1, 1000), *other;

	put(2, 1000);
	records_remove(records, record);
	other = put(3, 990);
	cr_expect_eq(other, record);
	cr_expect_neq(put(4, 990), record);
}

Test(records, give_blocks_back_where_nothing_is_left)
{
	struct spill_record *all[100];

	for (uint64_t i = 0; i < 100; i++)
		all[i] = put(i, 10000);
	cr_expect_gt(records_memory(records), 14 * BLOCK_SIZE);
	for (uint64_t i = 0; i < 100; i++)
		records_remove(records, all[i]);
	cr_expect_eq(records_memory(records), BLOCK_SIZE, "the current one");
	cr_expect_eq(count_seen(), 0);
	cr_expect(put(1, 60000));
	cr_expect_eq(records_memory(records), BLOCK_SIZE);
}

Test(records, that_are_large_have_memory_of_their_own_and_parts)
{
	struct spill_record *record = put(1, 100000), *other = put(2, 70000), *small;
	size_t parts;

	cr_assert(record && other);
	cr_expect(is_whole(record));
	cr_expect_eq(record->type, 30);
	cr_expect_eq(count_seen(), 2);
	cr_expect_eq(joined_count, 2);
	cr_expect_gt(records_memory(records), 340000, "parts as well");
	parts = records_taken(record) + records_taken(other);
	cr_expect_gt(parts, 340000);
	cr_expect_lt(parts, 360000);
	small = put(4, 10);
	cr_expect_leq(records_taken(small), 96);
	records_remove(records, record);
	cr_expect_eq(count_seen(), 2);
	records_remove(records, other);
	cr_expect_eq(count_seen(), 1);
	records_remove(records, small);
	cr_expect_leq(records_memory(records), 2 * BLOCK_SIZE, "current ones");
	cr_expect_not(blocks.is_short);
	cr_expect(put(3, 90000), "freed in the end");
}

/* Of each size of which the last part is nothing, all, or one byte more. */
Test(records, that_are_large_have_whole_parts)
{
	for (size_t size = 65480; size < 65520; size++) {
		struct spill_record *record = put(size, size);

		cr_assert(record);
		cr_expect_eq(count_seen(), 1);
		cr_expect_eq(joined_count, size > 65480);
		records_remove(records, record);
	}
	for (size_t size = 2 * 65456 - 4; size < 2 * 65456 + 5; size++) {
		struct spill_record *record = put(size, size);

		cr_assert(record);
		cr_expect_eq(count_seen(), 1);
		cr_expect_eq(joined[0].of.count, 2 + (size > 2 * 65456));
		records_remove(records, record);
	}
}

/* A number of parts is never that of another value. */
Test(records, that_are_large_have_numbers_of_their_own)
{
	uint64_t before = 0;

	for (int i = 0; i < 10; i++) {
		struct spill_record *record = put(5, 100000);

		cr_expect_eq(count_seen(), 1);
		cr_expect_gt(joined[0].number, before);
		cr_expect_eq(joined[0].of.key, 5);
		cr_expect_eq(joined[0].of.type, 30);
		before = joined[0].number;
		records_remove(records, record);
		cr_expect_eq(count_seen(), 0);
	}
}

/* The last part has no space: none stays, but the value is there. */
Test(records, that_are_large_are_in_the_file_as_a_whole_or_not_at_all)
{
	struct spill_record *record;

	blocks.limit = 4;
	put(1, 65000);
	put(2, 65000);
	record = put(3, 3 * 65456);
	cr_assert(record);
	cr_expect(is_whole(record));
	cr_expect_eq(count_seen(), 2);
	cr_expect_eq(joined_count, 0);
	cr_expect(blocks.is_short);
	cr_expect_lt(records_taken(record), 3 * 65456 + 100);
	records_remove(records, record);
	record = put(4, 65456 + 100);
	cr_expect_eq(count_seen(), 3, "there is space for these two");
	records_remove(records, record);
	cr_expect_eq(count_seen(), 2);
}

Test(records, that_are_too_large_for_readers_are_not_in_the_file)
{
	size_t size = SPILL_PART_MAX + 1;
	char *bytes = calloc(1, size);
	struct spill_record *record;

	cr_assert(bytes);
	record = records_put(records, 30, 1, bytes, size);
	cr_assert(record);
	cr_expect_eq(record->size, size);
	cr_expect_eq(count_seen(), 0);
	cr_expect(blocks.is_short);
	free(bytes);
}

/* Sizes as those of constants: mostly small, some of stack traces, few huge. */
static size_t random_size(unsigned *seed)
{
	unsigned number = (unsigned)rand_r(seed);

	if (number % 1000 == 0)
		return (size_t)rand_r(seed) % 70000;
	return (size_t)rand_r(seed) % (number % 10 ? 80 : 2000);
}

/* Replaces one by another so often; gives the memory after it. */
static size_t churn(struct spill_record **all, unsigned *seed, size_t times)
{
	for (size_t i = 0; i < times; i++) {
		size_t at = (size_t)rand_r(seed) % LIVE;

		if (all[at])
			cr_assert(is_whole(all[at]));
		records_remove(records, all[at]);
		all[at] = put(i, random_size(seed));
		cr_assert(all[at]);
	}
	return records_memory(records);
}

Test(records, do_not_grow_with_churn)
{
	static struct spill_record *all[LIVE];
	unsigned seed = 42;
	size_t before = churn(all, &seed, 200000), most = before;

	for (int i = 0; i < 20; i++) {
		size_t now = churn(all, &seed, 100000);

		most = now > most ? now : most;
	}
	cr_expect_leq(most, before + 4 * BLOCK_SIZE, "%zu, then %zu", before, most);
	cr_expect_leq(count_seen(), LIVE);
	cr_expect_not(blocks.is_short);
}

/* First all are of one size, then of another one. */
Test(records, of_a_size_make_room_for_others)
{
	static struct spill_record *all[LIVE];

	for (size_t size = 20; size < 20000; size = size * 5 / 4) {
		for (size_t i = 0; i < LIVE / 20; i++) {
			records_remove(records, all[i]);
			all[i] = put(i, size);
		}
		cr_expect_leq(records_memory(records),
			      4 * BLOCK_SIZE + size * (LIVE / 20) * 3);
	}
}

Test(records, stay_as_they_are_when_closed)
{
	struct spill_record *record = put(1, 10);

	records_close(records, true);
	cr_expect_null(put(2, 10));
	records_remove(records, record);
	cr_expect_eq(record->type, 30);
	cr_expect_eq(count_seen(), 1);
}

Test(records, that_are_large_stay_in_the_file_when_closed)
{
	struct spill_record *record = put(1, 100000);

	records_close(records, true);
	records_remove(records, record);
	cr_expect_eq(count_seen(), 1);
	records_free(records);
	cr_expect_eq(count_seen(), 1);
	records = NULL;
}

Test(records, are_gone_when_closed)
{
	put(1, 10);
	put(2, 100000);
	records_close(records, false);
	cr_expect_eq(count_seen(), 0);
	cr_expect_null(put(2, 10));
	cr_expect_eq(records_memory(records), 0);
}

Test(records, need_no_file)
{
	struct records *own = records_new(NULL);
	struct spill_record *record = records_put(own, 31, 5, "value", 5);
	static const char large[100000];

	cr_assert(record);
	cr_expect_eq(memcmp(record->bytes, "value", 5), 0);
	cr_assert(records_put(own, 31, 6, large, sizeof(large)));
	cr_expect_lt(records_memory(own), BLOCK_SIZE + sizeof(large) + 200, "no parts");
	records_free(own);
	records_free(NULL);
}

Test(records, survive_without_memory)
{
	static const char large[100000];
	size_t n = 0;

	do {
		struct records *own;

		fault_at(++n);
		own = records_new(&blocks);
		if (own) {
			records_remove(own, records_put(own, 30, 3, large,
							sizeof(large)));
			records_put(own, 30, 1, "a", 1);
			records_remove(own, records_put(own, 30, 1, "b", 1));
			records_remove(own, records_put(own, 30, 2, "c", 0));
		}
		records_free(own);
	} while (fault_happened());
	fault_at(0);
	cr_expect_gt(n, 3);
	cr_expect_eq(count_seen(), 0);
}
