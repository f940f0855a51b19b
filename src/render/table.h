/*
 * table.h - a result as the table that JDK 25's `jfr view` shows (jfr-tool.md 5.8).
 */
#ifndef RENDER_TABLE_H
#define RENDER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "query/result.h"
#include "render/out.h"

/* How tables and forms are laid out. */
struct layout {
	struct str title;	/* bytes NULL: none */
	int width;		/* 0: what suits the content */
	enum truncation truncation;	/* TRUNCATE_DEFAULT: as the columns say */
	int cell_height;	/* 0: as the columns say */
	bool is_verbose;	/* symbolic names below the titles of columns */
};

/*
 * Writes the table, or that there is nothing to show. The width it has, 0 if nothing is
 * shown. A lack of memory is out's failure. No text of a cell is kept, however many
 * rows there are: it is made for its width, and again for its row.
 */
size_t table_write(const struct result *result, const struct layout *layout,
		   struct out *out);

/* Tells that there are no events, if there is a title. */
void table_write_nothing(const struct layout *layout, struct out *out);

#endif
