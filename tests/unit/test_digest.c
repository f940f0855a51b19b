#include <criterion/criterion.h>

#include "base/digest.h"

Test(digest, is_the_same_for_the_same_bytes)
{
	char bytes[64] = "", other[65] = "";

	for (size_t size = 0; size <= sizeof(bytes); size++) {
		memset(bytes, 'x', size);
		memset(other + 1, 'x', size);
		cr_expect_eq(digest(bytes, size, 5), digest(other + 1, size, 5));
	}
}

/* Every bit of it matters, and how many bytes there are. */
Test(digest, differs_for_others)
{
	unsigned char bytes[24] = { 0 };

	for (size_t size = 1; size <= sizeof(bytes); size++) {
		uint64_t own = digest(bytes, size, 0);

		cr_expect_neq(digest(bytes, size - 1, 0), own);
		cr_expect_neq(digest(bytes, size, 1), own);
		for (size_t bit = 0; bit < 8 * size; bit++) {
			bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
			cr_expect_neq(digest(bytes, size, 0), own);
			bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		}
	}
}

/* The top bit of a word, and the bits that would take back what it does. */
Test(digest, is_not_fooled_by_top_bits)
{
	static const char text[] = "four and twenty blackbirds";
	char other[sizeof(text)];

	for (size_t at = 7; at + 8 < sizeof(text); at += 8) {
		memcpy(other, text, sizeof(text));
		other[at] ^= '\x80';
		other[at + 4] ^= '\x80';
		other[at + 8] ^= '\x80';
		for (uint64_t seed = 0; seed < 1000; seed++)
			cr_expect_neq(digest(text, sizeof(text), seed),
				      digest(other, sizeof(text), seed));
	}
}

/* A word that makes a factor 0 hides nothing of what follows, nor the seed. */
Test(digest, is_not_stopped_by_a_factor_of_zero)
{
	for (uint64_t seed = 0; seed < 100; seed++) {
		uint64_t words[2] = { seed ^ sizeof(words), 1 };
		uint64_t one = digest(words, sizeof(words), seed);

		cr_expect_neq(one, digest(words, sizeof(words), seed + 1));
		words[1] = 2;
		cr_expect_neq(one, digest(words, sizeof(words), seed));
	}
}

Test(digest, has_secrets_that_differ)
{
	int place = 0;

	cr_expect_neq(digest_secret(&place), digest_secret(&place));
}

Test(digest, of_a_pair_tells_which_is_first)
{
	cr_expect_eq(digest_pair(1, 2), digest_pair(1, 2));
	cr_expect_neq(digest_pair(1, 2), digest_pair(2, 1));
	cr_expect_neq(digest_pair(0, 0), digest_pair(0, 1));
	cr_expect_neq(digest_pair(0, 0), digest_pair(1, 0));
}

Test(digest, is_short_enough_for_a_map)
{
	cr_expect_eq(digest_short(UINT64_MAX), UINT32_MAX >> 1);
	cr_expect_eq(digest_short(UINT64_C(1) << 31), UINT32_C(1) << 30);
	cr_expect_eq(digest_short(UINT64_C(1) << 32), 0);
}
