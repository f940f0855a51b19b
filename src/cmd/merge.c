/*
 * merge.c - cjfr merge: several recordings as one.
 */
#include "copy/merge.h"

#include <string.h>

#include "cmd/command.h"
#include "cmd/writing.h"

static bool write_merged(struct reading *reading, struct copy *copy)
{
	return merge_input(merge_of(copy), &reading->input, &reading->damage,
			   &reading->err);
}

static bool merge(struct reading *reading, const char *path)
{
	struct merge made = { .copy.sink = NULL };
	bool is_good = writing_run(reading, path, &made.copy, write_merged);

	if (is_good && strcmp(path, "-") != 0)
		writing_tell(&reading->out.buf, &made.copy, path);
	merge_clear(&made);
	return is_good;
}

static enum status run(const struct invocation *invocation)
{
	return writing_command(invocation, merge);
}

const struct command cmd_merge = {
	.name = "merge",
	.is_ours = true,
	.syntax = { "[--force] <file>... <output>" },
	.summary = "Make one recording of several, in the order of time",
	.examples = {
		"cjfr merge morning.jfr evening.jfr day.jfr",
		"cjfr merge dump.jfr repository all.jfr",
		"cjfr merge server-*.jfr - | cjfr view hot-methods",
	},
	.options = writing_rows,
	.run = run,
};
