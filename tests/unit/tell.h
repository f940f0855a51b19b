/*
 * tell.h - what was read, in a line of text that tests compare.
 */
#ifndef UNIT_TELL_H
#define UNIT_TELL_H

#include <stdbool.h>

#include "base/buf.h"
#include "jfr/chunk.h"
#include "jfr/damage.h"

/*
 * "[1 2]": the second values of the chunk's events, "?" for one that cannot be decoded.
 * Damage of walking is added.
 */
void tell_chunk(struct buf *to, const struct chunk *chunk, struct damage *damage);

/* " / cause" for each fault, " / note: cause"; also with its details and place. */
void tell_damage(struct buf *to, const struct damage *damage, bool with_places);

#endif
