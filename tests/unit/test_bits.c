#include <criterion/criterion.h>

#include "base/bits.h"

Test(bits, has_what_was_set)
{
	uint64_t words[3] = { 0 };

	cr_assert_eq(bits_words(130), 3);
	cr_expect_eq(bits_words(0), 1);
	bits_set(words, 0);
	bits_set(words, 63);
	bits_set(words, 64);
	bits_set(words, 129);
	bits_set(words, 129);
	for (size_t i = 0; i < 192; i++)
		cr_expect_eq(bits_has(words, i),
			     i == 0 || i == 63 || i == 64 || i == 129, "%zu", i);
}
