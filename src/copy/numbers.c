#include "copy/numbers.h"

#include <stdlib.h>

#include "base/digest.h"
#include "copy/layout.h"

/* New numbers are far from those that other programs give. */
#define FIRST_NUMBER (INT64_C(1) << 40)

/* Events carry theirs, so it is small: two bytes. */
#define FIRST_EVENT_NUMBER (INT64_C(1) << 13)

/* Hostile input cannot make us remember more. */
#define NUMBERS_MAX 1000000

static uint32_t hash_of(struct str text)
{
	return digest_short(digest(text.bytes, text.size, 0));
}

/* The types of a chunk on the way to their numbers. */
struct settling {
	struct numbers *numbers;
	struct accept *accept;
	struct pool *const *pools;
	uint64_t *layouts;		/* layout.h */
	struct map taken;		/* numbers of this chunk, to the type's index */
	bool *is_settled;		/* by type index */
	bool failed;			/* out of memory */
};

/* True if the number is free for what has that hash, or is its own. */
static bool is_free(const struct map *names, int64_t number, uint32_t hash)
{
	uint32_t known = map_find(names, (uint64_t)number);

	return known == MAP_NONE || known == hash;
}

static bool is_taken(const struct settling *settling, int64_t number)
{
	return map_find(&settling->taken, (uint64_t)number) != MAP_NONE;
}

/* True if the type can be found by its number. */
static bool is_first(const struct settling *settling, const struct type *type)
{
	return metadata_type(settling->accept->metadata, type->id) == type;
}

static void settle(struct settling *settling, const struct type *type, int64_t number)
{
	settling->accept->ids[type->index] = number;
	settling->is_settled[type->index] = true;
	if (!map_put(&settling->taken, (uint64_t)number, type->index))
		settling->failed = true;
}

/* A number that no other type of the chunk has, nor had one before. */
static int64_t new_number(const struct settling *settling, const struct map *names,
			  int64_t first, uint32_t hash)
{
	int64_t number = first;

	while (!is_free(names, number, hash) || is_taken(settling, number) ||
	       metadata_type(settling->accept->metadata, number))
		number++;
	return number;
}

/* A type that has no constants, and cannot have any, has no number that is kept. */
static bool is_kept(const struct settling *settling, const struct type *type)
{
	return settling->accept->is_pooled[type->index] ||
	       type->primitive == OP_STRING ||
	       (settling->pools && settling->pools[type->index]);
}

/* The number that event types of that name have already; -1: none, or it is taken. */
static int64_t known_number(const struct settling *settling, uint32_t hash)
{
	const struct numbers *numbers = settling->numbers;
	uint32_t place = map_find(&numbers->event_places, hash);
	int64_t number = place == MAP_NONE ? -1 : numbers->event_numbers.items[place];

	return is_taken(settling, number) ? -1 : number;
}

static void settle_event(struct settling *settling, const struct type *type)
{
	struct numbers *numbers = settling->numbers;
	uint32_t hash = hash_of(type->name);
	int64_t number = numbers->is_foreign ? known_number(settling, hash) : -1;

	if (number < 0 && is_free(&numbers->event_names, type->id, hash) &&
	    !is_taken(settling, type->id))
		number = type->id;
	if (number < 0)
		number = new_number(settling, &numbers->event_names, FIRST_EVENT_NUMBER,
				    hash);
	settle(settling, type, number);
	if (!map_put(&numbers->event_names, (uint64_t)number, hash))
		settling->failed = true;
	if (map_find(&numbers->event_places, hash) == MAP_NONE &&
	    !(vec_push(&numbers->event_numbers, number) &&
	      map_put(&numbers->event_places, hash,
		      (uint32_t)numbers->event_numbers.count - 1)))
		settling->failed = true;
}

static void settle_events(struct settling *settling)
{
	const struct metadata *metadata = settling->accept->metadata;

	for (size_t i = 0; i < metadata->type_count && !settling->failed; i++) {
		const struct type *type = &metadata->types[i];

		if (type->is_event && is_first(settling, type) &&
		    settling->numbers->event_numbers.count < NUMBERS_MAX)
			settle_event(settling, type);
	}
}

static void settle_constants(struct settling *settling, const struct type *type)
{
	struct numbers *numbers = settling->numbers;
	uint32_t space = numbers->spaces ? numbers->spaces[type->index] : 0;
	/* Of two with the same name and different numbers each has its own constants. */
	const uint64_t own[] = { settling->layouts[type->index], space,
				 (uint64_t)type->id };
	uint32_t hash = digest_short(digest(own, sizeof(own), 0));
	int64_t number = type->id;

	if (!is_free(&numbers->names, number, hash) || is_taken(settling, number))
		number = new_number(settling, &numbers->names, FIRST_NUMBER + hash,
				    hash);
	settle(settling, type, number);
	if (!map_put(&numbers->names, (uint64_t)number, hash))
		settling->failed = true;
}

/* All others keep what they have, unless it is given away. */
static void settle_rest(struct settling *settling, const struct type *type)
{
	int64_t number = type->id;

	if (is_taken(settling, number))
		number = new_number(settling, &settling->numbers->names, FIRST_NUMBER,
				    MAP_NONE);
	settle(settling, type, number);
}

bool numbers_settle(struct numbers *numbers, struct accept *accept,
		    struct pool *const *pools)
{
	const struct metadata *metadata = accept->metadata;
	struct settling settling = { .numbers = numbers,
				     .accept = accept,
				     .pools = pools,
				     .layouts = layout_find(metadata) };

	settling.is_settled = calloc(metadata->type_count + 1, sizeof(bool));
	settling.failed = !settling.is_settled || !settling.layouts;
	if (numbers->spaces)
		settle_events(&settling);
	for (size_t i = 0; i < metadata->type_count && !settling.failed; i++) {
		const struct type *type = &metadata->types[i];

		if (!settling.is_settled[i] && is_kept(&settling, type) &&
		    is_first(&settling, type) && numbers->names.count <= NUMBERS_MAX)
			settle_constants(&settling, type);
	}
	for (size_t i = 0; i < metadata->type_count && !settling.failed; i++) {
		const struct type *type = &metadata->types[i];

		if (!settling.is_settled[i] && is_first(&settling, type))
			settle_rest(&settling, type);
	}
	map_clear(&settling.taken);
	free(settling.is_settled);
	free(settling.layouts);
	return !settling.failed;
}

int64_t numbers_of_body(struct str body)
{
	/* FNV-1a, and no digest.h: it is written to the output, and so must not change. */
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < body.size; i++)
		hash = (hash ^ (unsigned char)body.bytes[i]) * UINT64_C(0x100000001b3);
	return (int64_t)(hash >> 2 | UINT64_C(1) << 61);
}

int64_t numbers_of_types(struct str body, const struct accept *accept)
{
	const struct metadata *metadata = accept->metadata;
	uint64_t hash = (uint64_t)numbers_of_body(body);
	bool is_changed = false;

	for (size_t i = 0; i < metadata->type_count; i++) {
		is_changed |= accept->ids[i] != metadata->types[i].id;
		hash = (hash ^ (uint64_t)accept->ids[i]) * UINT64_C(0x100000001b3);
	}
	return is_changed ? (int64_t)(hash >> 2 | UINT64_C(1) << 61)
			  : numbers_of_body(body);
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
	map_clear(&numbers->event_names);
	map_clear(&numbers->event_places);
	vec_clear(&numbers->event_numbers);
}
