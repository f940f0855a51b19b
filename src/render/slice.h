/*
 * slice.h - a text that is taken piece by piece, as Java's substring cuts it.
 *
 *	struct slice rest = slice_of(text);
 *	slice_take(&rest, 80, &line);		the first 80 units
 *
 * Pieces are counted in UTF-16 units, so a pair of surrogates may be cut in two. Each
 * half is a surrogate on its own then, in three bytes as in base/utf.h, and comes out
 * as `?`.
 */
#ifndef RENDER_SLICE_H
#define RENDER_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

struct slice {
	struct str rest;
	uint16_t low;		/* stands before the rest: of a pair cut in two; or 0 */
};

static inline struct slice slice_of(struct str text)
{
	return (struct slice){ .rest = text };
}

static inline bool slice_is_over(const struct slice *slice)
{
	return slice->rest.size == 0 && slice->low == 0;
}

/*
 * Takes that many units off the front, or all that are left. Appends them to `to`, if
 * it is not NULL, and says how many they are.
 */
size_t slice_take(struct slice *slice, size_t units, struct buf *to);

#endif
