/*
 * summary.c - cjfr summary: how long a recording is and what it holds.
 */
#include <unistd.h>

#include "base/crew.h"
#include "base/utf.h"
#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/options.h"
#include "cmd/usage.h"
#include "jfr/tally.h"
#include "render/out.h"
#include "render/units.h"

struct options {
	int jobs;
};

static const struct option_row rows[] = {
	{ "jobs", 'j', OPTION_COUNT, offsetof(struct options, jobs), "<threads>",
	  "Threads to use (all processors)" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL },
};

#define HEADING " Event Type"
#define COLUMNS "      Count  Size (bytes) "

static void write_head(struct buf *to, const struct tally *tally)
{
	const struct header *first = &tally->first;
	uint64_t nanos = (uint64_t)tally->duration_nanos + 500000000;

	buf_printf(to, "\n Version: %d.%d\n Chunks: %zu\n Start: ", (int)first->major,
		   (int)first->minor, tally->chunks);
	units_date(to, time_of_nanos(first->start_nanos));
	buf_printf(to, " (UTC)\n Duration: %lld s\n\n",
		   (long long)((int64_t)nanos / 1000000000));
}

static void write_rows(struct buf *to, const struct tally *tally)
{
	size_t width = sizeof(HEADING) - 1;

	width = tally->name_width > width ? tally->name_width : width;
	buf_text(to, HEADING);
	buf_fill(to, ' ', width - (sizeof(HEADING) - 1));
	buf_text(to, COLUMNS "\n");
	buf_fill(to, '=', width + sizeof(COLUMNS) - 1);
	buf_byte(to, '\n');
	for (size_t i = 0; i < tally->rows.count; i++) {
		const struct tally_row *row = &tally->rows.items[i];
		size_t units = utf_units(row->name);

		buf_byte(to, ' ');
		utf_add_output(to, row->name);
		buf_fill(to, ' ', units < width ? width - units : 0);
		/* The JDK keeps sizes in a long, and so are very large ones negative. */
		buf_printf(to, "%10lld  %12lld\n", (long long)row->count,
			   (long long)row->size);
	}
}

static enum status summary(const struct invocation *invocation,
			   const struct options *options, struct recording *recording)
{
	struct out out = { .fd = STDOUT_FILENO };
	struct damage damage = { 0 };
	struct tally tally = { 0 };
	struct err err = { 0 };
	enum status status;

	if (!tally_recording(&tally, recording, crew_size(options->jobs), &damage, &err)) {
		status = input_failed(invocation, &cmd_summary, recording, &err);
	} else {
		write_head(&out.buf, &tally);
		write_rows(&out.buf, &tally);
		status = input_damage(invocation, &cmd_summary, recording, &damage);
	}
	if (!out_close(&out, &err)) {
		complain(invocation, &cmd_summary, "%s", err.text);
		status = STATUS_FAILED;
	}
	tally_clear(&tally);
	damage_clear(&damage);
	return status;
}

static enum status run(const struct invocation *invocation, int argc, char **argv)
{
	struct options options = { 0 };
	struct recording recording;
	const char *file;
	bool help_shown;
	enum status status = options_read(invocation, &cmd_summary, argc, argv, &options,
					  &file, &help_shown);

	if (status != STATUS_DONE || help_shown)
		return status;
	status = input_open(invocation, &cmd_summary, file, &recording);
	if (status != STATUS_DONE)
		return status;
	status = summary(invocation, &options, &recording);
	recording_close(&recording);
	return status;
}

const struct command cmd_summary = {
	.name = "summary",
	.syntax = { "[-j <threads>]", "[<file>]" },
	.summary = "Show how long a recording is and which events it holds",
	.details = "\n"
		   "  <file>                    A recording; without it, standard input\n",
	.options = rows,
	.run = run,
};
