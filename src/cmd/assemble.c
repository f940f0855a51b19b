/*
 * assemble.c - cjfr assemble: the repository of a JVM as one recording.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "cmd/writing.h"
#include "jfr/spill.h"

static const struct option_row rows[] = {
	OPTION_ROW_LAST,
};

/* The files that the recording is made of, as they follow each other in it. */
static bool say_files(struct reading *reading)
{
	size_t count;
	const char **paths = input_paths(&reading->input, &count);
	bool is_good = paths != NULL;

	buf_text(&reading->out.buf, "\nAssembling files... \n\n");
	for (size_t i = 0; is_good && i < count; i++) {
		char *path = path_absolute(paths[i]);

		is_good = path != NULL;
		if (path)
			buf_printf(&reading->out.buf, " %s\n", path);
		free(path);
	}
	free(paths);
	return is_good || err_memory(&reading->err);
}

static bool say_and_write(struct reading *reading, struct copy *copy)
{
	return say_files(reading) && writing_all(reading, copy);
}

static bool assemble(struct reading *reading, const char *path)
{
	struct copy made = { .sink = NULL };
	bool is_silent = strcmp(path, "-") == 0;

	if (!writing_run(reading, path, &made, is_silent ? writing_all : say_and_write))
		return false;
	if (!is_silent)
		buf_text(&reading->out.buf, "\nFinished.\n");
	return true;
}

/* A message if there is no repository, or something where the recording shall be. */
static enum status check(const struct invocation *invocation, const char *repository,
			 const char *path)
{
	struct stat status;

	if (stat(repository, &status) != 0)
		complain(invocation, "cannot open '%s' (%s)", repository,
			 strerror(errno));
	else if (spill_is_at(repository))
		complain(invocation, "'%s' is a spill file: name the folder that it lies "
			 "in", repository);
	else if (!S_ISDIR(status.st_mode))
		complain(invocation,
			 "'%s' is no directory; repair finishes a single recording",
			 repository);
	else if (strcmp(path, "-") == 0)
		return writing_check(invocation, path);
	else if (stat(path, &status) == 0)
		complain(invocation, "'%s' exists already", path);
	else
		return STATUS_DONE;
	return STATUS_FAILED;
}

static enum status run(const struct invocation *invocation)
{
	enum status status;
	struct words words;
	const char *path;

	if (!options_read(invocation, &words, &words, &status))
		return status;
	if (words.count != 2)
		return complain_usage(invocation,
				      words.count == 0	 ? "missing repository"
				      : words.count == 1 ? "missing output file"
							 : "one repository at a time");
	path = words.items[--words.count];
	status = check(invocation, words.items[0], path);
	return status == STATUS_DONE ? writing_start(invocation, &words, path, assemble)
				     : status;
}

const struct command cmd_assemble = {
	.name = "assemble",
	.syntax = { "<repository> <file>" },
	.summary = "Make one recording of the repository that a JVM left behind",
	.examples = {
		"cjfr assemble /tmp/2026_11_29_22_07_32_640 recording.jfr",
		"cjfr assemble repository-of-a-running-jvm - | cjfr summary",
	},
	.options = rows,
	.run = run,
};
