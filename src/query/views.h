/*
 * views.h - the views: names for queries.
 *
 *	[application.hot-methods]
 *	about = "Where do the Java methods that run most spend their time?"
 *	label = "Java Methods that Execute the Most"
 *	table = "COLUMN 'Method', ... SELECT ..."
 *
 * A section begins with category and name, between brackets. Then there are keys and
 * values, in double or single quotes if they hold blanks; a value may go over several
 * lines. `table` or `form` is the query, and says how its result is shown. `;` begins a
 * line of comment. This is the form of the JDK's own file; `about` is ours.
 */
#ifndef QUERY_VIEWS_H
#define QUERY_VIEWS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct view {
	struct str category;	/* "jvm", "environment", "application", or a user's */
	struct str name;	/* "hot-methods" */
	struct str label;	/* the title above the table */
	struct str about;	/* the question it answers; bytes NULL: it is not told */
	struct str query;
	bool is_form;
	bool is_ours;		/* no view of the JDK has that name */
	const char *file;	/* where it was read; NULL: built in */
};

/* Zeroed: none. */
struct views {
	VEC(struct view) items;		/* in the order of their definition */
	struct arena arena;
};

/* Adds the views of the JDK, in its order, then ours. False without memory. */
bool views_add_own(struct views *views, struct err *err);

/*
 * Adds the views in the text of a file. One with the name of an earlier one takes its
 * place. The name of the file must last as long. False, ERR_USAGE, with line and cause,
 * also if a query cannot be parsed; or ERR_MEMORY.
 */
bool views_add(struct views *views, struct str text, const char *file, struct err *err);

/*
 * The view of that name; if there is none, the one that has it when case, dashes and
 * underscores are left out; or NULL.
 */
const struct view *views_find(const struct views *views, struct str name);

/* True if these are the same name but for case, dashes and underscores. */
bool views_is_same_name(struct str a, struct str b);

void views_clear(struct views *views);

#endif
