#include "copy/layout.h"

#include <stdlib.h>

#include "base/digest.h"

#define LEVELS 3

static uint64_t digest_of_text(struct str text, uint64_t seed)
{
	return digest(text.bytes, text.size, seed);
}

/* Name and fields, without what these are made of. */
static uint64_t outline(const struct type *type)
{
	uint64_t hash = digest_of_text(type->name, type->is_simple);

	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];
		struct str name = field->type ? field->type->name : STR("");
		uint64_t flags = 2 * (uint64_t)field->array + field->pooled;

		hash = digest_of_text(field->name, hash);
		hash = digest_of_text(name, hash + flags);
	}
	return hash;
}

/* The same with what the fields hold. */
static uint64_t deepen(const struct type *type, const uint64_t *outlines)
{
	uint64_t hash = outlines[type->index];

	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];

		if (field->type && !field->pooled)
			hash = digest(&outlines[field->type->index], sizeof(uint64_t),
				      hash);
	}
	return hash;
}

uint64_t *layout_find(const struct metadata *metadata)
{
	size_t count = metadata->type_count;
	uint64_t *now = calloc(count + 1, sizeof(*now)), *next = NULL;

	for (size_t i = 0; now && i < count; i++)
		now[i] = outline(&metadata->types[i]);
	for (int level = 1; now && level < LEVELS; level++) {
		next = calloc(count + 1, sizeof(*next));
		for (size_t i = 0; next && i < count; i++)
			next[i] = deepen(&metadata->types[i], now);
		free(now);
		now = next;
	}
	return now;
}
