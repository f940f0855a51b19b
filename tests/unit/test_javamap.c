#include <criterion/criterion.h>

#include <string.h>

#include "base/javamap.h"
#include "tests/unit/fault.h"

#define KEYS_MAX 20000

static uint32_t hashes[KEYS_MAX], order[KEYS_MAX];

/* The numbers are those of JDK 25, from keys 0, 1 ... with such hash codes. */
static uint32_t by_7(uint32_t i)
{
	return i * 7;
}

static uint32_t by_16(uint32_t i)
{
	return i * 16;
}

static uint32_t by_64(uint32_t i)
{
	return i * 64;
}

static uint32_t by_4096(uint32_t i)
{
	return i * 4096;
}

static uint32_t mixed(uint32_t i)
{
	return i * 37 % 40 * 64 * (i % 3 == 0 ? -1u : 1u);
}

static uint32_t by_1024(uint32_t i)
{
	return i * 91 % 300 * 1024;
}

static uint32_t scattered(uint32_t i)
{
	return (i * 1103515245u + 12345u) & ~0x3fu;
}

static uint32_t masked(uint32_t i)
{
	return (i * 0x9e3779b9u) & 0xfff0fff0u;
}

static uint32_t stirred(uint32_t i)
{
	uint32_t x = i * 0x9e3779b9u;

	x ^= x >> 13;
	return (x * 0x85ebca6bu) & ~7u;
}

/* What comes out as one number. */
static uint32_t order_of(uint32_t (*hash)(uint32_t i), size_t count, bool is_asked)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		hashes[i] = hash(i);
	cr_assert(javamap_order(hashes, count, is_asked, order));
	for (size_t i = 0; i < count; i++)
		sum = 31 * sum + order[i];
	return sum;
}

static void expect_order(uint32_t (*hash)(uint32_t i), const uint32_t *wanted,
			 size_t count)
{
	order_of(hash, count, false);
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(order[i], wanted[i], "%zu: %u, not %u", i, order[i],
			     wanted[i]);
}

#define EXPECT(hash, ...)                                                      \
	expect_order(hash, (const uint32_t[]){ __VA_ARGS__ },                  \
		     sizeof((const uint32_t[]){ __VA_ARGS__ }) /               \
			     sizeof(uint32_t))

/* With thirteen it is full, but grows only when it is asked for one more. */
Test(javamap, grows_when_it_is_asked)
{
	EXPECT(by_7, 0, 7, 5, 12, 3, 10, 1, 8, 6, 4, 11, 2, 9);
	cr_expect_eq(order_of(by_7, 13, false), 2688607960u);
	cr_expect_eq(order_of(by_7, 13, true), 1382098864u);
}

/* Eight in a bucket make it grow, as long as there are less than 64. */
Test(javamap, grows_where_many_share_a_bucket)
{
	EXPECT(by_16, 12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15, 11, 7, 3);
}

Test(javamap, makes_a_tree_where_many_share_a_bucket_of_many)
{
	EXPECT(by_64, 6, 9, 10, 11, 12, 13, 8, 7, 5, 4, 3, 2, 1, 0);
	EXPECT(by_4096, 6, 9, 10, 11, 12, 13, 14, 15, 8, 7, 5, 4, 3, 2, 1, 0, 19, 18,
	       17, 16);
	EXPECT(mixed, 8, 13, 25, 38, 26, 11, 10, 37, 22, 35, 23, 7, 34, 19, 32, 20, 5,
	       4, 31, 16, 29, 17, 2, 1, 28, 14, 0, 18, 21, 24, 15, 27, 12, 39, 9, 36, 6,
	       33, 3, 30);
}

Test(javamap, splits_trees)
{
	cr_expect_eq(order_of(by_1024, 300, false), 2046401902u);
	cr_expect_eq(order_of(scattered, 5000, false), 669030778u);
	cr_expect_eq(order_of(masked, 5000, false), 463035050u);
	cr_expect_eq(order_of(stirred, 20000, false), 3732543862u);
}

/* Java throws dice for these; here each comes out, once. */
Test(javamap, has_keys_with_the_same_hash_code)
{
	bool seen[100] = { false };

	memset(hashes, 0, sizeof(hashes));
	cr_assert(javamap_order(hashes, 100, true, order));
	for (int i = 0; i < 100; i++) {
		cr_assert_lt(order[i], 100);
		cr_expect_not(seen[order[i]]);
		seen[order[i]] = true;
	}
}

Test(javamap, may_be_empty)
{
	cr_expect(javamap_order(hashes, 0, false, order));
	cr_expect(javamap_order(hashes, 0, true, order));
}

Test(javamap, does_without_memory)
{
	bool is_good = false;

	for (size_t n = 1; !is_good && n < 100; n++) {
		fault_at(n);
		is_good = javamap_order(hashes, 20, true, order);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
	}
	cr_expect(is_good);
}
