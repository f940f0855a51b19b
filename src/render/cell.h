/*
 * cell.h - text as a cell of CSV.
 *
 * In quotes where it has to be, and where readers may otherwise change it: when it is
 * empty, so that it is told apart from nothing at all, and with blanks at its ends.
 */
#ifndef RENDER_CELL_H
#define RENDER_CELL_H

#include "base/buf.h"
#include "base/str.h"

#define CELL_SEPARATOR ','

/* Makes what stands in `to` from `start` on such a cell. */
void cell_tail(struct buf *to, size_t start);

/* In UTF-8; halves of surrogate pairs become `?`. Nothing for no text at all. */
void cell_csv(struct buf *to, struct str text);

#endif
