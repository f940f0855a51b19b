/*
 * siphash.h - a number for bytes that nobody can guess who does not know the key.
 *
 * SipHash-2-4 (Aumasson and Bernstein): the same bytes have the same number under the same
 * key, and without the key it tells nothing of the bytes, not even to those who try all
 * that they might be.
 */
#ifndef BASE_SIPHASH_H
#define BASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct siphash_key {
	uint64_t words[2];
};

uint64_t siphash(const struct siphash_key *key, const void *bytes, size_t size);

#endif
