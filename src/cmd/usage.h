/*
 * usage.h - what the program says about its own use.
 */
#ifndef CMD_USAGE_H
#define CMD_USAGE_H

#include <stdio.h>

#include "base/buf.h"
#include "cmd/command.h"

/* The introduction shown when no command is given. */
void usage_introduction(FILE *to, const struct invocation *invocation);

/* All commands with a line each. */
void usage_commands(FILE *to, const struct invocation *invocation);

/* A command's title, syntax, options and examples. */
void usage_command(FILE *to, const struct invocation *invocation,
		   const struct command *command);

/*
 * "cjfr print: message" on standard error, "cjfr: message" without a command. Control
 * characters are shown as `?`.
 */
void complain(const struct invocation *invocation, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds that line to a buffer, for whoever writes it later. */
void complaint(struct buf *to, const struct invocation *invocation, const char *format,
	       ...) __attribute__((format(printf, 3, 4)));

/* The same as complain, then the syntax of the command; gives STATUS_USAGE. */
enum status complain_usage(const struct invocation *invocation, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "unknown command 'x'", the nearest one and the list; gives STATUS_USAGE. */
enum status complain_unknown_command(const struct invocation *invocation,
				     const char *word);

#endif
