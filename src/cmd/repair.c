/*
 * repair.c - cjfr repair: what is intact of recordings, as one that is finished.
 */
#include <string.h>

#include "cmd/command.h"
#include "cmd/writing.h"

static bool repair(struct reading *reading, const char *path)
{
	struct copy made = { .sink = NULL };

	if (!writing_run(reading, path, &made, writing_all))
		return false;
	if (strcmp(path, "-") != 0)
		writing_tell(&reading->out.buf, &made, path);
	return true;
}

static enum status run(const struct invocation *invocation)
{
	return writing_command(invocation, repair);
}

const struct command cmd_repair = {
	.name = "repair",
	.is_ours = true,
	.syntax = { "[--force] <file>... <output>" },
	.summary = "Write what is intact of a recording as one that is finished",
	.examples = {
		"cjfr repair damaged.jfr repaired.jfr",
		"cjfr repair repository-of-a-killed-jvm all.jfr",
		"cat damaged.jfr | cjfr repair - - | cjfr summary",
	},
	.options = writing_rows,
	.run = run,
};
