/*
 * commands.c - the table of commands.
 */
#include <string.h>

#include "cmd/command.h"

const struct command *const commands[] = {
	&cmd_print, &cmd_view, &cmd_summary, &cmd_metadata, &cmd_verify, &cmd_repair,
	&cmd_scrub, &cmd_merge, &cmd_assemble, &cmd_disassemble,
	&cmd_version, &cmd_help, NULL,
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

const struct command *command_find(const char *word)
{
	for (size_t i = 0; commands[i]; i++) {
		if (answers_to(commands[i], word))
			return commands[i];
	}
	return NULL;
}
