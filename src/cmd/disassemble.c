/*
 * disassemble.c - cjfr disassemble: the chunks of a recording, in several files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/path.h"
#include "base/scale.h"
#include "base/source.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/target.h"
#include "cmd/usage.h"
#include "cmd/writing.h"
#include "copy/split.h"

#define MAX_CHUNKS 5

struct options {
	const char *output, *max_chunks, *max_size;
};

static const struct option_row rows[] = {
	{ "output", 0, OPTION_TEXT, offsetof(struct options, output), "<directory>",
	  "Where to write the files (default: the current\n"
	  "directory)" },
	{ "max-chunks", 0, OPTION_TEXT, offsetof(struct options, max_chunks),
	  "<chunks>",
	  "Chunks in a file at most (default: 5, or any number\n"
	  "with --max-size)" },
	{ "max-size", 0, OPTION_TEXT, offsetof(struct options, max_size), "<size>",
	  "Bytes in a file at most: 1000000, 500kB, 20M, 1.5G.\n"
	  "A chunk that is larger has a file for itself" },
	OPTION_ROW_LAST,
};

/* The job, from its options to its files. */
struct job {
	struct split split;
	char *input;		/* absolute, or "-" */
	char *folder;		/* absolute */
	char **paths;		/* of the parts */
};

/* Reads a limit, which is at least 1; 0: none is given. */
static enum status read_limit(const struct invocation *invocation, const char *name,
			      const char *value, bool has_unit, uint64_t *limit)
{
	struct str text = str_of(value);
	struct number number;
	bool is_number = false;
	uint64_t unit = 1;
	struct product product = { 0 };

	*limit = 0;
	if (!value)
		return STATUS_DONE;
	if (text.size && *value == '+')
		text = str_of(value + 1);
	if (number_take(&text, &number))
		is_number = has_unit ? scale_read(&scale_of_bytes, str_trim(text), &unit)
				     : text.size == 0;
	if (is_number)
		product = number_times(&number, unit);
	if (product.whole >= 1 && !product.has_rest) {
		*limit = product.whole < UINT64_MAX ? (uint64_t)product.whole
						    : UINT64_MAX;
		return STATUS_DONE;
	}
	complain(invocation, "not a valid value for --%s: '%s' (%s)", name, value,
		 is_number ? "it must be a whole number and at least 1"
		 : has_unit ? "it is a number of bytes, as in 1000000, 500k, 20M, 1.5G"
			    : "it is a number, as in 5");
	return STATUS_FAILED;
}

static enum status read_limits(const struct invocation *invocation,
			       const struct options *options, struct split *split)
{
	enum status status = read_limit(invocation, "max-chunks", options->max_chunks,
					false, &split->max_chunks);

	if (status == STATUS_DONE)
		status = read_limit(invocation, "max-size", options->max_size, true,
				    &split->max_size);
	if (!options->max_chunks && !options->max_size)
		split->max_chunks = MAX_CHUNKS;
	return status;
}

/* True if that is a folder; else a message was written. */
static bool check_folder(const struct invocation *invocation, const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		complain(invocation, "cannot write to '%s' (%s)", path,
			 strerror(errno));
	else if (!S_ISDIR(status.st_mode))
		complain(invocation, "cannot write to '%s' (it is no directory)", path);
	else
		return true;
	return false;
}

/* Where the files will be. None of them may be there yet. */
static bool name_files(struct job *job, struct err *err)
{
	size_t count = job->split.parts.count;
	struct str base = split_base(job->input);
	struct stat status;

	job->paths = calloc(count, sizeof(*job->paths));
	for (size_t i = 0; i < count && job->paths; i++) {
		char *name = split_name(&job->split, base, i);

		job->paths[i] = name ? path_within(job->folder, name) : NULL;
		free(name);
		if (!job->paths[i])
			return err_memory(err);
		if (lstat(job->paths[i], &status) == 0)
			return err_set(err, ERR_SYSTEM,
				       "'%s' exists already; nothing was written",
				       job->paths[i]);
	}
	return job->paths || err_memory(err);
}

static bool write_file(struct job *job, size_t part, struct err *err)
{
	struct target target;
	bool is_good;

	if (!target_open(&target, job->paths[part], err))
		return false;
	is_good = split_write(&job->split, part, writing_sink, &target.out, err) ||
		  err_within(err, "%s", job->paths[part]);
	return target_close(&target, is_good, err);
}

