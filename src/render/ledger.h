/*
 * ledger.h - an inventory as text, CSV or JSON.
 */
#ifndef RENDER_LEDGER_H
#define RENDER_LEDGER_H

#include <stddef.h>

#include "count/inventory.h"
#include "render/grid.h"
#include "render/out.h"

/*
 * Text: what the JDK's `jfr summary` prints; with chunks or pools, their tables instead
 * of that of the events, cut to `width` (0: not at all). CSV: one table, the first of
 * pools, chunks and events that is wanted. JSON: a document with all of it.
 */
void ledger_write(const struct inventory *inventory, const struct grid_format *format,
		  size_t width, struct out *out);

#endif
