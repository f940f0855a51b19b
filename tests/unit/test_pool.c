#include <criterion/criterion.h>

#include "jfr/pool.h"

static const uint64_t keys[] = { 0,	    1,	       UINT64_MAX,
				 1u << 31,  INT64_MAX, (uint64_t)INT64_MIN,
				 UINT32_MAX };

#define KEYS (sizeof(keys) / sizeof(keys[0]))

Test(pool, finds_nothing_where_nothing_is)
{
	struct pool pool = { 0 };

	cr_expect_eq(pool_find(NULL, 0), MAP_NONE);
	cr_expect_eq(pool_find(&pool, 0), MAP_NONE);
	cr_expect_eq(pool_find(&pool, UINT64_MAX), MAP_NONE);
	pool_clear(&pool);
}

Test(pool, finds_constants_by_any_key)
{
	static const unsigned char bytes[KEYS] = { 0 };
	struct pool pool = { 0 };

	for (size_t i = 0; i < KEYS; i++)
		cr_assert(pool_add(&pool, (struct constant){ keys[i], bytes + i, 1 }));
	for (size_t i = 0; i < KEYS; i++) {
		cr_expect_eq(pool_find(&pool, keys[i]), i);
		cr_expect_eq(pool_cursor(&pool, (uint32_t)i).at, bytes + i);
		cr_expect_eq(pool_cursor(&pool, (uint32_t)i).end, bytes + i + 1);
	}
	cr_expect_eq(pool_find(&pool, 2), MAP_NONE);
	pool_clear(&pool);
}

Test(pool, lets_the_constant_added_last_count)
{
	static const unsigned char bytes[] = "ab";
	struct pool pool = { 0 };

	cr_assert(pool_add(&pool, (struct constant){ 7, bytes, 1 }));
	cr_assert(pool_add(&pool, (struct constant){ 7, bytes + 1, 1 }));
	cr_expect_eq(*pool_cursor(&pool, pool_find(&pool, 7)).at, 'b');
	pool_clear(&pool);
}

Test(pool, holds_many)
{
	struct pool pool = { 0 };

	for (uint64_t key = 0; key < 100000; key++)
		cr_assert(pool_add(&pool, (struct constant){ .key = key * 4096 }));
	for (uint64_t key = 0; key < 100000; key++)
		cr_assert_eq(pool_find(&pool, key * 4096), key);
	pool_clear(&pool);
}
