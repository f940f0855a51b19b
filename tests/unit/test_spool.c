#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/spool.h"

#define MEGA ((size_t)1 << 20)

/* Byte i of all that is ever added is pattern(i). */
static unsigned char pattern(size_t i)
{
	return (unsigned char)(i * 7 + i / 4093);
}

static bool is_pattern(const unsigned char *bytes, size_t from, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] != pattern(from + i))
			return false;
	}
	return true;
}

/* Adds so many bytes, the first of which is the one with the number `from`. */
static bool add(struct spool *spool, size_t from, size_t size, struct err *err)
{
	while (size) {
		size_t room = size;
		unsigned char *to = spool_room(spool, &room, err);

		if (!to)
			return false;
		cr_assert(room > 0 && room <= size);
		for (size_t i = 0; i < room; i++)
			to[i] = pattern(from + i);
		if (!spool_added(spool, room, err))
			return false;
		from += room;
		size -= room;
	}
	return true;
}

static void expect_bytes(struct spool *spool, size_t from, size_t size)
{
	struct err err = { 0 };
	const unsigned char *bytes = spool_bytes(spool, &err);

	cr_assert_not_null(bytes, "%s", err.text);
	cr_assert_eq(spool->size, size);
	cr_expect(is_pattern(bytes, from, size));
}

static size_t open_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	size_t count = 0;

	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

Test(spool, is_empty_at_first)
{
	struct spool spool = { 0 };

	cr_expect_not_null(spool_bytes(&spool, NULL));
	cr_expect_eq(spool.size, 0);
	spool_clear(&spool);
	spool_clear(&spool);
}

Test(spool, holds_what_was_added)
{
	struct spool spool = { 0 };
	size_t size = 0;

	for (size_t more = 1; more < 300000; more *= 3, size += more / 3) {
		cr_assert(add(&spool, size, more, NULL));
		expect_bytes(&spool, 0, size + more);
	}
	cr_expect_not(spool.is_file);
	spool_clear(&spool);
	cr_expect_eq(spool.size, 0);
}

Test(spool, may_take_less_than_there_is_room_for)
{
	struct spool spool = { 0 };
	size_t room = 1000;
	unsigned char *to = spool_room(&spool, &room, NULL);

	cr_assert(to && room == 1000);
	to[0] = pattern(0);
	cr_assert(spool_added(&spool, 1, NULL));
	cr_assert(add(&spool, 1, 10, NULL));
	expect_bytes(&spool, 0, 11);
	spool_clear(&spool);
}

Test(spool, gives_the_first_bytes_away_as_a_block)
{
	struct spool spool = { 0 };
	struct block block;

	cr_assert(add(&spool, 0, 10000, NULL));
	expect_bytes(&spool, 0, 10000);
	cr_assert(spool_cut(&spool, 3000, &block, NULL));
	expect_bytes(&spool, 3000, 7000);
	cr_assert(add(&spool, 10000, 5000, NULL));
	expect_bytes(&spool, 3000, 12000);
	spool_clear(&spool);
	cr_expect_eq(block.size, 3000);
	cr_expect(is_pattern(block.bytes, 0, 3000));
	block_free(&block);
	cr_expect_null(block.bytes);
	block_free(&block);
}

Test(spool, can_be_cut_at_its_ends)
{
	struct spool spool = { 0 };
	struct block none, all;

	cr_assert(spool_cut(&spool, 0, &none, NULL));
	cr_expect(none.bytes && none.size == 0);
	block_free(&none);
	cr_assert(add(&spool, 0, 100, NULL));
	cr_assert(spool_cut(&spool, 0, &none, NULL));
	cr_expect_eq(none.size, 0);
	expect_bytes(&spool, 0, 100);
	cr_assert(spool_cut(&spool, 100, &all, NULL));
	cr_expect(is_pattern(all.bytes, 0, 100));
	cr_expect_eq(spool.size, 0);
	cr_assert(add(&spool, 100, 50, NULL));
	expect_bytes(&spool, 100, 50);
	block_free(&none);
	block_free(&all);
	spool_clear(&spool);
}

Test(spool, forgets_its_first_bytes)
{
	struct spool spool = { 0 };

	cr_assert(add(&spool, 0, 1000, NULL));
	spool_drop(&spool, 0);
	expect_bytes(&spool, 0, 1000);
	spool_drop(&spool, 999);
	expect_bytes(&spool, 999, 1);
	cr_assert(add(&spool, 1000, 1000, NULL));
	expect_bytes(&spool, 999, 1001);
	spool_drop(&spool, 1001);
	cr_expect_eq(spool.size, 0);
	cr_assert(add(&spool, 0, 10, NULL));
	expect_bytes(&spool, 0, 10);
	spool_clear(&spool);
}

