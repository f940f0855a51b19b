/*
 * digest.h - bytes as one number: equal bytes have equal ones.
 *
 * Others have mostly different ones. With a seed that everybody knows, who writes a file
 * can find bytes of the same number: then the bytes are compared afterwards. With a
 * secret one nobody can but by chance; two secret ones rule that out, too.
 */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A seed that nobody else knows. If the system has no random bytes for us, it is made
 * of the clock and the place, which is anything of which there is one alone.
 */
uint64_t digest_secret(const void *place);

__extension__ typedef unsigned __int128 digest_product;

/*
 * Eight bytes at a time; the order and the place of each matter. Both halves of the
 * product are needed: on the lower one the top bit of a word has hardly any influence.
 * What went before also goes past the multiplication, where a factor of 0 would lose it.
 */
static inline uint64_t digest(const void *bytes, size_t size, uint64_t seed)
{
	const unsigned char *at = (const unsigned char *)bytes;
	uint64_t factor =
		(UINT64_C(0x9fb21c651e98df25) + seed * UINT64_C(0xd1342543de82ef95)) | 1;
	uint64_t number = seed ^ size;

	while (size > 0) {
		size_t taken = size < 8 ? size : 8;
		uint64_t word = 0;
		digest_product product;

		memcpy(&word, at, taken);
		product = (digest_product)(number ^ word) * factor;
		number ^= (uint64_t)product ^ (uint64_t)(product >> 64);
		at += taken;
		size -= taken;
	}
	number *= UINT64_C(0xd6e8feb86659fd93);
	return number ^ number >> 32;
}

static inline uint64_t digest_pair(uint64_t first, uint64_t second)
{
	const uint64_t both[] = { first, second };

	return digest(both, sizeof(both), 0);
}

/* Of a digest so much as an index of a map can hold (base/map.h). */
static inline uint32_t digest_short(uint64_t number)
{
	return (uint32_t)(number >> 1) & 0x7fffffff;
}

#endif
