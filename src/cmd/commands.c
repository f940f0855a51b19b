/*
 * commands.c - the table of commands.
 */
#include <ctype.h>
#include <string.h>

#include "cmd/command.h"

const struct command *const commands[] = {
	&cmd_print, &cmd_view, &cmd_configure, &cmd_summary, &cmd_metadata, &cmd_scrub,
	&cmd_verify, &cmd_repair, &cmd_merge, &cmd_assemble, &cmd_disassemble,
	&cmd_record, &cmd_version, &cmd_help, &cmd_complete, NULL,
};

static bool answers_to(const struct command *command, const char *word)
{
	size_t count = sizeof(command->alias) / sizeof(command->alias[0]);

	if (strcmp(command->name, word) == 0)
		return true;
	for (size_t i = 0; i < count && command->alias[i]; i++) {
		if (strcmp(command->alias[i], word) == 0)
			return true;
	}
	return false;
}

bool command_is_there(const struct invocation *invocation,
		      const struct command *command)
{
	return !(invocation->is_jfr && command->is_ours);
}

/* True if "--name" is a word of the line. */
static bool mentions(const char *line, const char *name)
{
	size_t size = strlen(name);

	while ((line = strstr(line, "--"))) {
		line += 2;
		if (strncmp(line, name, size) == 0 && line[size] != '-' &&
		    !isalpha((unsigned char)line[size]))
			return true;
	}
	return false;
}

bool command_has_option(const struct invocation *invocation,
			const struct command *command, const struct option_row *row)
{
	size_t count = sizeof(command->jfr_syntax) / sizeof(command->jfr_syntax[0]);

	if (!invocation->is_jfr || !command->jfr_syntax[0])
		return true;
	for (size_t i = 0; i < count && command->jfr_syntax[i]; i++) {
		if (mentions(command->jfr_syntax[i], row->name))
			return true;
	}
	return false;
}

/* Only what is called without a pipe, and without options of ours. */
bool command_has_example(const struct invocation *invocation,
			 const struct command *command, const char *example)
{
	if (!invocation->is_jfr)
		return true;
	if (strncmp(example, "cjfr ", 5) != 0 || strstr(example, " | "))
		return false;
	for (const struct option_row *row = command->options; row && row->name; row++) {
		if (!command_has_option(invocation, command, row) &&
		    mentions(example, row->name))
			return false;
	}
	return true;
}

const struct command *command_find(const struct invocation *invocation,
				   const char *word)
{
	for (size_t i = 0; commands[i]; i++) {
		if (command_is_there(invocation, commands[i]) &&
		    answers_to(commands[i], word))
			return commands[i];
	}
	return NULL;
}

const struct command *command_part(const struct command *command, const char *word)
{
	size_t front = strlen(command->name) + 1;

	for (size_t i = 0; command->parts && command->parts[i]; i++) {
		if (strcmp(command->parts[i]->name + front, word) == 0)
			return command->parts[i];
	}
	return NULL;
}