Test(spool, goes_to_a_file_when_it_is_large)
{
	size_t descriptors = open_descriptors();
	struct spool spool = { 0 };
	struct block block;

	cr_assert(add(&spool, 0, 70 * MEGA, NULL));
	cr_expect(spool.is_file);
	expect_bytes(&spool, 0, 70 * MEGA);
	cr_assert(add(&spool, 70 * MEGA, 5, NULL));
	expect_bytes(&spool, 0, 70 * MEGA + 5);
	cr_assert(spool_cut(&spool, 70 * MEGA, &block, NULL));
	cr_expect_not(spool.is_file);
	expect_bytes(&spool, 70 * MEGA, 5);
	spool_clear(&spool);
	cr_expect_eq(open_descriptors(), descriptors);	/* the mapping is enough */
	cr_expect(is_pattern(block.bytes, 0, 70 * MEGA));
	block_free(&block);
}

Test(spool, may_be_cut_short_while_it_is_in_a_file)
{
	struct spool spool = { 0 };
	struct block block;

	cr_assert(add(&spool, 0, 60 * MEGA, NULL));
	expect_bytes(&spool, 0, 60 * MEGA);
	spool_drop(&spool, 5 * MEGA);
	expect_bytes(&spool, 5 * MEGA, 55 * MEGA);
	cr_assert(spool_cut(&spool, 1000, &block, NULL));
	expect_bytes(&spool, 5 * MEGA + 1000, 55 * MEGA - 1000);
	cr_expect(is_pattern(block.bytes, 5 * MEGA, 1000));
	cr_assert(add(&spool, 60 * MEGA, MEGA, NULL));
	expect_bytes(&spool, 5 * MEGA + 1000, 56 * MEGA - 1000);
	spool_drop(&spool, spool.size);
	cr_expect_eq(spool.size, 0);
	cr_assert(add(&spool, 0, 10, NULL));
	expect_bytes(&spool, 0, 10);
	block_free(&block);
	spool_clear(&spool);
}

/* Blocks that nobody has given back count: all of them together stay in the limit. */
Test(spool, shares_its_memory_with_all_blocks)
{
	enum { BLOCKS = 12 };
	struct block blocks[BLOCKS];
	struct spool spool = { 0 };
	size_t in_memory = 0;

	for (size_t i = 0; i < BLOCKS; i++) {
		cr_assert(add(&spool, i, 8 * MEGA, NULL));
		expect_bytes(&spool, i, 8 * MEGA);
		cr_assert(spool_cut(&spool, 8 * MEGA, &blocks[i], NULL));
		in_memory += blocks[i].is_mapped ? 0 : blocks[i].capacity;
	}
	cr_expect_leq(in_memory, SPOOL_MEMORY);
	cr_expect_geq(in_memory, SPOOL_MEMORY / 2);
	for (size_t i = 0; i < BLOCKS; i++) {
		cr_expect(is_pattern(blocks[i].bytes, i, 8 * MEGA));
		block_free(&blocks[i]);
	}
	cr_assert(add(&spool, 0, 8 * MEGA, NULL));
	cr_expect_not(spool.is_file);	/* there is room again */
	spool_clear(&spool);
}

