/*
 * keycache.h - keys of constants that are asked for again and again, without a lock.
 *
 *	struct keycache_name name = keycache_name(epoch, WHAT);
 *
 *	keycache_add(&name, frames[0].method);		whatever the constant is made of
 *	key = keycache_find(&cache, &name);
 *	if (!key) {
 *		key = ... constants_intern ...;
 *		keycache_put(&cache, &name, key);
 *	}
 *
 * A name is a fingerprint of 128 bits: two that are not the same are taken for different
 * things, two that are for the same one. The epoch is in it, so that a key is found only
 * in the epoch in which it was asked of constants.h, and needs no touch in that.
 *
 * It forgets whenever it likes. A zeroed struct is valid and empty. Any thread, no lock;
 * async-signal-safe.
 */
#ifndef ENGINE_KEYCACHE_H
#define ENGINE_KEYCACHE_H

#include <stdatomic.h>
#include <stdint.h>

#define KEYCACHE_SIZE 8192		/* a power of 2 */

struct keycache_entry {
	atomic_uint_fast64_t turn;	/* odd while it is being written */
	atomic_uint_fast64_t a, b, key;
};

struct keycache {
	struct keycache_entry entries[KEYCACHE_SIZE];
};

struct keycache_name {
	uint64_t a, b;
};

static inline void keycache_add(struct keycache_name *name, uint64_t word)
{
	name->a = (name->a ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	name->a ^= name->a >> 29;
	name->b = (name->b + word) * UINT64_C(0xd6e8feb86659fd93);
	name->b = (name->b << 31 | name->b >> 33) ^ name->a;
}

static inline struct keycache_name keycache_name(unsigned epoch, unsigned what)
{
	struct keycache_name name = { 1, 2 };

	keycache_add(&name, (uint64_t)what << 32 | epoch);
	return name;
}

/* 0: it is not there. */
uint64_t keycache_find(struct keycache *cache, const struct keycache_name *name);

void keycache_put(struct keycache *cache, const struct keycache_name *name,
		  uint64_t key);

#endif
