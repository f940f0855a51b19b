/*
 * main.c - finds the command and runs it.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/usage.h"

static struct invocation invocation_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *name = slash ? slash + 1 : path;
	bool is_jfr = name && strcmp(name, "jfr") == 0;

	return (struct invocation){ is_jfr ? "jfr" : "cjfr", is_jfr };
}

/*
 * Chunks come and go, and each takes and frees some megabytes: the C library should
 * not return them to the system every time.
 */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 32 << 20);
}

static enum status run(const struct invocation *invocation, int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		usage_introduction(stdout, invocation);
		return STATUS_DONE;
	}
	command = command_find(argv[1]);
	if (!command)
		return complain_unknown_command(invocation, argv[1]);
	return command->run(invocation, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	struct invocation invocation = invocation_of(argv[0]);
	enum status status;

	keep_memory();
	status = run(&invocation, argc, argv);
	if (fflush(stdout) == 0 || status != STATUS_DONE)
		return status;
	complain(&invocation, NULL, "cannot write the output (%s)", strerror(errno));
	return STATUS_FAILED;
}
