#include "jfr/known.h"

bool known_find(struct known *known, struct str body, struct metadata *metadata)
{
	for (size_t i = 0; i < known->count; i++) {
		if (str_is(known->entries[i].body, body)) {
			*metadata = known->entries[i].metadata;
			known->newest = &known->entries[i];
			return true;
		}
	}
	return false;
}

bool known_add(struct known *known, struct str body, const struct metadata *metadata,
	       struct arena *arena)
{
	struct known_entry *entry = &known->entries[known->count];

	known->newest = NULL;
	if (known->count == KNOWN_MAX ||
	    arena->taken > KNOWN_BYTES_MAX - known->bytes)
		return false;
	known->bytes += arena->taken;
	known->newest = entry;
	*entry = (struct known_entry){ body, *metadata, *arena };
	*arena = (struct arena){ 0 };
	known->count++;
	return true;
}

void known_clear(struct known *known)
{
	for (size_t i = 0; i < known->count; i++) {
		metadata_clear(&known->entries[i].metadata);
		arena_clear(&known->entries[i].arena);
	}
	known->count = known->bytes = 0;
	known->newest = NULL;
}
