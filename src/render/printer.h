/*
 * printer.h - the ways to print events: one table of functions each.
 *
 * To add a format: write its file with one `const struct printer`, name it below
 * and give it an option in cmd/print.c.
 */
#ifndef RENDER_PRINTER_H
#define RENDER_PRINTER_H

#include <stdbool.h>

#include "base/buf.h"
#include "jfr/event.h"

struct columns;
struct pen;

struct print_options {
	int stack_depth;	/* frames shown of a stack trace */
	bool exact;		/* full precision; pretty only */
};

struct printer {
	/* Before the first and behind the last event. */
	void (*begin)(struct buf *to);
	void (*end)(struct buf *to);

	/*
	 * Behind that, of a printer of tables: the names of the columns. It needs
	 * them for each page, too. NULL: it needs none.
	 */
	void (*head)(struct buf *to, const struct columns *columns);

	/* The event of the pen. */
	void (*event)(struct pen *pen);

	/* What stands between two events. */
	const char *between;

	/* What stands before the value of a field, at a depth of indentation. */
	void (*label)(struct buf *to, const struct field *field, bool is_first, int depth);

	int field_depth;	/* the depth of an event's own fields; -1: no labels */

	/* Ordered by time over the whole input, with context; else chunk by chunk. */
	bool by_time;

	/* Its times are made for UTC (input->zone_kind), unless a zone is asked for. */
	bool in_utc;
};

/* For those that have nothing there. */
static inline void printer_add_nothing(struct buf *to)
{
	(void)to;
}

extern const struct printer pretty_printer;
extern const struct printer json_printer;
extern const struct printer ndjson_printer;
extern const struct printer xml_printer;
extern const struct printer csv_printer;

#endif
