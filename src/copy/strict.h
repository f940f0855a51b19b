/*
 * strict.h - whether the JDK's own readers take the checkpoints of a chunk as they are.
 */
#ifndef COPY_STRICT_H
#define COPY_STRICT_H

#include <stdbool.h>

#include "copy/accept.h"
#include "jfr/chunk.h"

/*
 * True if the chain of checkpoints that the header leads to is whole, and each of them
 * is filled to its end by pools of declared types that have constants. The pools must
 * be loaded. A chunk without checkpoints may be only the first of its file.
 */
bool strict_checkpoints(const struct chunk *chunk, const struct accept *accept,
			bool is_first);

#endif
