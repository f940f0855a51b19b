/*
 * metadata.c - cjfr metadata: the types of a recording, their fields and labels; or of
 * what we record.
 */
#include <stdlib.h>
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "count/catalog.h"
#include "filter/filter.h"
#include "jfr/eventtypes.h"
#include "render/declaration.h"
#include "render/out.h"

struct options {
	const char *events;
	const char *categories;
	bool ids;
};

static const struct option_row rows[] = {
	OPTION_ROWS_OF_FILTER(struct options),
	{ "ids", 0, OPTION_FLAG, offsetof(struct options, ids), NULL,
	  "Show the numbers of types as comments" },
	OPTION_ROW_LAST,
};

static int compare(const void *one, const void *other)
{
	const struct catalog_type *a = one, *b = other;

	return declaration_compare(a->type, b->type);
}

static void write_types(struct out *out, struct catalog *catalog,
			const struct filter *filter, bool with_ids)
{
	bool is_filtered = filter->events.bytes || filter->categories.bytes;

	if (catalog->types.count)
		qsort(catalog->types.items, catalog->types.count,
		      sizeof(*catalog->types.items), compare);
	for (size_t i = 0; i < catalog->types.count && out_drain(out); i++) {
		const struct type *type = catalog->types.items[i].type;

		if (!is_filtered || (type->is_event && filter_accepts(filter, type)))
			declaration_write(&out->buf, type, with_ids);
	}
}

/* `whose` as in an outcome. */
static bool declare(struct reading *reading, const struct options *options,
		    const char *whose)
{
	struct filter filter = { .events = str_of(options->events),
				 .categories = str_of(options->categories) };
	struct catalog catalog = { .outcome.whose = whose };
	bool is_good;

	reading_show_progress(reading, false);
	is_good = catalog_take(&catalog, &reading->input, &filter, &reading->damage,
			       &reading->err);
	if (is_good)
		write_types(&reading->out, &catalog, &filter, options->ids);
	reading_tell_outcome(reading, &filter, &catalog.outcome);
	catalog_clear(&catalog);
	return is_good;
}

/* The types of our own engine, read as if from a recording. */
static enum status declare_ours(const struct invocation *invocation,
				const struct options *options)
{
	struct buf bytes = { 0 };
	struct reading reading;
	enum status status = STATUS_FAILED;
	struct err err = { 0 };

	if (!eventtypes_recording(&bytes, &err))
		complain(invocation, "%s", err.text);
	else
		status = reading_open_bytes(&reading, invocation, "event types of cjfr",
					    bytes.bytes, bytes.size);
	if (status == STATUS_DONE)
		status = reading_close(&reading, declare(&reading, options,
							 "that cjfr records"));
	buf_clear(&bytes);
	return status;
}

static enum status run(const struct invocation *invocation)
{
	struct options options = { 0 };
	struct reading reading;
	enum status status;
	struct words words;

	if (!options_read(invocation, &options, &words, &status))
		return status;
	if (!words.count)
		return declare_ours(invocation, &options);
	status = reading_open(&reading, invocation, &words);
	if (status != STATUS_DONE)
		return status;
	return reading_close(&reading, declare(&reading, &options, NULL));
}

const struct command cmd_metadata = {
	.name = "metadata",
	.syntax = { "[--categories <filter>]", "[--events <filter>]", "[--ids]" },
	.file = FILE_OPTIONAL,
	.without_file = "the event types that cjfr itself records",
	.summary = "Show the event types of a recording, their fields and labels",
	.examples = {
		"cjfr metadata --events jdk.ThreadStart recording.jfr",
		"cjfr metadata --events CPULoad,GarbageCollection recording.jfr",
		"cjfr metadata --categories \"GC,JVM,Java*\" recording.jfr",
		"cjfr metadata --events \"Thread*\"",
	},
	.options = rows,
	.run = run,
};
