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

struct standin {
	const struct chunk *chunk;
	const struct type *types[STANDIN_COUNT];	/* NULL: there can be none */
	uint64_t keys[STANDIN_COUNT];
	bool is_needed[STANDIN_COUNT];
};

/* Looks through all constants; the chunk's pools must be loaded. */
void standin_open(struct standin *standin, const struct chunk *chunk,
		  const struct accept *accept);

/* True if any is needed. */
bool standin_is_needed(const struct standin *standin);

/*
 * Appends the value of a constant of this type, with stand-ins for what it lacks; in
 * most cases that is the value as it is.
 */
void standin_value(const struct standin *standin, const struct type *type,
		   const struct constant *constant, struct buf *to);

/* Appends the value of a stand-in itself. */
void standin_add(const struct standin *standin, enum standin_kind kind, struct buf *to);

#endif
