/*
 * showing.h - a view, or all of them, asked of a recording and written.
 */
#ifndef CMD_SHOWING_H
#define CMD_SHOWING_H

#include <stdbool.h>

#include "cmd/options.h"
#include "cmd/reading.h"
#include "filter/filter.h"
#include "query/subject.h"
#include "query/views.h"
#include "render/grid.h"
#include "render/table.h"

struct showing {
	struct reading *reading;
	const struct views *views;
	struct str word;		/* what was asked for */
	const struct subject *subject;
	struct filter *filter;
	struct layout layout;
	const struct grid_format *format;	/* NULL: as text */
	int limit;			/* rows; -1: as the view says */
	const char *sort;		/* a column; NULL: as the view says */
	const struct option_list *fail_if;
	int threads;
	bool has_held;			/* one of those conditions */
	bool is_untested;		/* none could be looked at as it was meant */
};

/* False: reading->err says why, or a message was written. */
bool showing_run(struct showing *showing);

#endif
