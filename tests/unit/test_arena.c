#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "fault.h"

static bool is_zero(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

Test(arena, gives_zeroed_aligned_memory_of_any_size)
{
	struct arena arena = { 0 };

	for (size_t size = 0; size < 5000; size += 7) {
		unsigned char *memory = arena_alloc(&arena, size);

		cr_assert_not_null(memory);
		cr_assert_eq((uintptr_t)memory % 16, 0);
		cr_assert(is_zero(memory, size));
		memset(memory, 0xff, size);
	}
	arena_clear(&arena);
}

Test(arena, keeps_objects_apart)
{
	struct arena arena = { 0 };
	unsigned char *objects[300];

	for (size_t i = 0; i < 300; i++) {
		objects[i] = arena_alloc(&arena, i * 37);
		memset(objects[i], (int)(i % 251), i * 37);
	}
	for (size_t i = 0; i < 300; i++)
		for (size_t j = 0; j < i * 37; j++)
			cr_assert_eq(objects[i][j], i % 251);
	arena_clear(&arena);
}

Test(arena, gives_objects_larger_than_a_block)
{
	struct arena arena = { 0 };
	unsigned char *small = arena_alloc(&arena, 16);
	unsigned char *large = arena_alloc(&arena, 3 << 20);

	cr_assert(is_zero(large, 3 << 20));
	memset(large, 1, 3 << 20);
	cr_assert(is_zero(small, 16));

	/* What was left of the block before it is still used. */
	cr_assert_eq((unsigned char *)arena_alloc(&arena, 16), small + 16);
	arena_clear(&arena);
}

Test(arena, counts_what_it_gave)
{
	struct arena arena = { 0 };

	arena_alloc(&arena, 1);
	cr_assert_eq(arena.taken, 16);
	arena_alloc(&arena, 32);
	cr_assert_eq(arena.taken, 48);
	arena_reset(&arena);
	cr_assert_eq(arena.taken, 0);
	arena_clear(&arena);
}

Test(arena, keeps_to_its_limit)
{
	struct arena arena = { .limit = 100 };

	cr_assert_not_null(arena_alloc(&arena, 64));
	cr_assert_null(arena_alloc(&arena, 64));
	cr_assert_not_null(arena_alloc(&arena, 32));
	cr_assert_null(arena_alloc(&arena, 0));
	arena_reset(&arena);
	cr_assert_not_null(arena_alloc(&arena, 64));
	arena.limit = 10;
	cr_assert_null(arena_alloc(&arena, 1));
	arena_clear(&arena);
}

Test(arena, remembers_that_it_gave_nothing_and_why)
{
	struct arena arena = { .limit = 100 };

	arena_alloc(&arena, 96);
	cr_expect_not(arena.failed || arena.is_full);
	arena_alloc(&arena, 1);
	cr_expect(arena.failed && arena.is_full);
	arena_reset(&arena);
	cr_expect_not(arena.failed || arena.is_full);
	arena_alloc(&arena, 1);
	cr_expect_not(arena.failed);
	arena_array(&arena, SIZE_MAX, 2);
	cr_expect(arena.failed);
	cr_expect_not(arena.is_full);
	arena_alloc(&arena, 1); /* what comes later does not undo it */
	cr_expect(arena.failed);
	arena_clear(&arena);
	cr_expect_not(arena.failed || arena.is_full);
	arena_copy(&arena, "x", SIZE_MAX);
	cr_expect(arena.failed);
	arena_clear(&arena);
}

Test(arena, tells_lack_of_memory_from_its_limit)
{
	struct arena arena = { .limit = 1 << 20 };

	fault_at(1);
	cr_expect_null(arena_alloc(&arena, 8));
	fault_at(0);
	cr_expect(arena.failed);
	cr_expect_not(arena.is_full);
	arena_clear(&arena);
}

Test(arena, refuses_impossible_sizes)
{
	struct arena arena = { 0 };

	cr_assert_null(arena_alloc(&arena, SIZE_MAX));
	cr_assert_null(arena_alloc(&arena, SIZE_MAX - 15));
	cr_assert_null(arena_alloc(&arena, SIZE_MAX / 2));
	cr_assert_null(arena_array(&arena, SIZE_MAX / 8, 16));
	cr_assert_null(arena_array(&arena, SIZE_MAX, SIZE_MAX));
	cr_assert_null(arena_copy(&arena, "x", SIZE_MAX));
	cr_assert_eq(arena.taken, 0);
	cr_assert_not_null(arena_array(&arena, 0, 16));
	cr_assert_not_null(arena_array(&arena, 16, 0));
	arena_clear(&arena);
}

Test(arena, copies_with_a_nul_behind)
{
	struct arena arena = { 0 };
	char *copy = arena_copy(&arena, "sixteen letters!and more", 16);

	cr_assert_str_eq(copy, "sixteen letters!");
	cr_assert_str_eq(arena_copy(&arena, NULL, 0), "");
	arena_clear(&arena);
}

Test(arena, gives_zeroed_memory_after_a_reset)
{
	struct arena arena = { 0 };

	for (int round = 0; round < 4; round++) {
		for (size_t i = 0; i < 200; i++) {
			unsigned char *memory = arena_alloc(&arena, 1000);

			cr_assert(is_zero(memory, 1000));
			memset(memory, 0xff, 1000);
		}
		memset(arena_alloc(&arena, 1 << 20), 0xff, 1 << 20);
		arena_reset(&arena);
		cr_assert_not_null(arena.blocks);
	}
	arena_clear(&arena);
}

Test(arena, is_usable_after_a_clear)
{
	struct arena arena = { 0 };

	arena_reset(&arena);
	arena_clear(&arena);
	cr_assert_not_null(arena_alloc(&arena, 8));
	arena_clear(&arena);
	arena_clear(&arena);
	cr_assert_null(arena.blocks);
	cr_assert_not_null(arena_alloc(&arena, 8));
	arena_clear(&arena);
}
