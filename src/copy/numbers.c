#include "copy/numbers.h"

/* New numbers are far from those that other programs give. */
#define FIRST_NUMBER (INT64_C(1) << 40)

/* Hostile input cannot make us remember more. */
#define NUMBERS_MAX 1000000

static uint32_t hash_of(struct str text)
{
	uint32_t hash = 0x811c9dc5;	/* FNV-1a */

	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.bytes[i]) * 0x01000193;
	return hash & 0x7fffffff;
}

/* True if the number is free for that name, or is its own. */
static bool is_free(const struct numbers *numbers, int64_t number, uint32_t name)
{
	uint32_t known = map_find(&numbers->names, (uint64_t)number);

	return known == MAP_NONE || known == name;
}

/* A type that has no constants has no number that is kept. */
static bool is_kept(const struct accept *accept, const struct type *type)
{
	return (accept->is_pooled[type->index] || type->primitive == OP_STRING) &&
	       metadata_type(accept->metadata, type->id) == type;
}

/* A number that no other type of the chunk has, nor had one before. */
static int64_t new_number(const struct numbers *numbers, const struct metadata *metadata,
			  const struct map *taken, uint32_t name)
{
	int64_t number = FIRST_NUMBER + name;

	while (!is_free(numbers, number, name) || metadata_type(metadata, number) ||
	       map_find(taken, (uint64_t)number) != MAP_NONE)
		number++;
	return number;
}

bool numbers_settle(struct numbers *numbers, struct accept *accept)
{
	const struct metadata *metadata = accept->metadata;
	struct map taken = { 0 };	/* new numbers of this chunk */
	bool is_good = true;

	for (size_t i = 0; i < metadata->type_count && is_good; i++) {
		const struct type *type = &metadata->types[i];
		uint32_t name = hash_of(type->name);

		if (!is_kept(accept, type) || numbers->names.count > NUMBERS_MAX)
			continue;
		if (!is_free(numbers, type->id, name)) {
			accept->ids[i] = new_number(numbers, metadata, &taken, name);
			is_good = map_put(&taken, (uint64_t)accept->ids[i], 0);
		}
		is_good = is_good &&
			  map_put(&numbers->names, (uint64_t)accept->ids[i], name);
	}
	map_clear(&taken);
	return is_good;
}

int64_t numbers_of_body(struct str body)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */

	for (size_t i = 0; i < body.size; i++)
		hash = (hash ^ (unsigned char)body.bytes[i]) * UINT64_C(0x100000001b3);
	return (int64_t)(hash >> 2 | UINT64_C(1) << 61);
}

int64_t numbers_metadata(struct numbers *numbers, int64_t number, struct str body)
{
	int64_t hash = numbers_of_body(body);

	if (numbers->has_metadata && numbers->metadata == number && numbers->body != hash)
		number = hash;
	numbers->has_metadata = true;
	numbers->metadata = number;
	numbers->body = hash;
	return number;
}

void numbers_clear(struct numbers *numbers)
{
	map_clear(&numbers->names);
}
