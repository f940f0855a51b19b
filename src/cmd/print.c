/*
 * print.c - cjfr print: the events of a recording as text, JSON or XML.
 */
#include <unistd.h>

#include "base/crew.h"
#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/options.h"
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
	{ "categories", 0, OPTION_FILTER, offsetof(struct options, categories), "<filter>",
	  "Only events of these categories: names or patterns,\n"
	  "separated by commas (JVM, \"Java*\")" },
	{ "events", 0, OPTION_FILTER, offsetof(struct options, events), "<filter>",
	  "Only events of these types: names, with or without their\n"
	  "package, or patterns, separated by commas" },
	{ "exact", 0, OPTION_FLAG, offsetof(struct options, exact), NULL,
	  "Numbers and times in full precision" },
	{ "json", 0, OPTION_FLAG, offsetof(struct options, json), NULL,
	  "As a JSON document" },
	{ "xml", 0, OPTION_FLAG, offsetof(struct options, xml), NULL,
	  "As an XML document" },
	{ "stack-depth", 0, OPTION_COUNT, offsetof(struct options, stack_depth), "<depth>",
	  "Frames shown of each stack trace (5)" },
	{ "jobs", 'j', OPTION_COUNT, offsetof(struct options, jobs), "<threads>",
	  "Threads to use (all processors)" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL },
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

static enum status print(const struct invocation *invocation,
			 const struct options *options, const struct printer *printer,
			 struct recording *recording)
{
	struct filter filter = { str_of(options->events), str_of(options->categories) };
	struct listing_request request = {
		.recording = recording,
		.filter = &filter,
		.printer = printer,
		.options = { options->stack_depth, options->exact },
		.threads = crew_size(options->jobs),
	};
	struct out out = { .fd = STDOUT_FILENO };
	struct damage damage = { 0 };
	struct err err = { 0 };
	enum status status;

	input_check_filter(invocation, &cmd_print, &filter, recording);
	if (!listing_print(&request, &out, &damage, &err) && err.kind != ERR_NONE) {
		out_close(&out, NULL);
		status = input_failed(invocation, &cmd_print, recording, &err);
	} else if (!out_close(&out, &err)) {
		complain(invocation, &cmd_print, "%s", err.text);
		status = STATUS_FAILED;
	} else {
		status = input_damage(invocation, &cmd_print, recording, &damage);
	}
	damage_clear(&damage);
	return status;
}

static enum status run(const struct invocation *invocation, int argc, char **argv)
{
	struct options options = { .stack_depth = 5 };
	const struct printer *printer;
	struct recording recording;
	const char *file;
	bool help_shown;
	enum status status = options_read(invocation, &cmd_print, argc, argv, &options,
					  &file, &help_shown);

	if (status != STATUS_DONE || help_shown)
		return status;
	printer = choose_printer(&options);
	if (!printer)
		return complain_usage(invocation, &cmd_print,
				      "only one format can be specified at a time");
	status = input_open(invocation, &cmd_print, file, &recording);
	if (status != STATUS_DONE)
		return status;
	status = print(invocation, &options, printer, &recording);
	recording_close(&recording);
	return status;
}

const struct command cmd_print = {
	.name = "print",
	.syntax = { "[--xml|--json|--exact]", "[--categories <filter>]",
		    "[--events <filter>]", "[--stack-depth <depth>]", "[-j <threads>]",
		    "[<file>]" },
	.summary = "Print the events of a recording",
	.details = "\n"
		   "  <file>                    A recording; without it, standard input\n"
		   "\n"
		   "Examples:\n"
		   "\n"
		   " cjfr print --events OldObjectSample recording.jfr\n"
		   "\n"
		   " cjfr print --events CPULoad,GarbageCollection recording.jfr\n"
		   "\n"
		   " cjfr print --categories \"GC,JVM,Java*\" recording.jfr\n"
		   "\n"
		   " cjfr print --events \"jdk.*\" --stack-depth 64 recording.jfr\n"
		   "\n"
		   " cat recording.jfr | cjfr print --json --events CPULoad | jq .\n",
	.options = rows,
	.run = run,
};
