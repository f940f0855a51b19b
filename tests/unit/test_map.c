#include <criterion/criterion.h>

#include "base/map.h"

Test(map, finds_nothing_when_empty)
{
	struct map map = { 0 };

	cr_assert_eq(map_find(&map, 0), MAP_NONE);
	cr_assert_eq(map_find(&map, UINT64_MAX), MAP_NONE);
	map_clear(&map);
}

Test(map, takes_any_key)
{
	const uint64_t keys[] = { 0, 1, UINT64_MAX, (uint64_t)INT64_MIN, INT64_MAX };
	struct map map = { 0 };

	for (uint32_t i = 0; i < 5; i++) {
		cr_assert_eq(map_find(&map, keys[i]), MAP_NONE);
		cr_assert(map_put(&map, keys[i], i));
	}
	for (uint32_t i = 0; i < 5; i++)
		cr_assert_eq(map_find(&map, keys[i]), i);
	cr_assert_eq(map.count, 5);
	cr_assert_eq(map_find(&map, 2), MAP_NONE);
	map_clear(&map);
}

Test(map, replaces)
{
	struct map map = { 0 };

	cr_assert(map_put(&map, 7, 1));
	cr_assert(map_put(&map, 7, MAP_NONE - 1));
	cr_assert_eq(map.count, 1);
	cr_assert_eq(map_find(&map, 7), MAP_NONE - 1);
	map_clear(&map);
}

Test(map, does_not_take_the_index_that_means_none)
{
	struct map map = { 0 };

	cr_assert_not(map_put(&map, 7, MAP_NONE));
	cr_assert_eq(map.count, 0);
	map_clear(&map);
}

/* The keys of a run: in a row, by strides, all with the same low bits. */
static void check_stride(uint64_t stride, uint32_t count)
{
	struct map map = { 0 };

	for (uint32_t i = 0; i < count; i++)
		cr_assert(map_put(&map, i * stride, i));
	cr_assert_eq(map.count, count);
	cr_assert_leq(map.count, map.capacity / 4 * 3);
	for (uint32_t i = 0; i < count; i++)
		cr_assert_eq(map_find(&map, i * stride), i);
	for (uint32_t i = count; i < 2 * count; i++)
		cr_assert_eq(map_find(&map, i * stride), MAP_NONE);
	map_clear(&map);
}

Test(map, finds_keys_of_any_pattern)
{
	check_stride(1, 100000);
	check_stride(8, 20000);
	check_stride(UINT64_C(1) << 32, 20000);
	check_stride(UINT64_C(1) << 44, 20000);
	check_stride(UINT64_MAX, 20000);
	check_stride(UINT64_C(0x9e3779b97f4a7c15), 20000);
}

/* Adding one map's keys in the order they lie in must not take quadratic time. */
Test(map, is_filled_from_another_in_its_order, .timeout = 20)
{
	struct map from = { 0 }, to = { 0 };

	for (uint32_t i = 0; i < 300000; i++)
		cr_assert(map_put(&from, i, i));
	for (size_t i = 0; i < from.capacity; i++)
		if (from.slots[i].index != MAP_NONE)
			cr_assert(map_put(&to, from.slots[i].key, from.slots[i].index));
	cr_assert_eq(to.count, 300000);
	for (uint32_t i = 0; i < 300000; i++)
		cr_assert_eq(map_find(&to, i), i);
	map_clear(&from);
	map_clear(&to);
}

Test(map, takes_keys_out)
{
	struct map map = { 0 };

	map_remove(&map, 1);
	for (uint32_t i = 0; i < 10; i++)
		cr_assert(map_put(&map, i, i));
	map_remove(&map, 10);
	cr_expect_eq(map.count, 10);
	map_remove(&map, 3);
	map_remove(&map, 3);
	cr_expect_eq(map.count, 9);
	for (uint32_t i = 0; i < 10; i++)
		cr_expect_eq(map_find(&map, i), i == 3 ? MAP_NONE : i);
	cr_assert(map_put(&map, 3, 33));
	cr_expect_eq(map_find(&map, 3), 33);
	map_clear(&map);
}

/* Few keys in turn, so that many stand behind others: each is put, or taken out. */
Test(map, finds_all_others_when_keys_are_taken_out)
{
	enum { KEYS = 60 };
	bool is_there[KEYS] = { false };
	struct map map = { 0 };
	uint64_t dice = 1;
	size_t count = 0;

	for (int round = 0; round < 20000; round++) {
		uint32_t key;

		dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
		key = (uint32_t)(dice >> 33) % KEYS;
		if (is_there[key])
			map_remove(&map, key);
		else
			cr_assert(map_put(&map, key, key));
		is_there[key] = !is_there[key];
		count += is_there[key] ? 1 : -1;
		cr_assert_eq(map.count, count);
		for (uint32_t i = 0; i < KEYS; i++)
			cr_assert_eq(map_find(&map, i), is_there[i] ? i : MAP_NONE);
	}
	cr_expect_leq(map.capacity, 128);
	map_clear(&map);
}

Test(map, is_usable_after_a_clear)
{
	struct map map = { 0 };

	cr_assert(map_put(&map, 1, 1));
	map_clear(&map);
	cr_assert_eq(map_find(&map, 1), MAP_NONE);
	cr_assert(map_put(&map, 1, 2));
	cr_assert_eq(map_find(&map, 1), 2);
	map_clear(&map);
}