Test(spool, says_where_it_could_not_make_a_file)
{
	struct spool spool = { 0 };
	struct err err = { 0 };

	setenv("TMPDIR", "/nowhere", 1);
	cr_expect_not(add(&spool, 0, 60 * MEGA, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_str_eq(err.text, "cannot keep the input in /nowhere "
				   "(No such file or directory)");
	cr_expect_gt(spool.size, 16 * MEGA);
	expect_bytes(&spool, 0, spool.size);	/* what came in so far is there */
	setenv("TMPDIR", "", 1);	/* none is as good as the usual one */
	cr_assert(add(&spool, spool.size, 60 * MEGA - spool.size, &err), "%s", err.text);
	expect_bytes(&spool, 0, 60 * MEGA);
	spool_clear(&spool);
}

/* What is no longer than a piece is in memory, whatever is said of files. */
Test(spool, needs_no_file_for_little)
{
	struct spool spool = { 0 };

	setenv("TMPDIR", "/nowhere", 1);
	cr_assert(add(&spool, 0, 16 * MEGA, NULL));
	expect_bytes(&spool, 0, 16 * MEGA);
	spool_clear(&spool);
}

Test(spool, says_when_the_disk_is_full)
{
	const struct rlimit limit = { 50 * MEGA, 50 * MEGA };
	struct spool spool = { 0 };
	struct err err = { 0 };

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cr_expect_not(add(&spool, 0, 60 * MEGA, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_str_eq(err.text, "cannot keep the input in /tmp (File too large)");
	spool_clear(&spool);
}

Test(spool, leaves_no_file_behind)
{
	char place[] = "/tmp/test-spool-XXXXXX";
	struct spool spool = { 0 };

	cr_assert_not_null(mkdtemp(place));
	setenv("TMPDIR", place, 1);
	cr_assert(add(&spool, 0, 60 * MEGA, NULL));
	cr_assert(spool.is_file);
	cr_expect_eq(rmdir(place), 0);	/* nothing is in it */
	expect_bytes(&spool, 0, 60 * MEGA);
	spool_clear(&spool);
}

/* Adds, cuts and drops in any order; in the end all blocks are what they were. */
static void work_at_random(unsigned int seed, size_t large, bool is_file)
{
	enum { BLOCKS = 64 };
	struct block blocks[BLOCKS] = { 0 };
	size_t starts[BLOCKS] = { 0 }, at = 0, end = 0;
	struct spool spool = { 0 };

	srandom(seed);
	for (int step = 0; step < 300; step++) {
		size_t most = random() % 20 ? large / 20 : large, n = (size_t)step % BLOCKS;
		size_t some = (size_t)random() % most;

		if (random() % 2) {
			cr_assert(add(&spool, end, some, NULL));
			end += some;
		}
		some = spool.size ? (size_t)random() % (spool.size + 1) : 0;
		cr_assert(is_pattern(spool_bytes(&spool, NULL), at, spool.size));
		cr_assert_eq(spool.size, end - at);
		cr_assert(!spool.is_file || is_file);
		if (random() % 3 == 0) {
			spool_drop(&spool, some);
		} else {
			some = random() % 4 ? some / 100 : some;
			cr_assert(is_pattern(blocks[n].bytes, starts[n], blocks[n].size));
			block_free(&blocks[n]);
			cr_assert(spool_cut(&spool, some, &blocks[n], NULL));
			starts[n] = at;
		}
		at += some;
	}
	spool_clear(&spool);
	for (size_t n = 0; n < BLOCKS; n++) {
		cr_assert(is_pattern(blocks[n].bytes, starts[n], blocks[n].size));
		block_free(&blocks[n]);
	}
}

Test(spool, keeps_its_bytes_whatever_is_done)
{
	for (unsigned int seed = 0; seed < 20; seed++)
		work_at_random(seed, 20000, false);
}

Test(spool, keeps_its_bytes_with_hardly_any_memory)
{
	struct spool taken = { 0 };
	struct block block;

	/* All but a little is taken by others. */
	cr_assert(add(&taken, 0, 30 * MEGA, NULL));
	cr_assert(spool_bytes(&taken, NULL) && spool_cut(&taken, 30 * MEGA, &block, NULL));
	cr_assert(add(&taken, 0, 16 * MEGA - 100, NULL));
	cr_assert_not(taken.is_file);
	for (unsigned int seed = 0; seed < 5; seed++)
		work_at_random(seed, 300000, true);
	spool_clear(&taken);
	block_free(&block);
}

/* Of a file of which most is no longer needed a new one is made. */
Test(spool, does_not_grow_for_ever)
{
	struct spool spool = { 0 };
	size_t at = 0, end = 60 * MEGA;

	cr_assert(add(&spool, 0, end, NULL));
	for (int i = 0; i < 20; i++) {
		spool_drop(&spool, 8 * MEGA);
		at += 8 * MEGA;
		cr_assert(add(&spool, end, 8 * MEGA, NULL));
		end += 8 * MEGA;
		cr_assert_leq(spool.start, 60 * MEGA);
	}
	cr_expect(spool.is_file);
	expect_bytes(&spool, at, end - at);
	spool_clear(&spool);
}

/* A great many little blocks: more than there may be mappings. */
Test(spool, keeps_little_blocks_in_little_memory)
{
	enum { BLOCKS = 200000, SIZE = 100 };
	struct block *blocks = calloc(BLOCKS, sizeof(*blocks));
	struct spool spool = { 0 };
	size_t capacity = 0;

	for (size_t i = 0; i < BLOCKS; i++) {
		cr_assert(add(&spool, i, SIZE, NULL));
		cr_assert(spool_bytes(&spool, NULL));
		cr_assert(spool_cut(&spool, SIZE, &blocks[i], NULL));
		capacity += blocks[i].capacity;
		cr_assert_not(blocks[i].is_mapped);
	}
	cr_expect_eq(capacity, (size_t)BLOCKS * SIZE);
	for (size_t i = 0; i < BLOCKS; i++) {
		cr_assert(is_pattern(blocks[i].bytes, i, SIZE));
		block_free(&blocks[i]);
	}
	free(blocks);
	spool_clear(&spool);
}
