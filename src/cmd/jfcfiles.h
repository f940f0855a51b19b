/*
 * jfcfiles.h - .jfc files by path or name.
 *
 * A name, with or without .jfc, is that of a file in $JAVA_HOME/lib/jfr; there
 * "default" and "profile" are those of a JDK. Without such a file they are ours. "none"
 * is empty. All else is a path, "-" standard input.
 */
#ifndef CMD_JFCFILES_H
#define CMD_JFCFILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "jfc/configuration.h"

/*
 * Reads one and joins it to the others. Adds a line to `said` for each setting that
 * refers to a control which is not there. False with err, which begins with the name.
 */
bool jfcfiles_add(struct configuration *all, const char *name, struct buf *said,
		  struct err *err);

/* The same, but what has a name of ours is ours, whatever there is in $JAVA_HOME. */
bool jfcfiles_add_own(struct configuration *all, const char *name, struct buf *said,
		      struct err *err);

/* The path of the JDK's file of that name, to be freed; NULL: there is none. */
char *jfcfiles_find(const char *name);

/* The names that always mean something, in their order; NULL behind the last. */
const char *jfcfiles_name(size_t i);

/*
 * Tells each name in "a.jfc,b.jfc", as long as that gives true. Commas alone have none
 * between them, as Java takes a list apart; an empty text is an empty name.
 */
typedef bool jfcfiles_told(void *context, const char *name, struct err *err);

bool jfcfiles_each(const char *list, jfcfiles_told *told, void *context,
		   struct err *err);

#endif
