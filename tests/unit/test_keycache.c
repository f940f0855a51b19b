#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>

#include "engine/keycache.h"

static struct keycache cache;

static struct keycache_name name_of(unsigned epoch, unsigned what, uint64_t word)
{
	struct keycache_name name = keycache_name(epoch, what);

	keycache_add(&name, word);
	return name;
}

static uint64_t find(unsigned epoch, unsigned what, uint64_t word)
{
	struct keycache_name name = name_of(epoch, what, word);

	return keycache_find(&cache, &name);
}

static void put(unsigned epoch, unsigned what, uint64_t word, uint64_t key)
{
	struct keycache_name name = name_of(epoch, what, word);

	keycache_put(&cache, &name, key);
}

Test(keycache, finds_what_was_put)
{
	cr_expect_eq(find(1, 2, 3), 0);
	put(1, 2, 3, 77);
	cr_expect_eq(find(1, 2, 3), 77);
	cr_expect_eq(find(1, 2, 4), 0);
	put(1, 2, 3, 78);
	cr_expect(find(1, 2, 3) >= 77);
}

/* The constant may be gone in another epoch. */
Test(keycache, forgets_when_an_epoch_ends)
{
	put(1, 0, 3, 77);
	cr_expect_eq(find(2, 0, 3), 0);
	cr_expect_eq(find(1, 1, 3), 0, "something else of the same number");
	cr_expect_eq(find(1, 0, 3), 77);
}

Test(keycache, takes_the_order_into_account)
{
	struct keycache_name a = keycache_name(1, 1), b = a, c = a;

	keycache_add(&a, 5);
	keycache_add(&a, 6);
	keycache_add(&b, 6);
	keycache_add(&b, 5);
	keycache_add(&c, 5);
	keycache_put(&cache, &a, 9);
	cr_expect_eq(keycache_find(&cache, &a), 9);
	cr_expect_eq(keycache_find(&cache, &b), 0);
	cr_expect_eq(keycache_find(&cache, &c), 0, "one is missing");
}

/* The key of another name is never given; most of what fits is there. */
Test(keycache, holds_many)
{
	size_t found = 0;

	for (uint64_t i = 1; i <= 4 * KEYCACHE_SIZE; i++)
		put(1, 0, i << 4, i);
	for (uint64_t i = 1; i <= 4 * KEYCACHE_SIZE; i++) {
		uint64_t key = find(1, 0, i << 4);

		cr_assert(key == 0 || key == i);
		found += key == i;
	}
	cr_expect_gt(found, KEYCACHE_SIZE / 2);
	cr_expect_leq(found, KEYCACHE_SIZE);
}

#define NAMES 64
#define TURNS 200000

static void *use(void *context)
{
	unsigned seed = (unsigned)(uintptr_t)context;

	for (int i = 0; i < TURNS; i++) {
		uint64_t word = (uint64_t)rand_r(&seed) % (NAMES * KEYCACHE_SIZE);
		uint64_t key = find(1, 0, word);

		if (key && key != word + 1)
			return &cache;
		if (!key)
			put(1, 0, word, word + 1);
	}
	return NULL;
}

Test(keycache, gives_threads_no_keys_of_others)
{
	pthread_t threads[4];
	void *wrong;

	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, use, (void *)(i + 1)), 0);
	for (size_t i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		cr_expect_null(wrong);
	}
}
