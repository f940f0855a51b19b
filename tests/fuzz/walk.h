/*
 * walk.h - reads all that a chunk holds, as a printer would, and forgets it.
 */
#ifndef FUZZ_WALK_H
#define FUZZ_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "unit/make.h"

/* Opens a chunk, loads its constants, decodes them and all events. */
void walk_chunk(const unsigned char *bytes, size_t size);

/*
 * A chunk of the shop's types whose body ends with these bytes, and whose last
 * checkpoint stands `checkpoint` bytes into them; below zero: where the shop's is.
 */
void walk_shop(const uint8_t *data, size_t size, int64_t checkpoint);

#endif
