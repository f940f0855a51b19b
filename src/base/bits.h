/*
 * bits.h - a set of small numbers: a bit for each, in words that are the caller's.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words for numbers below count; one at least. */
static inline size_t bits_words(size_t count)
{
	return count / 64 + 1;
}

static inline bool bits_has(const uint64_t *words, size_t number)
{
	return words[number / 64] >> number % 64 & 1;
}

static inline void bits_set(uint64_t *words, size_t number)
{
	words[number / 64] |= UINT64_C(1) << number % 64;
}

#endif
