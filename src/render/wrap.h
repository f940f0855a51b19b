/*
 * wrap.h - the text of a query, broken into lines (jfr-tool.md 5.9).
 */
#ifndef RENDER_WRAP_H
#define RENDER_WRAP_H

#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"

/*
 * Appends the text in lines of that many UTF-16 units, at least one; the last one ends,
 * too. Lines are broken at blanks, in front of `=` and `,` and behind them, but not
 * inside of quotes; what is longer than a line is broken anywhere.
 */
void wrap_add(struct buf *to, struct str text, size_t width);

#endif
