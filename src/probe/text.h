/*
 * text.h - names of classes and methods: their hashes, and copies of them.
 */
#ifndef PROBE_TEXT_H
#define PROBE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/siphash.h"
#include "base/str.h"

/* Of several texts: the hash of the one before is the seed. */
static inline uint64_t text_hash(uint64_t seed, struct str text)
{
	struct siphash_key key = { { seed, 0 } };

	return siphash(&key, text.bytes, text.size);
}

/* False without memory. No text becomes an empty one. */
static inline bool text_copy(struct str *to, struct arena *arena, struct str from)
{
	*to = (struct str){ arena_copy(arena, from.bytes ? from.bytes : "", from.size),
			    from.size };
	return to->bytes != NULL;
}

#endif
