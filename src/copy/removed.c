#include "copy/removed.h"

#include <stdlib.h>

#include "base/javahash.h"

bool removed_add(struct removed *removed, const struct type *type,
		 const struct removed_count *count)
{
	uint32_t index = map_find(&removed->by_id, (uint64_t)type->id);
	struct removed_row row = { .id = type->id, .name.size = type->name.size };

	if (count->total == 0)
		return true;
	if (index == MAP_NONE) {
		index = (uint32_t)removed->rows.count;
		row.name.bytes = arena_copy(&removed->arena, type->name.bytes,
					    type->name.size);
		if (!row.name.bytes || !vec_push(&removed->rows, row) ||
		    !map_put(&removed->by_id, (uint64_t)type->id, index))
			return false;
	}
	removed->rows.items[index].count.total += count->total;
	removed->rows.items[index].count.removed += count->removed;
	return true;
}

static bool find_places(struct removed *removed)
{
	size_t count = removed->rows.count;
	int64_t *ids = calloc(count + 1, sizeof(*ids));
	size_t *places = calloc(count + 1, sizeof(*places));
	bool is_good;

	for (size_t i = 0; ids && i < count; i++)
		ids[i] = removed->rows.items[i].id;
	is_good = ids && places && javahash_longs(ids, count, places);
	for (size_t i = 0; is_good && i < count; i++)
		removed->rows.items[i].place = places[i];
	free(ids);
	free(places);
	return is_good;
}

static int compare(const void *one, const void *other)
{
	const struct removed_row *a = one, *b = other;
	int order = str_compare(a->name, b->name);

	return order ? order : (a->place > b->place) - (a->place < b->place);
}

bool removed_order(struct removed *removed)
{
	size_t count = 0;

	if (!find_places(removed))
		return false;
	for (size_t i = 0; i < removed->rows.count; i++) {
		if (removed->rows.items[i].count.removed > 0)
			removed->rows.items[count++] = removed->rows.items[i];
	}
	removed->rows.count = count;
	map_clear(&removed->by_id);
	if (count > 0)
		qsort(removed->rows.items, count, sizeof(*removed->rows.items), compare);
	return true;
}

void removed_clear(struct removed *removed)
{
	vec_clear(&removed->rows);
	map_clear(&removed->by_id);
	arena_clear(&removed->arena);
}
