/*
 * summary.c - cjfr summary: how long a recording is, what it holds, where its bytes go.
 */
#include "base/crew.h"
#include "cmd/command.h"
#include "cmd/filtering.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "count/inventory.h"
#include "render/ledger.h"

#define TOP_NOT_GIVEN (-1)
#define TOP 10

struct options {
	struct filtering filtering;
	bool chunks, pools, json, csv;
	int top;
	int jobs;
};

static const struct option_row rows[] = {
	FILTERING_ROWS(struct options, filtering),
	{ "chunks", 0, OPTION_FLAG, offsetof(struct options, chunks), NULL,
	  "The chunks: when, how large, in what state, what\n"
	  "recorded them" },
	{ "pools", 0, OPTION_FLAG, offsetof(struct options, pools), NULL,
	  "The constant pools: what they take up, and what of it\n"
	  "is not needed; the largest strings and stack traces" },
	{ "top", 0, OPTION_COUNT, offsetof(struct options, top), "<number>",
	  "Strings and stack traces shown with --pools (default: 10)" },
	{ "json", 0, OPTION_CHOICE, offsetof(struct options, json), NULL,
	  "As a JSON document" },
	{ "csv", 0, OPTION_CHOICE, offsetof(struct options, csv), NULL,
	  "One table as CSV: the events, the chunks or the pools" },
	OPTION_ROW_OF_JOBS(struct options),
	OPTION_ROW_LAST,
};

/* What is wrong with the options together, or NULL. */
static const char *conflict(const struct options *options)
{
	if (options->json && options->csv)
		return "only one of --json and --csv can be given";
	if (options->csv && options->chunks && options->pools)
		return "--csv writes one table: give only one of --chunks and --pools";
	if (options->top != TOP_NOT_GIVEN && !options->pools)
		return "--top needs --pools";
	return NULL;
}

static const struct grid_format *format_of(const struct options *options)
{
	if (options->json)
		return &grid_json;
	return options->csv ? &grid_csv : &grid_text;
}

static bool summarize(struct reading *reading, const struct options *options,
		      struct filter *filter)
{
	struct inventory inventory = {
		.wants_chunks = options->chunks,
		.wants_pools = options->pools,
		.top = options->top == TOP_NOT_GIVEN ? TOP : (size_t)options->top,
		.filter = filter,
	};
	bool is_good;

	reading_show_progress(reading, false);
	is_good = reading_resolve(reading, filter) &&
		  inventory_take(&inventory, &reading->input, crew_size(options->jobs),
				 &reading->damage, &reading->err);
	reading_tell_outcome(reading, filter, &inventory.tally.outcome);
	if (is_good)
		ledger_write(&inventory, format_of(options),
			     grid_width(reading->out.fd), &reading->out);
	inventory_clear(&inventory);
	return is_good;
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { .top = TOP_NOT_GIVEN };
	struct reading reading;
	struct filter filter;
	enum status status;
	struct words words;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	if (conflict(&options))
		return complain_usage(invocation, "%s", conflict(&options));
	status = filtering_read(invocation, &options.filtering, &filter);
	if (status != STATUS_DONE)
		return status;
	if ((options.chunks || options.pools) && !filter_takes_all(&filter))
		status = complain_usage(invocation, "--chunks and --pools count everything: "
						    "they go with no filter");
	if (status == STATUS_DONE)
		status = reading_open(&reading, invocation, &words);
	if (status == STATUS_DONE)
		status = reading_close(&reading, summarize(&reading, &options, &filter));
	filter_clear(&filter);
	return status;
}

const struct command cmd_summary = {
	.name = "summary",
	.syntax = { "[--categories <filter>]", "[--events <filter>]",
		    "[--from <time>] [--to <time>]", "[--last <duration>]",
		    "[--thread <filter>]", "[--min-duration <duration>]",
		    "[--where <condition>]...", "[--chunks]",
		    "[--pools [--top <number>]]", "[--json|--csv]", "[-j <threads>]" },
	.jfr_syntax = { "" },
	.file = FILE_OR_INPUT,
	.summary = "Show how long a recording is and which events it holds",
	.examples = {
		"cjfr summary --chunks recording.jfr",
		"cjfr summary --pools --top 3 recording.jfr",
		"cjfr summary --last 5m --thread \"http-*\" recording.jfr",
		"cjfr summary --json recording.jfr | jq '.events[:5]'",
	},
	.options = rows,
	.run = run,
};
