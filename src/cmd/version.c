/*
 * version.c - cjfr version.
 */
#include <stdio.h>

#include "config.h"

#include "cmd/command.h"

static enum status run(const struct invocation *invocation)
{
	printf("%s %s\n", invocation->program, PACKAGE_VERSION);
	return STATUS_DONE;
}

const struct command cmd_version = {
	.name = "version",
	.alias = { "--version" },
	.summary = "Show the version of this program",
	.run = run,
};
