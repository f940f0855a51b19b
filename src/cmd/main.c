/*
 * main.c - finds the command and runs it.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/usage.h"

static struct invocation invocation_of(int argc, char **argv)
{
	const char *path = argv[0];
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *name = slash ? slash + 1 : path;
	bool is_jfr = name && strcmp(name, "jfr") == 0;

	return (struct invocation){ .program = is_jfr ? "jfr" : "cjfr",
				    .is_jfr = is_jfr,
				    .argc = argc - 1,
				    .argv = argv + 1 };
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

/*
 * Where standard output or error are closed, a file that is opened would take their place
 * and be written to.
 */
static void keep_descriptors_free(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* What is behind the name of the command belongs to it, as "list" of "record list". */
static void take_part(struct invocation *invocation)
{
	const struct command *part = invocation->argc > 1
					     ? command_part(invocation->command,
							    invocation->argv[1])
					     : NULL;

	if (!part)
		return;
	invocation->command = part;
	invocation->argc--;
	invocation->argv++;
}

static enum status run(struct invocation *invocation)
{
	if (invocation->argc < 1) {
		usage_introduction(stdout, invocation);
		return STATUS_DONE;
	}
	invocation->command = command_find(invocation, invocation->argv[0]);
	if (!invocation->command)
		return complain_unknown_command(invocation, invocation->argv[0]);
	take_part(invocation);
	return invocation->command->run(invocation);
}

int main(int argc, char **argv)
{
	struct invocation invocation = invocation_of(argc, argv);
	enum status status;

	keep_descriptors_free();
	keep_memory();
	status = run(&invocation);
	if (fflush(stdout) == 0 || status != STATUS_DONE)
		return status;
	complain(&invocation, "cannot write the output (%s)", strerror(errno));
	return STATUS_FAILED;
}
