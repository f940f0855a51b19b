/*
 * recordlist.c - cjfr record list: the JVMs of this host, or what recordings left behind.
 */
#include <stdlib.h>

#include "base/escape.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/recordjvms.h"
#include "cmd/usage.h"
#include "session/folder.h"
#include "session/leftover.h"

struct list_options {
	const char *repository;
	bool stale, clean, csv, json;
};

static const struct option_row rows[] = {
	{ "csv", 0, OPTION_FLAG, offsetof(struct list_options, csv), NULL,
	  "List JVMs as CSV" },
	{ "json", 0, OPTION_FLAG, offsetof(struct list_options, json), NULL,
	  "List JVMs as JSON" },
	{ "stale", 0, OPTION_FLAG, offsetof(struct list_options, stale), NULL,
	  "List what is left of recordings that nobody makes any more" },
	{ "clean", 0, OPTION_FLAG, offsetof(struct list_options, clean), NULL,
	  "Remove it, also what was not assembled yet, and list what was\n"
	  "removed" },
	{ "repository", 0, OPTION_TEXT, offsetof(struct list_options, repository),
	  "<folder>",
	  "Where data was kept, as for record (default: $TMPDIR or /tmp)" },
	OPTION_ROW_LAST,
};

/* "<folder> 2026-11-30T11:00:00 <process> <bytes> recording" */
static void write_line(struct buf *to, const struct leftover *leftover)
{
	escape_shell(to, str_of(leftover->path));
	buf_printf(to, "  %s  ", leftover->began);
	if (leftover->pid)
		buf_integer(to, leftover->pid);
	else
		buf_byte(to, '-');
	buf_text(to, "  ");
	buf_unsigned(to, leftover->size);
	buf_text(to, leftover->has_recording ? "  recording\n" : "  nothing\n");
}

/* Those that are so; gives how many, and their bytes. */
static size_t list(const struct leftovers *leftovers, bool is_removed, uint64_t *size)
{
	struct buf text = { 0 };
	size_t count = 0;

	*size = 0;
	for (size_t i = 0; i < leftovers->all.count; i++) {
		const struct leftover *leftover = &leftovers->all.items[i];

		if (leftover->is_removed != is_removed)
			continue;
		write_line(&text, leftover);
		*size += leftover->size;
		count++;
	}
	fwrite(text.bytes ? text.bytes : "", 1, text.size, stdout);
	buf_clear(&text);
	return count;
}

static bool has_recording(const struct leftovers *leftovers)
{
	for (size_t i = 0; i < leftovers->all.count; i++) {
		if (leftovers->all.items[i].has_recording)
			return true;
	}
	return false;
}

static enum status tell_removed(const struct invocation *invocation,
				const struct leftovers *leftovers)
{
	char text[PROGRESS_SIZE_MAX];
	enum status status = STATUS_DONE;
	uint64_t size;
	size_t count = list(leftovers, true, &size);

	progress_size(text, size);
	if (count)
		complain(invocation, "removed %zu folder%s, %s", count,
			 count == 1 ? "" : "s", text);
	for (size_t i = 0; i < leftovers->all.count; i++) {
		if (leftovers->all.items[i].is_removed)
			continue;
		complain(invocation, "cannot remove '%s'%s", leftovers->all.items[i].path,
			 leftovers->all.items[i].has_others
				 ? ": there is something else in it" : "");
		status = STATUS_FAILED;
	}
	return status;
}

/* The way to what is of worth is told with it. */
static enum status tell_stale(const struct invocation *invocation,
			      const struct leftovers *leftovers)
{
	uint64_t size;

	if (list(leftovers, false, &size) && has_recording(leftovers))
		complain(invocation, "to keep one: cjfr assemble <folder> <file>; --clean "
			 "removes all of them, also those not yet assembled");
	return STATUS_DONE;
}

static void tell_none(const struct invocation *invocation, const char *base,
		      size_t in_use)
{
	if (in_use)
		complain(invocation, "nothing is left behind in '%s' (%zu folder%s in use)",
			 base, in_use, in_use == 1 ? " is" : "s are");
	else
		complain(invocation, "nothing is left behind in '%s'", base);
}

static enum status look(const struct invocation *invocation,
			const struct list_options *options)
{
	struct leftovers leftovers = { .failed = false };
	char *named = folder_base(options->repository);
	char *real = named ? realpath(named, NULL) : NULL;
	const char *base = real ? real : named;
	enum status status = STATUS_FAILED;
	struct err err;

	if (base ? leftovers_find(&leftovers, base, options->clean, &err) : err_memory(&err))
		status = options->clean ? tell_removed(invocation, &leftovers)
					: tell_stale(invocation, &leftovers);
	else
		complain(invocation, "%s", err.text);
	if (status == STATUS_DONE && !leftovers.all.count)
		tell_none(invocation, base, leftovers.in_use);
	leftovers_clear(&leftovers);
	free(named);
	free(real);
	return status;
}

/* What is wrong with the options together, or NULL. */
static const char *conflict(const struct list_options *options)
{
	bool is_left = options->stale || options->clean;

	if (options->csv && options->json)
		return "only one of --csv and --json can be given";
	if (is_left && (options->csv || options->json))
		return "--csv and --json are for the list of JVMs, not for --stale and "
		       "--clean";
	if (options->repository && !is_left)
		return "--repository is for --stale, to list what was left behind there, "
		       "and --clean, to remove it";
	if (options->repository && !*options->repository)
		return "--repository: it is empty";
	return NULL;
}

static enum status run(const struct invocation *invocation)
{
	struct list_options options = { .stale = false };
	const char *problem;
	struct words words;
	enum status status;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	if (words.count && (options.stale || options.clean))
		return complain_usage(invocation, "'%s': no argument is expected; to look "
				      "there: --repository %s", words.items[0],
				      words.items[0]);
	if (words.count)
		return complain_usage(invocation, "'%s': no argument is expected; about "
				      "one JVM: cjfr record check %s", words.items[0],
				      words.items[0]);
	problem = conflict(&options);
	if (problem)
		return complain_usage(invocation, "%s", problem);
	if (options.stale || options.clean)
		return look(invocation, &options);
	return record_jvms(invocation, options.csv    ? &grid_csv
				       : options.json ? &grid_json
						      : &grid_text);
}

const struct command cmd_record_list = {
	.name = "record list",
	.syntax = { "[--csv | --json]", "| --stale | --clean [--repository <folder>]" },
	.is_ours = true,
	.summary = "List the JVMs of this host, or what recordings left behind",
	.examples = {
		"cjfr record list",
		"cjfr record list --json | jq '.[] | select(.recordings > 0)'",
		"cjfr record list --stale",
		"cjfr record list --clean",
	},
	.options = rows,
	.run = run,
};
