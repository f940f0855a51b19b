#include "copy/removed.h"

#include <stdlib.h>

/* The JDK's map from numbers to rows: open addressing, first 32 places, at most 3/4 full. */
#define PLACES_FIRST 32
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

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

/* Where the JDK's map has what. */
struct places {
	struct removed_row **rows;	/* NULL: nothing */
	size_t count;			/* a power of two */
};

static void place(struct places *places, struct removed_row *row)
{
	int bits = __builtin_ctzll(places->count);
	size_t at = (size_t)((uint64_t)row->id * FACTOR >> (64 - bits));

	while (places->rows[at])
		at = (at + 1) % places->count;
	places->rows[at] = row;
}

static bool make_places(struct places *places, size_t count)
{
	struct places more = { calloc(count, sizeof(*more.rows)), count };

	for (size_t i = 0; more.rows && i < places->count; i++) {
		if (places->rows[i])
			place(&more, places->rows[i]);
	}
	free(places->rows);
	*places = more;
	return more.rows != NULL;
}

/* It grows to four times its size; what lies where depends on the order they came in. */
static bool find_places(struct removed *removed)
{
	struct places places = { 0 };
	bool is_good = make_places(&places, PLACES_FIRST);

	for (size_t i = 0; is_good && i < removed->rows.count; i++) {
		place(&places, &removed->rows.items[i]);
		if (i + 1 > places.count / 4 * 3)
			is_good = make_places(&places, places.count * 4);
	}
	for (size_t i = 0; is_good && i < places.count; i++) {
		if (places.rows[i])
			places.rows[i]->place = i;
	}
	free(places.rows);
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
