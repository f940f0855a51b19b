/*
 * heading.h - what the columns that are shown are called, each by a name of its own.
 *
 * That is the title; from the second of the same title on it has a number behind it:
 * "Event Type 2". Programs find values under these names, people name columns by them.
 */
#ifndef QUERY_HEADING_H
#define QUERY_HEADING_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "query/plan.h"

/*
 * One for each visible column, with a NUL behind it. None is called like what is `taken`
 * (NULL: nothing is). NULL without memory.
 */
const struct str *heading_all(const struct plan *plan, const char *taken,
			      struct arena *arena);

#define HEADING_NONE SIZE_MAX

/*
 * The column with this heading or, if there is none, this field; case matters only if it
 * makes a difference. Or HEADING_NONE.
 */
size_t heading_find(const struct plan *plan, const struct str *headings, struct str name);

/* The same of what stands in front of an operator (= != < <= > >= ~ !~): *rest begins there. */
size_t heading_find_front(const struct plan *plan, const struct str *headings,
			  struct str text, struct str *rest);

/* ERR_USAGE: there is no column of that name, and which is the nearest. */
bool heading_lack(const struct plan *plan, const struct str *headings, struct str name,
		  struct err *err);

#endif
