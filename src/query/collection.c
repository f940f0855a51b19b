#include "query/collection.h"

#include <stdlib.h>

#include "base/digest.h"
#include "base/map.h"
#include "base/vec.h"

struct collected {
	struct datum value;
	struct rank rank;
};

struct collection {
	VEC(struct collected) items;
	struct map places;		/* of a set: key_of -> index */
	struct lexicon *lexicon;	/* of the first merge: results live there */
};

static void add_item(void *state, const struct addend *addend)
{
	struct collection *collection = state;
	struct collected item = { addend->value, *addend->rank };

	if (!vec_push(&collection->items, item))
		*addend->failed = true;
}

/* Equal values have the same; others only by chance, as nobody knows where a set is. */
static uint64_t key_of(const struct collection *set, const struct datum *value)
{
	uint64_t words[] = { value->kind, (uint64_t)value->nanos,
			     (uint64_t)value->number };

	if (datum_is_real(value))
		memcpy(&words[2], &value->real, sizeof(words[2]));
	return digest(words, sizeof(words), (uintptr_t)set);
}

/* An element that is there keeps the rank of its first event. */
static void add_element(void *state, const struct addend *addend)
{
	struct collection *set = state;
	uint64_t key = key_of(set, &addend->value);
	size_t count = set->items.count;
	uint32_t place;

	for (; (place = map_find(&set->places, key)) != MAP_NONE; key++) {
		struct collected *item = &set->items.items[place];

		if (!datum_is(&item->value, &addend->value))
			continue;
		if (rank_is_before(addend->rank, &item->rank))
			item->rank = *addend->rank;
		return;
	}
	add_item(set, addend);
	if (set->items.count > count && !map_put(&set->places, key, (uint32_t)count))
		*addend->failed = true;
}

static int compare_items(const void *a, const void *b)
{
	const struct collected *one = a, *other = b;

	return rank_compare(&one->rank, &other->rank);
}

/* Places of a set do not hold any more, but nothing is added to it either. */
static void settle(void *state, bool *failed)
{
	struct collection *collection = state;

	if (collection->items.count && !*failed)
		qsort(collection->items.items, collection->items.count,
		      sizeof(struct collected), compare_items);
}

/* Ranks are for the order within a chunk: what is merged comes behind all else. */
static void merge_with(const struct merging *merging,
		       void (*add)(void *state, const struct addend *addend))
{
	static const struct rank last = { .segment = UINT32_MAX, .end = INT64_MAX,
					  .at = UINT64_MAX };
	const struct collection *later = merging->later;
	struct collection *collection = merging->state;

	collection->lexicon = merging->lexicon;
	for (size_t i = 0; i < later->items.count; i++) {
		struct addend addend = {
			lexicon_import(merging->lexicon, &later->items.items[i].value),
			&last, merging->failed
		};

		add(collection, &addend);
	}
}

static void merge_list(const struct merging *merging)
{
	merge_with(merging, add_item);
}

static void merge_set(const struct merging *merging)
{
	merge_with(merging, add_element);
}

static struct datum result_list(void *state)
{
	const struct collection *collection = state;
	struct datum_list *list;

	if (!collection->lexicon)
		return DATUM_NONE;
	list = lexicon_list(collection->lexicon, collection->items.count);
	if (!list)
		return DATUM_NONE;
	for (size_t i = 0; i < list->count; i++)
		list->items[i] = collection->items.items[i].value;
	return (struct datum){ .kind = DATUM_LIST, .list = list };
}

static struct datum result_unique(void *state)
{
	const struct collection *collection = state;

	return datum_of_integer(DATUM_INT, (int64_t)collection->items.count);
}

static void clear(void *state)
{
	struct collection *collection = state;

	vec_clear(&collection->items);
	map_clear(&collection->places);
}

#define COLLECTION(add, merge, result)                                              \
	{ sizeof(struct collection), add, settle, merge, result, clear }

const struct function collection_list = COLLECTION(add_item, merge_list, result_list);
const struct function collection_set = COLLECTION(add_element, merge_set, result_list);
const struct function collection_unique =
	COLLECTION(add_element, merge_set, result_unique);
