/*
 * writing.c - a command writes a recording of what it reads.
 */
#include "cmd/writing.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/target.h"
#include "cmd/usage.h"

bool writing_sink(void *context, const void *bytes, size_t size, struct err *err)
{
	struct out *out = context;

	if (out_write(out, bytes, size))
		return true;
	errno = out->error;
	return err_system(err, "cannot write the output");
}

/* "-" is what this descriptor is. */
static bool find(const char *path, int descriptor, struct stat *status)
{
	return strcmp(path, "-") == 0 ? fstat(descriptor, status) == 0
				      : stat(path, status) == 0;
}

/* True if the path is one of the files that are read, by whatever name. */
static bool is_read(const struct input *input, const char *path)
{
	struct stat target, status;

	if (!find(path, STDOUT_FILENO, &target) || !S_ISREG(target.st_mode))
		return false;
	for (size_t i = 0; i < input->feeds.all.count; i++) {
		if (find(input->feeds.all.items[i].path, STDIN_FILENO, &status) &&
		    status.st_dev == target.st_dev && status.st_ino == target.st_ino)
			return true;
	}
	return false;
}

enum status writing_check(const struct invocation *invocation, const char *path)
{
	if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO))
		return complain_usage(invocation,
				      "a recording is not written to a terminal");
	return STATUS_DONE;
}

bool writing_all(struct reading *reading, struct copy *copy)
{
	return copy_input(copy, &reading->input, &reading->damage, &reading->err);
}

static bool write_to(struct reading *reading, struct out *out, struct copy *copy,
		     writing_action *action)
{
	bool is_good;

	copy->sink = writing_sink;
	copy->context = out;
	is_good = action(reading, copy);
	copy_clear(copy);
	return is_good;
}

bool writing_run(struct reading *reading, const char *path, struct copy *copy,
		 writing_action *action)
{
	bool is_standard = strcmp(path, "-") == 0, is_good;
	struct target target;

	if (is_read(&reading->input, path))
		return err_set(&reading->err, ERR_USAGE,
			       "%s%s%s is read, so it cannot be written",
			       is_standard ? "" : "'",
			       is_standard ? "standard output" : path,
			       is_standard ? "" : "'");
	if (is_standard)
		return write_to(reading, &reading->out, copy, action);
	if (!target_open(&target, path, &reading->err))
		return false;
	is_good = write_to(reading, &target.out, copy, action);
	return target_close(&target, is_good, &reading->err);
}

/* "2 chunks, 1 event" */
static void add_count(struct buf *to, uint64_t count, const char *what)
{
	buf_unsigned(to, count);
	buf_printf(to, " %s%s", what, count == 1 ? "" : "s");
}

void writing_tell(struct buf *to, const struct copy *copy, const char *path)
{
	const struct {
		uint64_t count;
		const char *what;
	} lost[] = {
		{ copy->lost_chunks, "chunk" },
		{ copy->lost_events, "event" },
		{ copy->twofold_chunks, "double chunk" },
	};
	const char *before = "; left out: ";

	buf_printf(to, "%s: ", path);
	add_count(to, copy->chunks, "chunk");
	buf_text(to, ", ");
	add_count(to, copy->events, "event");
	buf_text(to, ", ");
	add_count(to, copy->bytes, "byte");
	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		if (!lost[i].count)
			continue;
		buf_text(to, before);
		add_count(to, lost[i].count, lost[i].what);
		before = ", ";
	}
	buf_byte(to, '\n');
}

enum status writing_start(const struct invocation *invocation,
			  const struct words *words, const char *path,
			  writing_work *work)
{
	struct reading reading;
	enum status status = reading_open(&reading, invocation, words);

	if (status != STATUS_DONE)
		return status;
	reading_show_progress(&reading, false);
	return reading_close(&reading, work(&reading, path));
}

struct options {
	bool is_forced;
};

const struct option_row writing_rows[] = {
	{ "force", 'f', OPTION_FLAG, offsetof(struct options, is_forced), NULL,
	  "Replace the output if there is one already" },
	OPTION_ROW_LAST,
};

static enum status check_is_new(const struct invocation *invocation, const char *path)
{
	struct stat status;

	if (strcmp(path, "-") == 0 || stat(path, &status) != 0 ||
	    !S_ISREG(status.st_mode) || status.st_size == 0)
		return STATUS_DONE;
	complain(invocation, "'%s' exists already; --force replaces it", path);
	return STATUS_FAILED;
}

enum status writing_command(const struct invocation *invocation, writing_work *work)
{
	struct options options = { .is_forced = false };
	enum status status;
	struct words words;
	const char *path;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	if (words.count < 2)
		return complain_usage(invocation, words.count ? "missing output file"
							      : "missing file");
	path = words.items[--words.count];
	status = writing_check(invocation, path);
	if (status == STATUS_DONE && !options.is_forced)
		status = check_is_new(invocation, path);
	return status == STATUS_DONE ? writing_start(invocation, &words, path, work)
				     : status;
}