/* How many there are when the next one could not be written. */
static bool tell_written(const struct job *job, size_t count, struct err *err)
{
	struct err why = *err;
	size_t all = job->split.parts.count;

	if (count == 0)
		return err_set(err, why.kind, "%s; no file was written", why.text);
	if (count == 1)
		return err_set(err, why.kind, "%s; of %zu files the first was written",
			       why.text, all);
	return err_set(err, why.kind, "%s; of %zu files the first %zu were written",
		       why.text, all, count);
}

static bool write_files(struct reading *reading, struct job *job)
{
	struct buf *said = &reading->out.buf;

	for (size_t i = 0; i < job->split.parts.count; i++) {
		if (!write_file(job, i, &reading->err))
			return tell_written(job, i, &reading->err);
		buf_printf(said, "Writing %s ... %llu\n", job->paths[i],
			   (unsigned long long)job->split.parts.items[i].size);
	}
	return true;
}

/* Of compressed input, what it holds counts. */
static uint64_t size_of(const struct reading *reading, const struct split *split)
{
	return reading->input.size > split->size ? reading->input.size : split->size;
}

static bool say_it_is_small(struct reading *reading, const struct split *split)
{
	buf_printf(&reading->out.buf,
		   "\nFile size (%llu) does not exceed max size (%llu)\n",
		   (unsigned long long)size_of(reading, split),
		   (unsigned long long)split->max_size);
	return true;
}

static bool complain_of_few(struct reading *reading, const struct split *split)
{
	return err_set(&reading->err, ERR_FORMAT,
		       "there is nothing to split: the recording has %zu chunk%s, "
		       "and a file may have %llu",
		       split->chunks.count, split->chunks.count == 1 ? "" : "s",
		       (unsigned long long)split->max_chunks);
}

static bool disassemble(struct reading *reading, struct job *job)
{
	struct split *split = &job->split;
	struct buf *said = &reading->out.buf;

	buf_printf(said, "\nExamining recording %s ...\n", source_name(job->input));
	if (!split_find(split, &reading->input, &reading->damage, &reading->err))
		return false;
	if (!split->max_chunks && size_of(reading, split) <= split->max_size)
		return say_it_is_small(reading, split);
	if (!split->max_size && split->chunks.count <= split->max_chunks)
		return complain_of_few(reading, split);
	if (!name_files(job, &reading->err))
		return false;
	buf_printf(said,
		   "\nFile consists of %zu chunks. The recording will be split into "
		   "%zu files\n\n",
		   split->chunks.count, split->parts.count);
	return write_files(reading, job);
}

/* Their paths, seen from the root, as the JDK tells them. */
static bool job_open(struct job *job, const char *input, const char *folder)
{
	job->input = strcmp(input, "-") == 0 ? strdup(input) : path_absolute(input);
	job->folder = job->input ? path_absolute(folder) : NULL;
	return job->folder != NULL;
}

static void job_close(struct job *job)
{
	for (size_t i = 0; job->paths && i < job->split.parts.count; i++)
		free(job->paths[i]);
	free(job->paths);
	free(job->folder);
	free(job->input);
	split_clear(&job->split);
}

static enum status carry_out(const struct invocation *invocation, struct job *job,
			     const struct words *words)
{
	struct reading reading;
	enum status status = reading_open(&reading, invocation, words);

	if (status != STATUS_DONE)
		return status;
	reading_show_progress(&reading, false);
	return reading_close(&reading, disassemble(&reading, job));
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { .output = "" };
	struct job job = { .input = NULL };
	enum status status;
	struct words words;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	if (words.count != 1)
		return complain_usage(invocation, words.count ? "one file at a time"
							      : "missing file");
	status = read_limits(invocation, &options, &job.split);
	if (status != STATUS_DONE)
		return status;
	if (!job_open(&job, words.items[0], options.output))
		complain(invocation, "cannot tell the current directory (%s)",
			 strerror(errno));
	status = job.folder && check_folder(invocation, job.folder)
		       ? carry_out(invocation, &job, &words)
		       : STATUS_FAILED;
	job_close(&job);
	return status;
}

const struct command cmd_disassemble = {
	.name = "disassemble",
	.syntax = { "[--output <directory>]", "[--max-chunks <chunks>]",
		    "[--max-size <size>]", "<file>" },
	.summary = "Split a recording into files with fewer chunks",
	.examples = {
		"cjfr disassemble recording.jfr",
		"cjfr disassemble --max-size 100M --output parts recording.jfr",
		"zstd -dc recording.jfr.zst | cjfr disassemble --max-chunks 1 -",
	},
	.options = rows,
	.run = run,
};
