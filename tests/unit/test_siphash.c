#include <criterion/criterion.h>

#include "base/siphash.h"

static const struct siphash_key key = {
	{ UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908) }
};

/* The vectors that its authors publish: the bytes 0, 1, 2 .. of each length. */
Test(siphash, gives_the_published_numbers)
{
	static const struct {
		size_t size;
		uint64_t number;
	} vectors[] = {
		{ 0, UINT64_C(0x726fdb47dd0e0e31) }, { 1, UINT64_C(0x74f839c593dc67fd) },
		{ 7, UINT64_C(0xab0200f58b01d137) }, { 8, UINT64_C(0x93f5f5799a932462) },
		{ 15, UINT64_C(0xa129ca6149be45e5) },
	};
	unsigned char bytes[16];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)i;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		cr_expect_eq(siphash(&key, bytes, vectors[i].size), vectors[i].number,
			     "%zu bytes", vectors[i].size);
}

Test(siphash, depends_on_the_key)
{
	struct siphash_key other = key;

	other.words[1]++;
	cr_expect_neq(siphash(&key, "tea", 3), siphash(&other, "tea", 3));
	cr_expect_neq(siphash(&key, "tea", 3), siphash(&key, "teb", 3));
}
