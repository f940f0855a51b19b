/*
 * processes.h - what a process was called with.
 */
#ifndef HOST_PROCESSES_H
#define HOST_PROCESSES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

/* Appends the arguments in the text of /proc/PID/cmdline with blanks between them. */
void processes_add_line(struct buf *to, struct str text, bool redact);

#endif
