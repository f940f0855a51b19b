#include "copy/removed.h"

#include <stdlib.h>

static struct removed_row *find(struct removed *removed, const struct type *type)
{
	size_t first = map_find(&removed->by_id, (uint64_t)type->id);

	for (size_t i = first; i < removed->rows.count; i++) {
		struct removed_row *row = &removed->rows.items[i];

		if (row->id == type->id && str_is(row->name, type->name))
			return row;
	}
	return NULL;
}

static struct removed_row *add_row(struct removed *removed, const struct type *type)
{
	uint32_t index = (uint32_t)removed->rows.count;
	struct removed_row row = { .id = type->id, .name.size = type->name.size };

	row.name.bytes = arena_copy(&removed->arena, type->name.bytes, type->name.size);
	if (!row.name.bytes || !vec_push(&removed->rows, row))
		return NULL;
	if (map_find(&removed->by_id, (uint64_t)type->id) == MAP_NONE &&
	    !map_put(&removed->by_id, (uint64_t)type->id, index))
		return NULL;
	return &removed->rows.items[index];
}

bool removed_add(struct removed *removed, const struct type *type,
		 const struct removed_count *count)
{
	struct removed_row *row;

	if (count->total == 0)
		return true;
	row = find(removed, type);
	if (!row)
		row = add_row(removed, type);
	if (!row)
		return false;
	row->count.total += count->total;
	row->count.removed += count->removed;
	return true;
}

static int compare(const void *one, const void *other)
{
	const struct removed_row *a = one, *b = other;
	int order = str_compare(a->name, b->name);

	return order ? order : (a->id > b->id) - (a->id < b->id);
}

void removed_order(struct removed *removed)
{
	size_t count = 0;

	for (size_t i = 0; i < removed->rows.count; i++) {
		if (removed->rows.items[i].count.removed > 0)
			removed->rows.items[count++] = removed->rows.items[i];
	}
	removed->rows.count = count;
	map_clear(&removed->by_id);
	if (count > 0)
		qsort(removed->rows.items, count, sizeof(*removed->rows.items), compare);
}

void removed_clear(struct removed *removed)
{
	vec_clear(&removed->rows);
	map_clear(&removed->by_id);
	arena_clear(&removed->arena);
}
