/*
 * digest.h - bytes as one number: equal bytes have equal ones.
 *
 * Others have mostly different ones, but who writes a file can find some that have not:
 * either the bytes are compared afterwards, or the seed is a secret.
 */
#ifndef COUNT_DIGEST_H
#define COUNT_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight bytes at a time; the order and the place of each matter. */
static inline uint64_t digest(const void *bytes, size_t size, uint64_t seed)
{
	const unsigned char *at = (const unsigned char *)bytes;
	uint64_t number = seed ^ size;

	while (size > 0) {
		size_t taken = size < 8 ? size : 8;
		uint64_t word = 0;

		memcpy(&word, at, taken);
		number = (number ^ word) * UINT64_C(0x9fb21c651e98df25);
		number ^= number >> 32;
		at += taken;
		size -= taken;
	}
	number *= UINT64_C(0xd6e8feb86659fd93);
	return number ^ number >> 32;
}

#endif
