/*
 * repair.c - cjfr repair: what is intact of recordings, as one that is finished.
 */
#include <string.h>

#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "cmd/writing.h"

static const struct option_row rows[] = {
	OPTION_ROW_LAST,
};

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
	struct reading reading;
	enum status status;
	struct words words;
	const char *path;

	if (!options_read(invocation, &words, &words, &status))
		return status;
	if (words.count < 2)
		return complain_usage(invocation, words.count ? "missing output file"
							      : "missing file");
	path = words.items[--words.count];
	status = writing_check(invocation, path);
	if (status != STATUS_DONE)
		return status;
	status = reading_open(&reading, invocation, &words);
	if (status != STATUS_DONE)
		return status;
	reading_show_progress(&reading, false);
	return reading_close(&reading, repair(&reading, path));
}

const struct command cmd_repair = {
	.name = "repair",
	.is_ours = true,
	.syntax = { "<file>... <output>" },
	.summary = "Write what is intact of a recording as one that is finished",
	.examples = {
		"cjfr repair damaged.jfr repaired.jfr",
		"cjfr repair repository-of-a-killed-jvm all.jfr",
		"cat damaged.jfr | cjfr repair - - | cjfr summary",
	},
	.options = rows,
	.run = run,
};
