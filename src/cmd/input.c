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

static void tell(const struct invocation *invocation, const struct command *command,
		 const struct recording *recording, const struct fault *fault)
{
	char more[48] = "";

	if (fault->count > 1)
		snprintf(more, sizeof(more), " (and %llu more times)",
			 (unsigned long long)fault->count - 1);
	complain(invocation, command, "%s: chunk %zu at byte %llu: %s%s%s%s",
		 recording->source.name, fault->chunk + 1, (unsigned long long)fault->at,
		 fault->type, *fault->type ? ": " : "", fault->cause, more);
}

enum status input_damage(const struct invocation *invocation,
			 const struct command *command, const struct recording *recording,
			 const struct damage *damage)
{
	for (size_t i = 0; i < damage->faults.count; i++)
		tell(invocation, command, recording, &damage->faults.items[i]);
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

void input_check_filter(const struct invocation *invocation,
			const struct command *command, const struct filter *filter,
			const struct metadata *metadata)
{
	const struct type *nearest;

	if (!filter->events.bytes && !filter->categories.bytes)
		return;
	for (size_t i = 0; i < metadata->type_count; i++) {
		if (metadata->types[i].is_event &&
		    filter_accepts(filter, &metadata->types[i]))
			return;
	}
	nearest = filter->events.bytes ? nearest_type(filter->events, metadata) : NULL;
	if (nearest)
		complain(invocation, command,
			 "note: no event type of the recording matches, the nearest is %.*s",
			 (int)nearest->name.size, nearest->name.bytes);
	else
		complain(invocation, command,
			 "note: no event type of the recording matches");
}
