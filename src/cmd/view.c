/*
 * view.c - cjfr view: what a recording says, as tables.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/crew.h"
#include "cmd/command.h"
#include "cmd/filtering.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/showing.h"
#include "cmd/usage.h"
#include "cmd/viewfiles.h"
#include "cmd/zone.h"

struct options {
	struct filtering filtering;
	bool verbose, json, ndjson, csv;
	int width, cell_height;
	const char *truncate;
	int limit;		/* -1: as the view says */
	const char *sort;
	struct option_list fail_if, views;
	const char *zone;
	int jobs;
};

static const struct option_row rows[] = {
	{ "verbose", 0, OPTION_FLAG, offsetof(struct options, verbose), NULL,
	  "The query behind the view, and the names of fields" },
	{ "width", 0, OPTION_COUNT, offsetof(struct options, width), "<columns>",
	  "The width of tables (default: that of the terminal, or\n"
	  "what suits the view)" },
	{ "truncate", 0, OPTION_TEXT, offsetof(struct options, truncate),
	  "beginning|end", "Cut what is too long there (default: as the view says)" },
	{ "cell-height", 0, OPTION_COUNT, offsetof(struct options, cell_height), "<lines>",
	  "The most lines in a cell (default: as the view says)" },
	{ "limit", 0, OPTION_COUNT, offsetof(struct options, limit), "<count>",
	  "No more rows than that" },
	{ "sort", 0, OPTION_TEXT, offsetof(struct options, sort), "<column>",
	  "Sort by the column of that title or field; ASC or DESC\n"
	  "may stand behind it" },
	{ "csv", 0, OPTION_CHOICE, offsetof(struct options, csv), NULL,
	  "As CSV, with values in base units" },
	{ "json", 0, OPTION_CHOICE, offsetof(struct options, json), NULL,
	  "As a JSON document, with values in base units" },
	{ "ndjson", 0, OPTION_CHOICE, offsetof(struct options, ndjson), NULL,
	  "As lines of JSON, one for each row" },
	{ "fail-if", 0, OPTION_LIST, offsetof(struct options, fail_if), "<condition>",
	  "End with status 4 if this holds for some row:\n"
	  "\"Maximum Pause Time > 50 ms\"; of several, if one holds" },
	{ "views", 0, OPTION_LIST, offsetof(struct options, views), "<file>",
	  "Also the views that are defined in this file" },
	{ "zone", 0, OPTION_TEXT, offsetof(struct options, zone), "recording|utc|local",
	  "Times in this zone (default: local)" },
	FILTERING_ROWS(struct options, filtering),
	OPTION_ROW_OF_JOBS(struct options),
	OPTION_ROW_LAST,
};

static const struct option_row word = {
	"<view>", 0, OPTION_TEXT, 0, NULL,
	"A view (listed below), an event type, a query (\"SELECT\n"
	"...\"), all-views, all-events, or types: the event types"
};

/* NULL: text. */
static const struct grid_format *format_of(const struct options *options)
{
	if (options->csv)
		return &grid_csv;
	if (options->ndjson)
		return &grid_ndjson;
	return options->json ? &grid_json : NULL;
}

static bool read_truncation(const char *mode, enum truncation *truncation)
{
	*truncation = TRUNCATE_DEFAULT;
	if (mode && strcasecmp(mode, "beginning") == 0)
		*truncation = TRUNCATE_BEGINNING;
	if (mode && strcasecmp(mode, "end") == 0)
		*truncation = TRUNCATE_END;
	return !mode || *truncation != TRUNCATE_DEFAULT;
}

/* What is wrong with the options together, or NULL. */
static const char *conflict(const struct options *options)
{
	enum truncation truncation;

	if (options->csv + options->json + options->ndjson > 1)
		return "only one of --csv, --json and --ndjson can be given";
	if (!read_truncation(options->truncate, &truncation))
		return "--truncate must be 'beginning' or 'end'";
	return NULL;
}

/* What cannot be had of several views at a time, or of types, or NULL. */
static const char *conflict_of_several(const struct options *options,
				       enum subject_kind kind)
{
	if (kind == SUBJECT_ONE)
		return NULL;
	if (options->csv && kind != SUBJECT_TYPES)
		return "--csv writes one table: name a single view";
	if (options->sort)
		return "--sort needs a single view";
	return options->fail_if.count ? "--fail-if needs a single view" : NULL;
}

/* --- the list of views --------------------------------------------------------------------- */

static const struct {
	const char *category;
	const char *title;
} categories[] = {
	{ "application", "What the application does" },
	{ "jvm", "What the Java virtual machine does" },
	{ "environment", "Where it runs" },
};

static void list_category(FILE *to, const struct views *views, struct str category,
			  struct str title)
{
	fprintf(to, "\n%.*s:\n\n", (int)title.size, title.bytes);
	for (size_t i = 0; i < views->items.count; i++) {
		const struct view *view = &views->items.items[i];
		struct str about = view->about.bytes ? view->about : view->label;

		if (str_is(view->category, category))
			fprintf(to, "  %-31.*s %.*s\n", (int)view->name.size,
				view->name.bytes, (int)about.size, about.bytes);
	}
}

static bool is_listed(struct str category)
{
	for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
		if (str_is(category, str_of(categories[i].category)))
			return true;
	}
	return false;
}

/* Users may have categories of their own; those come last, each once. */
static void list_others(FILE *to, const struct views *views)
{
	for (size_t i = 0; i < views->items.count; i++) {
		struct str category = views->items.items[i].category;
		bool is_new = !is_listed(category);

		for (size_t j = 0; j < i; j++)
			is_new &= !str_is(views->items.items[j].category, category);
		if (is_new)
			list_category(to, views, category, category);
	}
}

