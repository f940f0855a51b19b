/*
 * roster.h - a list of names in columns (jfr-tool.md 5.9).
 */
#ifndef RENDER_ROSTER_H
#define RENDER_ROSTER_H

#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"

/*
 * Sorts the texts, and appends them column by column, without a line break at the end.
 * As in the JDK, what is behind the first gap is missing: columns are filled to the
 * height of the first one, and where one ends early the last row ends.
 */
void roster_add(struct buf *to, struct str *texts, size_t count, size_t columns);

#endif
