/*
 * rows.h - results of views, made by hand, and what is written of them.
 *
 *	static const struct column columns[] = { TEXT_COLUMN("name", "Name"), ... };
 *	static const rows_row items[] = { { CELL_TEXT("apple"), CELL_INT(30) }, ... };
 *	static const struct rows rows = ROWS(columns, items);
 *
 *	WRITES(table_write, &rows, &layout, "Name ...");
 *	rows_survive(table_write, &rows, &layout);
 */
#ifndef UNIT_ROWS_H
#define UNIT_ROWS_H

#include "render/table.h"

#define ROWS_CELLS 8			/* of a row, at most */

typedef struct datum rows_row[ROWS_CELLS];

/* The plan is made of copies of the columns, with "N/A", one line and so on. */
struct rows {
	const struct column *columns;
	size_t column_count;
	size_t visible_count;		/* 0: all */
	const rows_row *items;
	size_t count;
	size_t limit;			/* 0: none */
	bool is_experimental;		/* the event type they come from */
};

#define ROWS(columns_, items_, ...)                                            \
	{ .columns = (columns_),                                               \
	  .column_count = sizeof(columns_) / sizeof((columns_)[0]),            \
	  .items = (items_), .count = sizeof(items_) / sizeof((items_)[0]),    \
	  __VA_ARGS__ }

#define TEXT_COLUMN(name_, title_, ...)                                        \
	{ .name = STR(name_), .title = STR(title_), .is_left = true,           \
	  .is_lexical = true, __VA_ARGS__ }
#define NUMBER_COLUMN(name_, title_, ...)                                      \
	{ .name = STR(name_), .title = STR(title_), .is_fixed = true,          \
	  .is_integral = true, __VA_ARGS__ }

/* A text in a thing; STR would be no constant there. */
#define STR_IN(literal) { (literal), sizeof(literal) - 1 }

#define CELL_INT(number_) { .kind = DATUM_INT, .number = (number_) }
#define CELL_THING(...)                                                        \
	{ .kind = DATUM_THING, .thing = &(const struct thing){ __VA_ARGS__ } }
#define CELL_TEXT(text_) CELL_THING(.kind = THING_TEXT, .text = STR_IN(text_))
#define CELL_LIST(list_) { .kind = DATUM_LIST, .list = (list_) }

/* What writes a result: table_write, form_write. */
typedef size_t rows_writer(const struct result *result, const struct layout *layout,
			   struct out *out);

/* Writes it, terminated by a NUL; the width it has. The caller clears the buffer. */
size_t rows_write(rows_writer *writer, const struct rows *rows,
		  const struct layout *layout, struct buf *text);

/* Fails the test if the text is not the wanted one. */
void rows_compare(rows_writer *writer, const struct rows *rows,
		  const struct layout *layout, const char *wanted, int line);

#define WRITES(writer, rows, layout, wanted)                                   \
	rows_compare(writer, rows, layout, wanted, __LINE__)

/* Writes it again and again, each time with another request for memory refused. */
void rows_survive(rows_writer *writer, const struct rows *rows,
		  const struct layout *layout);

#endif