static void list_views(FILE *to, const struct views *views)
{
	for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++)
		list_category(to, views, str_of(categories[i].category),
			      str_of(categories[i].title));
	list_others(to, views);
}

static void tell_views(FILE *to)
{
	struct views views = { .arena = { 0 } };

	if (views_add_own(&views, NULL))
		list_views(to, &views);
	views_clear(&views);
}

/* --- one view, or several ------------------------------------------------------------------- */

/* Stands in the terminal, if it goes there. */
static int width_of(const struct options *options, const struct reading *reading)
{
	if (options->width || reading->invocation->is_jfr || !reading->out.is_terminal)
		return options->width;
	return (int)grid_width(reading->out.fd);
}

static enum status show(const struct invocation *invocation, struct options *options,
			const struct views *views, const struct subject *subject,
			const struct words *words, struct filter *filter)
{
	const struct words files = { words->items + 1, words->count - 1 };
	struct reading reading;
	enum input_zone zone;
	enum status status;
	struct showing showing = {
		.reading = &reading, .views = views, .word = str_of(words->items[0]),
		.subject = subject, .filter = filter,
		.layout = { .cell_height = options->cell_height,
			    .is_verbose = options->verbose },
		.format = format_of(options), .limit = options->limit,
		.sort = options->sort, .fail_if = &options->fail_if,
		.threads = crew_size(options->jobs),
	};

	read_truncation(options->truncate, &showing.layout.truncation);
	if (!zone_read(invocation, options->zone, ZONE_LOCAL, &zone))
		return STATUS_USAGE;
	status = reading_open(&reading, invocation, &files);
	if (status != STATUS_DONE)
		return status;
	reading.input.zone_kind = zone;
	showing.layout.width = width_of(options, &reading);
	status = reading_close(&reading, showing_run(&showing));
	if (showing.has_held && (status == STATUS_DONE || status == STATUS_PARTLY))
		status = STATUS_HELD;
	if (showing.is_untested && status == STATUS_DONE)
		status = STATUS_FAILED;
	return status;
}

/* A single word is a view of standard input; as jfr, and if there is one, a file. */
static enum status check_words(const struct invocation *invocation,
			       const struct words *words)
{
	if (words->count == 0)
		return complain_usage(invocation, "missing file");
	if (words->count == 1 && access(words->items[0], F_OK) == 0)
		return complain_usage(invocation, "missing view or event type in front "
						  "of the file");
	if (words->count > 1 || !invocation->is_jfr)
		return STATUS_DONE;
	complain(invocation, "cannot open '%s' (%s)", words->items[0], strerror(errno));
	return STATUS_FAILED;
}

static enum status run_with(const struct invocation *invocation, struct options *options,
			    const struct words *words, const struct views *views)
{
	struct arena arena = { 0 };
	struct subject subject;
	struct filter filter;
	enum status status;

	if (words->count == 0 && !invocation->is_jfr) {
		printf("The views of %s; more about them: man cjfr-views.\n",
		       invocation->program);
		list_views(stdout, views);
		return STATUS_DONE;
	}
	status = check_words(invocation, words);
	if (status != STATUS_DONE)
		return status;
	subject_of(&subject, views, str_of(words->items[0]), &arena);
	if (arena.failed) {
		complain(invocation, "out of memory");
		arena_clear(&arena);
		return STATUS_FAILED;
	}
	if (conflict_of_several(options, subject.kind))
		return complain_usage(invocation, "%s",
				      conflict_of_several(options, subject.kind));
	status = filtering_read(invocation, &options->filtering, &filter);
	if (status == STATUS_DONE) {
		status = show(invocation, options, views, &subject, words, &filter);
		filter_clear(&filter);
	}
	arena_clear(&arena);
	return status;
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { .limit = -1 };
	struct views views = { .arena = { 0 } };
	enum status status;
	struct words words;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	if (conflict(&options))
		return complain_usage(invocation, "%s", conflict(&options));
	status = viewfiles_load(invocation, &options.views, &views);
	if (status == STATUS_DONE)
		status = run_with(invocation, &options, &words, &views);
	views_clear(&views);
	return status;
}

const struct command cmd_view = {
	.name = "view",
	.syntax = { "[--verbose] [--width <columns>]", "[--truncate <mode>]",
		    "[--cell-height <lines>]", "[--csv|--json|--ndjson]",
		    "[--limit <count>] [--sort <column>]", "[--fail-if <condition>]...",
		    "[--views <file>]... [--zone <zone>]",
		    "[--categories <filter>] [--events <filter>]",
		    "[--from <time>] [--to <time>] [--last <duration>]",
		    "[--thread <filter>] [--min-duration <duration>]",
		    "[--where <condition>]... [-j <threads>]", "<view>" },
	.jfr_syntax = { "[--verbose]", "[--width <columns>]", "[--truncate <mode>]",
			"[--cell-height <lines>]", "<view>" },
	.file = FILE_OR_INPUT,
	.word = &word,
	.summary = "Show what a recording says, as tables",
	.examples = {
		"cjfr view gc recording.jfr",
		"cjfr view --width 160 hot-methods recording.jfr",
		"cjfr view method-timing --sort \"Maximum Time\" --limit 10 recording.jfr",
		"cjfr view --last 5m --thread \"http-*\" latencies-by-type recording.jfr",
		"cjfr view --fail-if \"Maximum Pause Time > 50 ms\" gc-pauses recording.jfr",
		"cjfr view \"SELECT path, SUM(bytesRead) FROM FileRead GROUP BY path\" "
		"recording.jfr",
		"cjfr view --json hot-methods recording.jfr | jq .rows[0]",
	},
	.options = rows,
	.tell_more = tell_views,
	.run = run,
};
