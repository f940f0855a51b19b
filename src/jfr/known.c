#include "jfr/known.h"

#include <stdlib.h>

static size_t size_of(const struct known_entry *entry)
{
	return entry->arena.taken;
}

/* Puts it in front of the first `count` entries. */
static void put_first(struct known *known, struct known_entry *entry, size_t count)
{
	for (; count > 0; count--)
		known->entries[count] = known->entries[count - 1];
	known->entries[0] = entry;
}

static void forget_last(struct known *known)
{
	struct known_entry *last = known->entries[--known->count];

	known->bytes -= size_of(last);
	known_release(last);
}

struct known_entry *known_find(struct known *known, struct str body)
{
	for (size_t i = 0; i < known->count; i++) {
		struct known_entry *entry = known->entries[i];

		if (str_is(entry->body, body)) {
			put_first(known, entry, i);
			known_hold(entry);
			return entry;
		}
	}
	return NULL;
}

struct known_entry *known_add(struct known *known, struct str body,
			      const struct metadata *metadata, struct arena *arena)
{
	struct known_entry *entry;

	if (arena->taken > KNOWN_BYTES_MAX)
		return NULL;
	entry = malloc(sizeof(*entry));
	if (!entry)
		return NULL;
	while (known->count == KNOWN_MAX ||
	       arena->taken > KNOWN_BYTES_MAX - known->bytes)
		forget_last(known);
	*entry = (struct known_entry){ .body = body, .metadata = *metadata,
				       .arena = *arena, .shared = { 1 } };
	*arena = (struct arena){ 0 };
	known->bytes += size_of(entry);
	put_first(known, entry, known->count++);
	known_hold(entry);
	return entry;
}

void known_hold(struct known_entry *entry)
{
	shared_hold(&entry->shared);
}

void known_release(struct known_entry *entry)
{
	if (!entry || !shared_release(&entry->shared))
		return;
	metadata_clear(&entry->metadata);
	arena_clear(&entry->arena);
	free(entry);
}

void known_clear(struct known *known)
{
	while (known->count > 0)
		forget_last(known);
}
