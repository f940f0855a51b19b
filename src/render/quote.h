/*
 * quote.h - text as a string of JSON: in quotes, with escapes.
 *
 * Quotes, backslashes and control characters below U+0020 are escaped in any case,
 * and halves of surrogate pairs, which UTF-8 cannot hold.
 */
#ifndef RENDER_QUOTE_H
#define RENDER_QUOTE_H

#include "base/buf.h"
#include "base/str.h"

enum quote_style {
	QUOTE_UTF8,	/* nothing else */
	QUOTE_ASCII,	/* all beyond ASCII, and slashes, as the JDK does */
};

void quote_add(struct buf *to, struct str text, enum quote_style style);

/* Makes what stands in `to` from `start` on such a string, in UTF-8. */
void quote_tail(struct buf *to, size_t start);

#endif
