/*
 * metadata.c - cjfr metadata: the types of a recording, their fields and labels.
 */
#include <stdlib.h>
#include "base/map.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/reading.h"
#include "cmd/usage.h"
#include "filter/filter.h"
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

/*
 * The types of all chunks. Of those with the same id the first; but ids mean something
 * only within a run of a JVM, in others it is the name.
 */
struct catalog {
	VEC(struct chunk *) chunks;	/* those that types come from */
	VEC(const struct type *) types;
	const struct run *run;		/* the first */
	struct map by_id;		/* types of it */
	struct outcome outcome;		/* of the filter */
};

/* Whether the filter takes something of the chunk. */
static bool ask_filter(struct catalog *catalog, const struct chunk *chunk,
		       const struct filter *filter)
{
	struct selection selection = { .chunk = NULL };
	bool is_good = selection_open(&selection, chunk, filter, NULL) &&
		       outcome_add(&catalog->outcome, &selection);

	selection_close(&selection);
	return is_good;
}

static bool is_known(const struct catalog *catalog, const struct type *type,
		     const struct run *run)
{
	if (run == catalog->run)
		return map_find(&catalog->by_id, (uint64_t)type->id) != MAP_NONE;
	for (size_t i = 0; i < catalog->types.count; i++) {
		if (str_is(catalog->types.items[i]->name, type->name))
			return true;
	}
	return false;
}

static bool add_types(struct catalog *catalog, const struct chunk *chunk, bool *has_new)
{
	const struct metadata *metadata = &chunk->metadata;

	if (!catalog->types.count)
		catalog->run = chunk->run;
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (is_known(catalog, type, chunk->run))
			continue;
		*has_new = true;
		if ((chunk->run == catalog->run &&
		     !map_put(&catalog->by_id, (uint64_t)type->id, 0)) ||
		    !vec_push(&catalog->types, type))
			return false;
	}
	return true;
}

/* Keeps the chunk if it has types that no other has. False without memory. */
static bool add_chunk(struct catalog *catalog, struct chunk *chunk)
{
	struct chunk *kept = malloc(sizeof(*kept));
	bool has_new = false, is_good;

	if (!kept) {
		chunk_close(chunk);
		return false;
	}
	*kept = *chunk;
	is_good = add_types(catalog, kept, &has_new);
	if (has_new && vec_push(&catalog->chunks, kept))
		return is_good;
	chunk_close(kept);
	free(kept);
	return is_good && !has_new;
}

static void catalog_clear(struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->chunks.count; i++) {
		chunk_close(catalog->chunks.items[i]);
		free(catalog->chunks.items[i]);
	}
	vec_clear(&catalog->chunks);
	vec_clear(&catalog->types);
	map_clear(&catalog->by_id);
}

static bool catalog_read(struct catalog *catalog, struct reading *reading,
			 const struct filter *filter)
{
	struct err *err = &reading->err;
	struct chunk chunk;

	while (input_open_next(&reading->input, &chunk, &reading->damage, err)) {
		bool is_good = ask_filter(catalog, &chunk, filter);

		if (!add_chunk(catalog, &chunk) || !is_good)
			return err_memory(err);
	}
	return err->kind == ERR_NONE;
}

static int compare(const void *one, const void *other)
{
	const struct type *a = *(const struct type *const *)one;
	const struct type *b = *(const struct type *const *)other;

	return declaration_compare(a, b);
}

static void write_types(struct out *out, const struct catalog *catalog,
			const struct filter *filter, bool with_ids)
{
	bool is_filtered = filter->events.bytes || filter->categories.bytes;

	if (catalog->types.count)
		qsort(catalog->types.items, catalog->types.count,
		      sizeof(*catalog->types.items), compare);
	for (size_t i = 0; i < catalog->types.count && out_drain(out); i++) {
		const struct type *type = catalog->types.items[i];

		if (!is_filtered || (type->is_event && filter_accepts(filter, type)))
			declaration_write(&out->buf, type, with_ids);
	}
}

static bool declare(struct reading *reading, const struct options *options)
{
	struct filter filter = { .events = str_of(options->events),
				 .categories = str_of(options->categories) };
	struct catalog catalog = { 0 };
	bool is_good;

	reading_show_progress(reading, false);
	is_good = catalog_read(&catalog, reading, &filter);
	if (is_good)
		write_types(&reading->out, &catalog, &filter, options->ids);
	reading_tell_outcome(reading, &filter, &catalog.outcome);
	catalog_clear(&catalog);
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
	if (!words.count)
		return complain_usage(invocation, "missing file");
	status = reading_open(&reading, invocation, &words);
	if (status != STATUS_DONE)
		return status;
	return reading_close(&reading, declare(&reading, &options));
}

const struct command cmd_metadata = {
	.name = "metadata",
	.syntax = { "[--categories <filter>]", "[--events <filter>]", "[--ids]" },
	.file = FILE_NEEDED,
	.summary = "Show the event types of a recording, their fields and labels",
	.examples = {
		"cjfr metadata --events jdk.ThreadStart recording.jfr",
		"cjfr metadata --events CPULoad,GarbageCollection recording.jfr",
		"cjfr metadata --categories \"GC,JVM,Java*\" recording.jfr",
	},
	.options = rows,
	.run = run,
};
