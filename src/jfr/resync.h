/*
 * resync.h - where events go on behind a broken one.
 *
 * Nothing marks the beginning of an event. A place is taken for one if a type is known
 * there, the event fits its fields to the byte, began while the chunk was written,
 * and another such event or the end of the chunk follows.
 */
#ifndef JFR_RESYNC_H
#define JFR_RESYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jfr/chunk.h"

/* What searching may cost, in bytes looked at: the work on hostile input is bounded. */
#define RESYNC_EFFORT(size) ((uint64_t)(size) * 32 + 65536)

/*
 * The next place from `at` on where an event may begin, or the size of the chunk.
 * Takes from *effort; with none left it finds nothing.
 */
size_t resync_find(const struct chunk *chunk, size_t at, uint64_t *effort);

/* True if an event may begin there, and is whole. */
bool resync_is_event(const struct chunk *chunk, size_t at, uint64_t *effort);

#endif
