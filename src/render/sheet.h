/*
 * sheet.h - the results of views as documents for programs (cjfr-format(5)).
 *
 *	sheet_begin(&sheet, &grid_json, false, &out);
 *	sheet_view(&sheet, &view);
 *	sheet_end(&sheet);
 *
 * Formats are those of grid.h, but for text. CSV and JSON of one view have exactly one
 * sheet_view; CSV cannot have several. A lack of memory is out's failure.
 */
#ifndef RENDER_SHEET_H
#define RENDER_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "query/result.h"
#include "render/grid.h"
#include "render/out.h"

/* Of what cjfr-format(5) says, the version that is written. */
#define SHEET_VERSION "1"

struct sheet {
	/* private */
	const struct grid_format *format;
	bool has_several;
	struct out *out;
	size_t views;
};

struct sheet_view {
	struct str name;		/* "gc" */
	struct str title;		/* bytes NULL: none */
	const struct result *result;	/* NULL: the recording lacks what it needs */
	struct str missing;		/* then: what it lacks */
};

/* `has_several`: there may be any number of views. Out is borrowed until sheet_end. */
void sheet_begin(struct sheet *sheet, const struct grid_format *format,
		 bool has_several, struct out *out);

void sheet_view(struct sheet *sheet, const struct sheet_view *view);

void sheet_end(struct sheet *sheet);

#endif
