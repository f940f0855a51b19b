#include "cmd/input.h"

#include <stdlib.h>

#include "base/source.h"
#include "cmd/usage.h"

enum status input_open(const struct invocation *invocation, const struct command *command,
		       const char *file, struct recording *recording)
{
	struct err err = { 0 };

	if (!file && (invocation->is_jfr || !source_waits()))
		return complain_usage(invocation, command, "missing file");
	if (recording_open(recording, file ? file : "-", &err))
		return STATUS_DONE;
	if (err.kind == ERR_SYSTEM)
		complain(invocation, command, "%s", err.text);
	else
		complain(invocation, command, "%s: %s", file ? file : "standard input",
			 err.text);
	return STATUS_FAILED;
}

enum status input_failed(const struct invocation *invocation,
			 const struct command *command, const struct recording *recording,
			 const struct err *err)
{
	complain(invocation, command, "%s: %s", recording->source.name, err->text);
	return STATUS_FAILED;
}

/* " (and 7 more times)", or nothing for a count of one. */
static const char *more_of(uint64_t count, const char *what, char *to, size_t size)
{
	*to = '\0';
	if (count > 1)
		snprintf(to, size, " (and %llu %s)", (unsigned long long)count - 1, what);
	return to;
}

static void tell(const struct invocation *invocation, const struct command *command,
		 const struct recording *recording, const struct fault *fault)
{
	char more[48];

	complain(invocation, command, "%s: chunk %zu at byte %llu: %s%s%s%s",
		 recording->source.name, fault->chunk + 1, (unsigned long long)fault->at,
		 fault->type, *fault->type ? ": " : "", fault->cause,
		 more_of(fault->count, "more times", more, sizeof(more)));
}

enum status input_damage(const struct invocation *invocation,
			 const struct command *command, const struct recording *recording,
			 const struct damage *damage)
{
	char more[48];

	for (size_t i = 0; i < damage->faults.count; i++)
		tell(invocation, command, recording, &damage->faults.items[i]);
	if (damage->lost_chunks > 0)
		complain(invocation, command, "%s: the chunk is left out: %s%s",
			 recording->source.name, damage->lost.text,
			 more_of(damage->lost_chunks, "more chunks", more, sizeof(more)));
	if (damage->stop.kind != ERR_NONE)
		complain(invocation, command, "%s: nothing is read from there on: %s",
			 recording->source.name, damage->stop.text);
	return damage_is_none(damage) ? STATUS_DONE : STATUS_PARTLY;
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

void input_check_filter(const struct invocation *invocation,
			const struct command *command, const struct filter *filter,
			struct recording *recording)
{
	struct recording look = *recording;	/* finds the chunks, and is forgotten */
	struct chunk_place place;
	struct err err;
	char nearest[128] = "";
	bool accepts = false;

	if (!filter->events.bytes && !filter->categories.bytes)
		return;
	while (!accepts && recording_next(&look, &place, &err)) {
		struct chunk chunk = { .known = &recording->known };

		accepts = !chunk_open(&chunk, place.bytes, place.size, NULL) ||
			  accepts_any(filter, &chunk.metadata);
		if (!accepts && !*nearest)
			keep_nearest(filter->events, &chunk.metadata, nearest,
				     sizeof(nearest));
		chunk_close(&chunk);
	}
	if (!accepts && look.count > 0)
		complain(invocation, command,
			 "note: no event type of the recording matches%s%s",
			 *nearest ? ", the nearest is " : "", nearest);
}
