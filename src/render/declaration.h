/*
 * declaration.h - types of a recording as declarations, the text of `metadata`.
 */
#ifndef RENDER_DECLARATION_H
#define RENDER_DECLARATION_H

#include <stdbool.h>

#include "base/buf.h"
#include "jfr/metadata.h"

/* Appends one type; with its ids in comments if asked. */
void declaration_write(struct buf *to, const struct type *type, bool with_ids);

/*
 * The order of the JDK: plain types, annotations, settings, events; within them by
 * package, then name. <0, 0, >0.
 */
int declaration_compare(const struct type *a, const struct type *b);

#endif
