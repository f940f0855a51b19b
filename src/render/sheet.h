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

/*
 * What the columns that are shown are called: their titles, from the second of the same
 * title on with a number ("Event Type 2"). They live in the arena, with a NUL behind
 * each; NULL without memory.
 */
const struct str *sheet_keys(const struct plan *plan, struct arena *arena);

#define SHEET_NO_COLUMN SIZE_MAX

/*
 * The column that is shown and has this key or, if there is none, this field; case
 * matters only if it makes a difference. Or SHEET_NO_COLUMN.
 */
size_t sheet_column(const struct plan *plan, const struct str *keys, struct str name);

#endif
