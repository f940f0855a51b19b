#include <criterion/criterion.h>

#include "base/vec.h"

struct pair {
	int a;
	double b;
};

Test(vec, keeps_what_is_pushed_in_order)
{
	VEC(int) numbers = { 0 };

	for (int i = 0; i < 10000; i++)
		cr_assert(vec_push(&numbers, i * 3));
	cr_assert_eq(numbers.count, 10000);
	cr_assert_leq(numbers.count, numbers.capacity);
	for (size_t i = 0; i < numbers.count; i++)
		cr_assert_eq(numbers.items[i], (int)i * 3);
	vec_clear(&numbers);
}

Test(vec, holds_structs)
{
	VEC(struct pair) pairs = { 0 };
	struct pair pair = { 1, 2.5 };

	cr_assert(vec_push(&pairs, pair));
	cr_assert(vec_push(&pairs, ((struct pair){ 3, 4.5 })));
	cr_assert_eq(pairs.items[0].b, 2.5);
	cr_assert_eq(pairs.items[1].a, 3);
	vec_clear(&pairs);
}

Test(vec, is_empty_and_usable_after_a_clear)
{
	VEC(char) bytes = { 0 };

	vec_clear(&bytes);
	cr_assert(vec_push(&bytes, 'x'));
	vec_clear(&bytes);
	cr_assert_null(bytes.items);
	cr_assert_eq(bytes.count, 0);
	cr_assert(vec_push(&bytes, 'y'));
	cr_assert_eq(bytes.items[0], 'y');
	vec_clear(&bytes);
}

Test(vec, stays_as_it_was_when_it_cannot_grow)
{
	int one = 1;
	size_t capacity = SIZE_MAX / 4;

	cr_assert_null(vec_grow(&one, &capacity, 1024));
	cr_assert_eq(capacity, SIZE_MAX / 4);
	cr_assert_eq(one, 1);
}
