/*
 * merge.c - cjfr merge: several recordings as one.
 */
#include "copy/merge.h"

#include <string.h>

#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "cmd/writing.h"

static const struct option_row rows[] = {
	OPTION_ROW_LAST,
};

/* The copy is the one inside the merge. */
static bool write_merged(struct reading *reading, struct copy *copy)
{
	return merge_input((struct merge *)copy, &reading->input, &reading->damage,
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
	return reading_close(&reading, merge(&reading, path));
}

const struct command cmd_merge = {
	.name = "merge",
	.is_ours = true,
	.syntax = { "<file>... <output>" },
	.summary = "Make one recording of several, in the order of time",
	.examples = {
		"cjfr merge morning.jfr evening.jfr day.jfr",
		"cjfr merge dump.jfr repository all.jfr",
		"cjfr merge server-*.jfr - | cjfr view hot-methods",
	},
	.options = rows,
	.run = run,
};
