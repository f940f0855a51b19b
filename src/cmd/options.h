/*
 * options.h - a command's options, read by its table.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "cmd/command.h"

/*
 * Sets the values in `values` (the command's own struct, with its defaults in it)
 * from argv[1..]; each option may be given once, by its full name only. At most one
 * other word is allowed: it goes to *file (NULL if there is none).
 *
 * STATUS_DONE: go on. Anything else: a message was written; return that status.
 * `help_shown` tells that --help was asked for and answered.
 */
enum status options_read(const struct invocation *invocation,
			 const struct command *command, int argc, char **argv,
			 void *values, const char **file, bool *help_shown);

#endif
