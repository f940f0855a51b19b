#include "count/catalog.h"

#include <stdlib.h>

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

/* The index of the run, which may be a new one; false without memory. */
static bool enter_run(struct catalog *catalog, const struct run *run, size_t *index)
{
	struct catalog_run fresh = { .run = run };

	for (*index = 0; *index < catalog->runs.count; ++*index) {
		if (catalog->runs.items[*index].run == run)
			return true;
	}
	return vec_push(&catalog->runs, fresh);
}

/* The type of that name that another run has declared; MAP_NONE: there is none. */
static uint32_t type_of_others(const struct catalog *catalog, size_t run,
			       struct str name)
{
	for (size_t i = 0; i < catalog->types.count && catalog->runs.count > 1; i++) {
		const struct catalog_type *known = &catalog->types.items[i];

		if (known->run != run && str_is(known->type->name, name))
			return (uint32_t)i;
	}
	return MAP_NONE;
}

/* False without memory. */
static bool add_type(struct catalog *catalog, const struct type *type, size_t run,
		     bool *has_new)
{
	struct map *by_id = &catalog->runs.items[run].by_id;
	struct catalog_type fresh = { .type = type };
	uint32_t index;

	if (map_find(by_id, (uint64_t)type->id) != MAP_NONE)
		return true;
	index = type_of_others(catalog, run, type->name);
	if (index == MAP_NONE) {
		index = (uint32_t)catalog->types.count;
		*has_new = true;
		if (!vec_push(&catalog->types, fresh))
			return false;
	}
	catalog->types.items[index].run = run;
	return map_put(by_id, (uint64_t)type->id, index);
}

static bool add_types(struct catalog *catalog, const struct chunk *chunk, bool *has_new)
{
	const struct metadata *metadata = &chunk->metadata;
	size_t run;

	if (!enter_run(catalog, chunk->run, &run))
		return false;
	for (size_t i = 0; i < metadata->type_count; i++) {
		if (!add_type(catalog, &metadata->types[i], run, has_new))
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

bool catalog_take(struct catalog *catalog, struct input *input,
		  const struct filter *filter, struct damage *damage, struct err *err)
{
	struct chunk chunk;

	while (input_open_next(input, &chunk, damage, err)) {
		bool is_good = ask_filter(catalog, &chunk, filter);

		if (!add_chunk(catalog, &chunk) || !is_good)
			return err_memory(err);
	}
	return err->kind == ERR_NONE;
}

void catalog_clear(struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->chunks.count; i++) {
		chunk_close(catalog->chunks.items[i]);
		free(catalog->chunks.items[i]);
	}
	for (size_t i = 0; i < catalog->runs.count; i++)
		map_clear(&catalog->runs.items[i].by_id);
	vec_clear(&catalog->runs);
	vec_clear(&catalog->chunks);
	vec_clear(&catalog->types);
	outcome_clear(&catalog->outcome);
}
