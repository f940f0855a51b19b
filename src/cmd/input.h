/*
 * input.h - the recording a command reads, and what it says of it at the end.
 */
#ifndef CMD_INPUT_H
#define CMD_INPUT_H

#include "cmd/command.h"
#include "jfr/damage.h"
#include "jfr/filter.h"
#include "jfr/recording.h"

/*
 * Opens the file, or, if none is given, standard input when that is a pipe or a
 * file (not as `jfr`). Otherwise a message was written, and the status tells.
 */
enum status input_open(const struct invocation *invocation, const struct command *command,
		       const char *file, struct recording *recording);

/* "cjfr print: r.jfr: why"; gives STATUS_FAILED. */
enum status input_failed(const struct invocation *invocation,
			 const struct command *command, const struct recording *recording,
			 const struct err *err);

/* Tells what was lost, a line each. STATUS_PARTLY if anything was, or STATUS_DONE. */
enum status input_damage(const struct invocation *invocation,
			 const struct command *command, const struct recording *recording,
			 const struct damage *damage);

/*
 * For a filter that takes none of the recording's event types: says so, with the
 * nearest name. Before the recording is read; nothing is said of a damaged one.
 */
void input_check_filter(const struct invocation *invocation,
			const struct command *command, const struct filter *filter,
			struct recording *recording);

#endif
