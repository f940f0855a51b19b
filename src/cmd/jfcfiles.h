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

#endif
