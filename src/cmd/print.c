/*
 * print.c - cjfr print: the events of a recording as text, JSON, XML or CSV.
 */
#include <string.h>

#include "base/crew.h"
#include "cmd/command.h"
#include "cmd/filtering.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "cmd/zone.h"
#include "render/listing.h"

struct options {
	struct filtering filtering;
	const char *zone;
	const char *sort;
	int limit;		/* -1: none */
	int stack_depth;
	int jobs;
	bool exact, json, ndjson, xml, csv;
};

static const struct option_row rows[] = {
	FILTERING_ROWS(struct options, filtering),
	{ "exact", 0, OPTION_CHOICE, offsetof(struct options, exact), NULL,
	  "Numbers and times in full precision" },
	{ "json", 0, OPTION_CHOICE, offsetof(struct options, json), NULL,
	  "As a JSON document" },
	{ "ndjson", 0, OPTION_CHOICE, offsetof(struct options, ndjson), NULL,
	  "As lines of JSON, one for each event" },
	{ "xml", 0, OPTION_CHOICE, offsetof(struct options, xml), NULL,
	  "As an XML document" },
	{ "csv", 0, OPTION_CHOICE, offsetof(struct options, csv), NULL,
	  "As a table, with a row for each event" },
	{ "stack-depth", 0, OPTION_COUNT, offsetof(struct options, stack_depth), "<depth>",
	  "Frames shown of each stack trace (default: 5)" },
	{ "limit", 0, OPTION_COUNT, offsetof(struct options, limit), "<count>",
	  "No more events than that" },
	{ "sort", 0, OPTION_TEXT, offsetof(struct options, sort), "time",
	  "In the order in which events started, over all files" },
	{ "zone", 0, OPTION_TEXT, offsetof(struct options, zone), "recording|utc|local",
	  "Times in this zone (default: that of the recording; utc for\n"
	  "--csv and --ndjson)" },
	OPTION_ROW_OF_JOBS(struct options),
	OPTION_ROW_LAST,
};

/* The options that choose a format, of which one may be given. */
static const struct {
	size_t flag;
	const struct printer *printer;
} formats[] = {
	{ offsetof(struct options, exact), &pretty_printer },
	{ offsetof(struct options, json), &json_printer },
	{ offsetof(struct options, ndjson), &ndjson_printer },
	{ offsetof(struct options, xml), &xml_printer },
	{ offsetof(struct options, csv), &csv_printer },
};

/* NULL if more than one is given. */
static const struct printer *choose_printer(const struct options *options)
{
	const struct printer *chosen = NULL;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (!*(const bool *)((const char *)options + formats[i].flag))
			continue;
		if (chosen)
			return NULL;
		chosen = formats[i].printer;
	}
	return chosen ? chosen : &pretty_printer;
}

static bool print(struct reading *reading, const struct options *options,
		  const struct printer *printer, struct filter *filter)
{
	struct outcome outcome = { .chunks = 0 };
	struct listing_request request = {
		.input = &reading->input,
		.filter = filter,
		.printer = printer,
		.is_by_start = options->sort != NULL,
		.has_limit = options->limit >= 0,
		.limit = (uint64_t)options->limit,
		.outcome = &outcome,
		.options = { .stack_depth = options->stack_depth,
			     .exact = options->exact },
		.threads = crew_size(options->jobs),
	};
	bool is_good;

	reading_show_progress(reading, true);
	is_good = reading_resolve(reading, filter) &&
		  listing_print(&request, &reading->out, &reading->damage, &reading->err);
	reading_tell_outcome(reading, filter, &outcome);
	return is_good;
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { .stack_depth = 5, .limit = -1 };
	const struct printer *printer;
	struct reading reading;
	struct filter filter;
	enum input_zone zone;
	enum status status;
	struct words words;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	printer = choose_printer(&options);
	if (!printer)
		return complain_usage(invocation,
				      "only one of --xml, --json, --ndjson, --csv and "
				      "--exact can be given");
	if (options.sort && strcmp(options.sort, "time") != 0)
		return complain_usage(invocation, "events are sorted by time only, not by '%s'",
				      options.sort);
	if (!zone_read(invocation, options.zone,
		       printer->in_utc ? ZONE_UTC : ZONE_RECORDING, &zone))
		return STATUS_USAGE;
	status = filtering_read(invocation, &options.filtering, &filter);
	if (status != STATUS_DONE)
		return status;
	status = reading_open(&reading, invocation, &words);
	reading.input.zone_kind = zone;
	if (status == STATUS_DONE)
		status = reading_close(&reading,
				       print(&reading, &options, printer, &filter));
	filter_clear(&filter);
	return status;
}

const struct command cmd_print = {
	.name = "print",
	.syntax = { "[--xml|--json|--ndjson|--csv|--exact]", "[--categories <filter>]",
		    "[--events <filter>]", "[--from <time>] [--to <time>]",
		    "[--last <duration>]", "[--thread <filter>]",
		    "[--min-duration <duration>]", "[--where <condition>]...",
		    "[--sort time] [--limit <count>]", "[--stack-depth <depth>]",
		    "[--zone <zone>]", "[-j <threads>]" },
	.jfr_syntax = { "[--xml|--json|--exact]", "[--categories <filter>]",
			"[--events <filter>]", "[--stack-depth <depth>]" },
	.file = FILE_OR_INPUT,
	.summary = "Print the events of a recording",
	.examples = {
		"cjfr print --events OldObjectSample recording.jfr",
		"cjfr print --events CPULoad,GarbageCollection recording.jfr",
		"cjfr print --categories \"GC,JVM,Java*\" recording.jfr",
		"cjfr print --events \"jdk.*\" --stack-depth 64 recording.jfr",
		"cjfr print --last 5m --min-duration 20ms --sort time recording.jfr",
		"cjfr print --where \"path ~ *.log\" --csv --events FileRead recording.jfr",
		"cat recording.jfr | cjfr print --json --events CPULoad | jq .",
	},
	.options = rows,
	.run = run,
};
