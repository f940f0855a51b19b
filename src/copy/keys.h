/*
 * keys.h - keys by which readers tell threads, classes and class loaders apart.
 *
 * The JDK's views take two of these for the same if they have the same key, whatever
 * chunk they are from. So where recordings are merged, those of another run get other
 * keys: a thread one of its own; a class or class loader that of the same one in another
 * run, if there is one with the same name and all (sense.h). The first run keeps its
 * keys, unless they come to mean another class.
 */
#ifndef COPY_KEYS_H
#define COPY_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "copy/sense.h"
#include "jfr/chunk.h"

/* A zeroed struct is a valid one that has given no keys. */
struct keys {
	struct map known;		/* from what it is to a place in `given` */
	struct map owners;		/* from a key to a hash of what it is */
	VEC(uint64_t) given;
	uint64_t fresh;			/* keys that were made up */
	/* Of the chunk: */
	const struct chunk *chunk;
	uint64_t **now;			/* by type index and constant; NULL: they stay */
};

/* Finds the keys for a chunk of this run; run 0 is the first. False without memory. */
bool keys_settle(struct keys *keys, const struct sense *sense, uint32_t run);

/* True if any keys of the type change in this chunk. */
bool keys_has(const struct keys *keys, const struct type *type);

/* What the key of such a type becomes; 0, which is null, if there is no constant. */
uint64_t keys_get(const struct keys *keys, const struct type *type, uint64_t key);

/* Nothing is known of the chunk any more, which may be closed. */
void keys_release(struct keys *keys);

void keys_clear(struct keys *keys);

#endif
