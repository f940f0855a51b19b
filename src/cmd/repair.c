/*
 * repair.c - cjfr repair: what is intact of recordings, as one that is finished.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/target.h"
#include "cmd/usage.h"
#include "copy/copy.h"

static const struct option_row rows[] = {
	OPTION_ROW_LAST,
};

static bool write_bytes(void *context, const void *bytes, size_t size, struct err *err)
{
	struct out *out = context;

	if (out_write(out, bytes, size))
		return true;
	errno = out->error;
	return err_system(err, "cannot write the output");
}

/* True if the path is one of the files that are read. */
static bool is_read(const struct input *input, const char *path)
{
	struct stat target, status;

	if (stat(path, &target) != 0 || !S_ISREG(target.st_mode))
		return false;
	for (size_t i = 0; i < input->feeds.count; i++) {
		const char *name = input->feeds.items[i].path;
		int failed = strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &status)
						    : stat(name, &status);

		if (!failed && status.st_dev == target.st_dev &&
		    status.st_ino == target.st_ino)
			return true;
	}
	return false;
}

/* "2 chunks, 1 event" */
static void add_count(struct buf *to, uint64_t count, const char *what)
{
	buf_unsigned(to, count);
	buf_printf(to, " %s%s", what, count == 1 ? "" : "s");
}

static void tell(struct buf *to, const struct copy *copy, const char *path)
{
	buf_printf(to, "%s: ", path);
	add_count(to, copy->chunks, "chunk");
	buf_text(to, ", ");
	add_count(to, copy->events, "event");
	buf_text(to, ", ");
	add_count(to, copy->bytes, "byte");
	if (copy->lost_chunks || copy->lost_events)
		buf_text(to, "; left out: ");
	if (copy->lost_chunks)
		add_count(to, copy->lost_chunks, "chunk");
	if (copy->lost_chunks && copy->lost_events)
		buf_text(to, ", ");
	if (copy->lost_events)
		add_count(to, copy->lost_events, "event");
	buf_byte(to, '\n');
}

static bool repair_to(struct reading *reading, struct out *out, struct copy *copy)
{
	bool is_good;

	*copy = (struct copy){ .sink = write_bytes, .context = out };
	is_good = copy_input(copy, &reading->input, &reading->damage, &reading->err);
	copy_clear(copy);
	return is_good;
}

static bool repair_file(struct reading *reading, const char *path)
{
	struct target target;
	struct copy copy;
	bool is_good;

	if (is_read(&reading->input, path))
		return err_set(&reading->err, ERR_USAGE,
			       "'%s' is read, so it cannot be written", path);
	if (!target_open(&target, path, &reading->err))
		return false;
	is_good = repair_to(reading, &target.out, &copy);
	is_good = target_close(&target, is_good, &reading->err);
	if (is_good)
		tell(&reading->out.buf, &copy, path);
	return is_good;
}

static bool repair(struct reading *reading, const char *path)
{
	struct copy copy;

	if (strcmp(path, "-") == 0)
		return repair_to(reading, &reading->out, &copy);
	return repair_file(reading, path);
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
	if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO))
		return complain_usage(invocation,
				      "a recording is not written to a terminal");
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
