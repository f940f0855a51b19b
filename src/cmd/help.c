/*
 * help.c - cjfr help: the commands, or one of them.
 */
#include "cmd/command.h"
#include "cmd/usage.h"

static enum status run(const struct invocation *invocation)
{
	const struct command *command, *part = NULL;

	if (invocation->argc > 3)
		return complain_usage(invocation, "too many arguments");
	if (invocation->argc < 2) {
		printf("The commands of %s:\n\n", invocation->program);
		usage_commands(stdout, invocation);
		printf("\nMore about one of them: %s help <command>\n",
		       invocation->program);
		return STATUS_DONE;
	}
	command = command_find(invocation, invocation->argv[1]);
	if (!command) {
		complain_unknown_command(invocation, invocation->argv[1]);
		return STATUS_FAILED;
	}
	if (invocation->argc > 2)
		part = command_part(command, invocation->argv[2]);
	if (invocation->argc > 2 && !part)
		return complain_usage(invocation, "too many arguments");
	usage_command(stdout, invocation, part ? part : command);
	return STATUS_DONE;
}

const struct command cmd_help = {
	.name = "help",
	.alias = { "--help", "-h", "-?" },
	.syntax = { "[<command>]" },
	.summary = "Show help on all commands, or on one",
	.run = run,
};
