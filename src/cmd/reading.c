#include "cmd/reading.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/source.h"
#include "cmd/usage.h"

enum status reading_open(struct reading *reading, const struct invocation *invocation,
			 const char *file)
{
	const char *path = file ? file : "-";
	struct err *err = &reading->err;

	*reading = (struct reading){ .invocation = invocation,
				     .out = { .fd = STDOUT_FILENO } };
	if (!file && invocation->is_jfr)
		return complain_usage(invocation, "missing file");
	if (!file && !source_waits())
		return complain_usage(invocation, "missing file (and standard input "
						  "is neither a pipe nor a file)");
	if (recording_open(&reading->recording, path, err))
		return STATUS_DONE;
	if (err->kind == ERR_SYSTEM)
		complain(invocation, "%s", err->text);
	else
		complain(invocation, "%s: %s",
			 strcmp(path, "-") == 0 ? "standard input" : path, err->text);
	return STATUS_FAILED;
}

/* " (and 7 more times)" for a count of eight, nothing for one. */
static const char *more_of(uint64_t count, const char *what, char *to, size_t size)
{
	*to = '\0';
	if (count > 1)
		snprintf(to, size, " (and %llu %s%s)", (unsigned long long)count - 1, what,
			 count > 2 ? "s" : "");
	return to;
}

/* "cjfr print: r.jfr: message" */
static void tell(const struct reading *reading, const char *message, const char *more)
{
	complain(reading->invocation, "%s: %s%s", reading->recording.source.name,
		 message, more);
}

static void tell_fault(const struct reading *reading, const struct fault *fault)
{
	char text[256], more[48];

	snprintf(text, sizeof(text), "chunk %zu at byte %llu: %s%s%s", fault->chunk + 1,
		 (unsigned long long)fault->at, fault->type, *fault->type ? ": " : "",
		 fault->cause);
	tell(reading, text, more_of(fault->count, "more time", more, sizeof(more)));
}

static enum status tell_damage(const struct reading *reading)
{
	const struct damage *damage = &reading->damage;
	char more[48], text[sizeof(damage->lost.text) + 40];

	for (size_t i = 0; i < damage->faults.count; i++)
		tell_fault(reading, &damage->faults.items[i]);
	if (damage->lost_chunks > 0) {
		snprintf(text, sizeof(text), "%s; this chunk is left out", damage->lost.text);
		tell(reading, text,
		     more_of(damage->lost_chunks, "more chunk", more, sizeof(more)));
	}
	if (damage->stop.kind != ERR_NONE)
		tell(reading, damage->stop.text, "; the rest of the file is not read");
	if (reading->recording.is_unfinished)
		tell(reading, "note: the last chunk is not finished, its newest events "
			      "may be missing", "");
	return damage_is_none(damage) ? STATUS_DONE : STATUS_PARTLY;
}

static enum status tell_end(struct reading *reading, bool is_good)
{
	struct err err = { 0 };
	bool is_written = out_close(&reading->out, &err);

	if (!is_good && reading->err.kind != ERR_NONE)
		tell(reading, reading->err.text, "");
	else if (!is_written)
		complain(reading->invocation, "%s", err.text);
	return is_good && is_written ? tell_damage(reading) : STATUS_FAILED;
}

enum status reading_close(struct reading *reading, bool is_good)
{
	enum status status = tell_end(reading, is_good);

	damage_clear(&reading->damage);
	recording_close(&reading->recording);
	return status;
}

/* The event type whose full or simple name is nearest to the pattern, or NULL. */
static const struct type *nearest_type(struct str pattern, const struct metadata *metadata)
{
	struct str *names = calloc(2 * metadata->type_count + 1, sizeof(*names));
	size_t count = metadata->type_count;
	int nearest;

	if (!names)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		const struct type *type = &metadata->types[i];

		names[i] = type->is_event ? type_simple_name(type) : STR("");
		names[count + i] = type->is_event ? type->name : STR("");
	}
	nearest = str_nearest(pattern, names, 2 * count);
	free(names);
	return nearest < 0 ? NULL : &metadata->types[(size_t)nearest % count];
}

static bool accepts_any(const struct filter *filter, const struct metadata *metadata)
{
	for (size_t i = 0; i < metadata->type_count; i++) {
		if (metadata->types[i].is_event &&
		    filter_accepts(filter, &metadata->types[i]))
			return true;
	}
	return false;
}

/* Puts the name into `to`, which it must fit; else, and without one, that is empty. */
static void keep_nearest(struct str pattern, const struct metadata *metadata, char *to,
			 size_t size)
{
	const struct type *nearest = pattern.bytes ? nearest_type(pattern, metadata) : NULL;

	snprintf(to, size, "%.*s", nearest && nearest->name.size < size
					   ? (int)nearest->name.size : 0,
		 nearest ? nearest->name.bytes : "");
}

void reading_check_filter(struct reading *reading, const struct filter *filter)
{
	struct recording look = reading->recording;	/* finds chunks, and is forgotten */
	struct chunk_place place;
	struct err err;
	char nearest[128] = "";
	bool accepts = false;

	if (!filter->events.bytes && !filter->categories.bytes)
		return;
	while (!accepts && recording_next(&look, &place, &err)) {
		struct chunk chunk = { .known = &reading->recording.known };

		accepts = !chunk_open(&chunk, place.bytes, place.size, NULL) ||
			  accepts_any(filter, &chunk.metadata);
		if (!accepts && !*nearest)
			keep_nearest(filter->events, &chunk.metadata, nearest,
				     sizeof(nearest));
		chunk_close(&chunk);
	}
	if (!accepts && look.count > 0)
		complain(reading->invocation,
			 "note: no event type of the recording matches%s%s",
			 *nearest ? "; the nearest is " : "", nearest);
}
