#include "count/largest.h"

#include <stdlib.h>

/* So many more than asked for wait for the next trim at least. */
#define SLACK 64

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare(const void *one, const void *other)
{
	const struct large *a = one, *b = other;
	int order = compare_numbers(b->bytes, a->bytes);

	for (int i = 0; !order && i < 4; i++)
		order = compare_numbers(a->identity[i], b->identity[i]);
	return order;
}

void largest_trim(struct largest *largest)
{
	struct large *items = largest->items.items;
	size_t kept = 0;

	if (largest->items.count)
		qsort(items, largest->items.count, sizeof(*items), compare);
	for (size_t i = 0; i < largest->items.count; i++) {
		struct large *last = kept ? &items[kept - 1] : NULL;

		if (last && compare(last, &items[i]) == 0) {
			last->references += items[i].references;
			last->copies += items[i].copies;
			free(items[i].text);
		} else if (kept < largest->limit) {
			items[kept++] = items[i];
		} else {
			free(items[i].text);
		}
	}
	largest->items.count = kept;
	if (kept && kept == largest->limit)
		largest->least = items[kept - 1].bytes;
}

bool largest_add(struct largest *largest, struct large thing)
{
	if (!largest_takes(largest, thing.bytes)) {
		free(thing.text);
		return true;
	}
	if (largest->items.count >= 2 * largest->limit + SLACK)
		largest_trim(largest);
	if (vec_push(&largest->items, thing))
		return true;
	free(thing.text);
	return false;
}

void largest_clear(struct largest *largest)
{
	for (size_t i = 0; i < largest->items.count; i++)
		free(largest->items.items[i].text);
	vec_clear(&largest->items);
	*largest = (struct largest){ 0 };
}
