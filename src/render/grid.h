/*
 * grid.h - a table of columns and rows of typed cells, as text, CSV, JSON or NDJSON.
 *
 *	grid_begin(&grid, &grid_csv, columns, count, &out);
 *	grid_row(&grid, cells);			one cell for each column
 *	grid_end(&grid);
 *
 * All but text is written row by row. Text waits for the end, as the widths of columns
 * depend on all rows. A column may be for people alone, or for programs alone.
 */
#ifndef RENDER_GRID_H
#define RENDER_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "render/out.h"

/* What a cell holds, and how it is shown. Without a value it is blank, or null. */
enum grid_kind {
	GRID_STRING,	/* text; none: no bytes */
	GRID_INTEGER,	/* number */
	GRID_BYTES,	/* number; to people "1.2 MB" */
	GRID_SHARE,	/* real, a part of one; to people "12.35%" */
	GRID_TIME,	/* number, nanoseconds since 1970; in UTC; none: INT64_MIN */
	GRID_SPAN,	/* number, nanoseconds; to people "12.3 ms"; none: INT64_MIN */
	GRID_READY,	/* text, as it is to stand in the format; none: no bytes */
};

struct grid_column {
	const char *key;	/* what programs call it; NULL: it is not for them */
	const char *title;	/* what people call it; NULL: it is not for them */
	enum grid_kind kind;
	bool is_elastic;	/* cut if the table is too wide; one at most */
};

/* As the column's kind says. */
union grid_cell {
	struct str text;
	int64_t number;
	double real;
};

struct grid;

struct grid_format {
	void (*begin)(struct grid *grid);
	void (*row)(struct grid *grid, const union grid_cell *cells);
	void (*end)(struct grid *grid);
};

/*
 * Text: a line of titles, a line of dashes, and the rows, two spaces between columns;
 * control characters are escaped. CSV: a header row of keys; a row that would be an
 * empty line is "". JSON: an array of objects, one a line, without a line break behind
 * it; where a document goes on is up to the caller. NDJSON: the objects, each a line.
 */
extern const struct grid_format grid_text, grid_csv, grid_json, grid_ndjson;

struct grid {
	size_t width;		/* of text, to be set before; 0: as wide as it gets */
	/* private */
	const struct grid_format *format;
	const struct grid_column *columns;
	size_t column_count;
	struct out *out;
	size_t rows;
	struct buf texts;	/* of cells, for text */
	VEC(struct grid_piece) pieces;
};

/* Columns and out are borrowed until grid_end. A lack of memory is out's failure. */
void grid_begin(struct grid *grid, const struct grid_format *format,
		const struct grid_column *columns, size_t column_count,
		struct out *out);

void grid_row(struct grid *grid, const union grid_cell *cells);

void grid_end(struct grid *grid);

/* The inside of an object of JSON, "key":value and so on, for documents with tables. */
void grid_add_members(struct buf *to, const struct grid_column *columns, size_t count,
		      const union grid_cell *cells);

/*
 * The width to use for a file descriptor: $COLUMNS if that is a number, else that of
 * the terminal, else 120.
 */
size_t grid_width(int fd);

#endif
