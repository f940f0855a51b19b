/*
 * cmdline.h - the words that a process was called with.
 */
#ifndef JVMS_CMDLINE_H
#define JVMS_CMDLINE_H

#include <stdbool.h>

#include "base/str.h"
#include "base/vec.h"
#include "jvms/process.h"

/* A copy, and where each word begins; the last is NULL. */
struct cmdline {
	char *text;
	VEC(char *) words;
};

/* False: it has none, or they are not for us. cmdline_clear in any case. */
bool cmdline_read(struct cmdline *cmdline, const struct process *process);
void cmdline_clear(struct cmdline *cmdline);

/* The part: the text of its file, in which 0 ends each word. False without memory. */
bool cmdline_parse(struct cmdline *cmdline, struct str text);

#endif
