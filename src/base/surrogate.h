/*
 * surrogate.h - a code point above U+FFFF as the two UTF-16 units it is in Java.
 */
#ifndef BASE_SURROGATE_H
#define BASE_SURROGATE_H

#include <stdint.h>

static inline uint16_t surrogate_high(uint32_t point)
{
	return (uint16_t)(0xd7c0 + (point >> 10));
}

static inline uint16_t surrogate_low(uint32_t point)
{
	return (uint16_t)(0xdc00 | (point & 0x3ff));
}

/* The code point again. */
static inline uint32_t surrogate_join(uint16_t high, uint16_t low)
{
	return 0x10000 + ((high & 0x3ffu) << 10) + (low & 0x3ffu);
}

#endif
