/*
 * peek.h - memory of others, which may be gone: sanitizers shall not judge of it.
 *
 * Where it may not be there, it is touched under a guard only (sampler/guard.h).
 */
#ifndef BASE_PEEK_H
#define BASE_PEEK_H

#include <stdint.h>

#define PEEK_UNJUDGED __attribute__((no_sanitize("address", "undefined")))

static inline PEEK_UNJUDGED uintptr_t peek_word(uintptr_t place)
{
	return *(const volatile uintptr_t *)place;
}

static inline PEEK_UNJUDGED int32_t peek_int(uintptr_t place)
{
	return *(const volatile int32_t *)place;
}

static inline PEEK_UNJUDGED unsigned char peek_byte(uintptr_t place)
{
	return *(const volatile unsigned char *)place;
}

static inline PEEK_UNJUDGED void peek_put_word(uintptr_t place, uintptr_t word)
{
	*(volatile uintptr_t *)place = word;
}

#endif
