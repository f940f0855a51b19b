/*
 * standin.h - constants in place of missing ones that the JDK cannot do without.
 *
 * What refers to a constant that is not there refers to null, for the JDK's readers as
 * for us. But they do not expect that everywhere: a frame must have a method, a method
 * a class and a descriptor, a class a name; else they stop at the first event they come
 * to with such a stack trace. Constants that lack these are written with the key of a
 * stand-in instead, which is called "<unknown>". It has a key of its own: the JDK
 * carries constants on to the next chunk (format.md 9), where the missing one may be.
 *
 * Only reads the chunk; for one thread.
 */
#ifndef COPY_STANDIN_H
#define COPY_STANDIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "copy/accept.h"
#include "jfr/chunk.h"
#include "jfr/pool.h"

enum standin_kind {
	STANDIN_METHOD,
	STANDIN_CLASS,
	STANDIN_NAME,
	STANDIN_DESCRIPTOR,
	STANDIN_COUNT,
};

#define STANDIN_PATCHES_MAX 2	/* references that one constant must have */

/* A constant that is looked at, or written: what its references become. */
struct standin_patch {
	bool has_frames;		/* any reference to a method is needed */
	uint32_t at;			/* references met so far */
	struct {
		uint32_t at;
		enum standin_kind kind;
	} items[STANDIN_PATCHES_MAX];
	uint32_t count;
};

struct standin {
	const struct chunk *chunk;
	const struct type *types[STANDIN_COUNT];	/* NULL: there can be none */
	uint64_t keys[STANDIN_COUNT];
	bool is_needed[STANDIN_COUNT];
	struct standin_patch patch;
};

/* Looks through all constants; the chunk's pools must be loaded. */
void standin_open(struct standin *standin, const struct chunk *chunk,
		  const struct accept *accept);

/* True if any is needed. */
bool standin_is_needed(const struct standin *standin);

/*
 * The constant comes next: standin_key is then asked for each reference in it, in
 * order, and gives the key to write, in most cases the same.
 */
void standin_begin(struct standin *standin, const struct type *type,
		   const struct constant *constant);
uint64_t standin_key(struct standin *standin, const struct type *type, uint64_t key);

/* Appends the value of a stand-in itself. */
void standin_add(const struct standin *standin, enum standin_kind kind, struct buf *to);

#endif
