/*
 * print.c - cjfr print: the events of a recording as text, JSON or XML.
 */
#include "base/crew.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "render/listing.h"

struct options {
	const char *events;
	const char *categories;
	int stack_depth;
	int jobs;
	bool exact, json, xml;
};

static const struct option_row rows[] = {
	OPTION_ROWS_OF_FILTER(struct options),
	{ "exact", 0, OPTION_CHOICE, offsetof(struct options, exact), NULL,
	  "Numbers and times in full precision" },
	{ "json", 0, OPTION_CHOICE, offsetof(struct options, json), NULL,
	  "As a JSON document" },
	{ "xml", 0, OPTION_CHOICE, offsetof(struct options, xml), NULL,
	  "As an XML document" },
	{ "stack-depth", 0, OPTION_COUNT, offsetof(struct options, stack_depth), "<depth>",
	  "Frames shown of each stack trace (default: 5)" },
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
	{ offsetof(struct options, xml), &xml_printer },
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
		  const struct printer *printer)
{
	struct filter filter = { .events = str_of(options->events),
				 .categories = str_of(options->categories) };
	struct listing_request request = {
		.recording = &reading->recording,
		.filter = &filter,
		.printer = printer,
		.options = { options->stack_depth, options->exact },
		.threads = crew_size(options->jobs),
	};

	reading_check_filter(reading, &filter);
	return listing_print(&request, &reading->out, &reading->damage, &reading->err);
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { .stack_depth = 5 };
	const struct printer *printer;
	struct reading reading;
	enum status status;
	const char *file;

	if (!options_read(invocation, &options, &file, &status))
		return status;
	printer = choose_printer(&options);
	if (!printer)
		return complain_usage(invocation,
				      "only one of --xml, --json and --exact can be given");
	status = reading_open(&reading, invocation, file);
	if (status != STATUS_DONE)
		return status;
	return reading_close(&reading, print(&reading, &options, printer));
}

const struct command cmd_print = {
	.name = "print",
	.syntax = { "[--xml|--json|--exact]", "[--categories <filter>]",
		    "[--events <filter>]", "[--stack-depth <depth>]", "[-j <threads>]" },
	.file = FILE_OR_INPUT,
	.summary = "Print the events of a recording",
	.examples = {
		"cjfr print --events OldObjectSample recording.jfr",
		"cjfr print --events CPULoad,GarbageCollection recording.jfr",
		"cjfr print --categories \"GC,JVM,Java*\" recording.jfr",
		"cjfr print --events \"jdk.*\" --stack-depth 64 recording.jfr",
		"cat recording.jfr | cjfr print --json --events CPULoad | jq .",
	},
	.options = rows,
	.run = run,
};
