/*
 * summary.c - cjfr summary: how long a recording is and what it holds.
 */
#include "base/crew.h"
#include "base/utf.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "jfr/tally.h"
#include "render/units.h"

struct options {
	int jobs;
};

static const struct option_row rows[] = {
	OPTION_ROW_OF_JOBS(struct options),
	OPTION_ROW_LAST,
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

static void write_rows(struct out *out, const struct tally *tally)
{
	struct buf *to = &out->buf;
	size_t width = sizeof(HEADING) - 1;

	width = tally->name_width > width ? tally->name_width : width;
	buf_text(to, HEADING);
	buf_fill(to, ' ', width - (sizeof(HEADING) - 1));
	buf_text(to, COLUMNS "\n");
	buf_fill(to, '=', width + sizeof(COLUMNS) - 1);
	buf_byte(to, '\n');
	for (size_t i = 0; i < tally->rows.count && out_drain(out); i++) {
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

static bool summarize(struct reading *reading, int jobs)
{
	struct tally tally = { 0 };
	bool is_good = tally_input(&tally, &reading->input, crew_size(jobs),
				       &reading->damage, &reading->err);

	if (is_good) {
		write_head(&reading->out.buf, &tally);
		write_rows(&reading->out, &tally);
	}
	tally_clear(&tally);
	return is_good;
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { 0 };
	struct reading reading;
	enum status status;
	struct words words;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	status = reading_open(&reading, invocation, &words);
	if (status != STATUS_DONE)
		return status;
	return reading_close(&reading, summarize(&reading, options.jobs));
}

const struct command cmd_summary = {
	.name = "summary",
	.syntax = { "[-j <threads>]" },
	.file = FILE_OR_INPUT,
	.summary = "Show how long a recording is and which events it holds",
	.options = rows,
	.run = run,
};
