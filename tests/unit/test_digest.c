#include <criterion/criterion.h>

#include "count/digest.h"

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
