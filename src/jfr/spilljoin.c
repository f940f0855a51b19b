#include "jfr/spilljoin.h"

#include <stdlib.h>
#include <string.h>

void join_add(struct join *join, uint64_t key, const char *value, size_t size,
	      uint64_t at)
{
	struct join_part part = { .number = key, .at = at + sizeof(part.of) };

	if (size < sizeof(part.of)) {
		join->damaged++;
		return;
	}
	memcpy(&part.of, value, sizeof(part.of));
	part.size = (uint32_t)(size - sizeof(part.of));
	if (part.of.type == SPILL_GONE || part.of.type == SPILL_PART ||
	    part.of.index >= part.of.count || part.of.size > SPILL_PART_MAX ||
	    part.size > part.of.size)
		join->damaged++;
	else if (!vec_push(&join->parts, part))
		join->failed = true;
}

static int order_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int order_parts(const void *a, const void *b)
{
	const struct join_part *one = a, *other = b;
	int order = order_numbers(one->number, other->number);

	if (!order)
		order = order_numbers(one->of.index, other->of.index);
	return order ? order : order_numbers(one->at, other->at);
}

void join_sort(struct join *join)
{
	if (join->parts.count > 0)
		qsort(join->parts.items, join->parts.count, sizeof(struct join_part),
		      order_parts);
}

/* Both are parts of the same value. */
static bool is_of(const struct join_part *one, const struct join_part *other)
{
	return one->of.key == other->of.key && one->of.type == other->of.type &&
	       one->of.size == other->of.size && one->of.count == other->of.count;
}

/* False: these parts, which have one number, are not of one value. */
static bool can_be(const struct join_part *parts, size_t count)
{
	uint64_t size = parts->size;

	for (size_t i = 1; i < count; i++) {
		if (!is_of(&parts[i], parts) ||
		    parts[i].of.index == parts[i - 1].of.index)
			return false;
		size += parts[i].size;
	}
	return count < parts->of.count || size == parts->of.size;
}

const struct join_part *join_next(struct join *join)
{
	while (join->next < join->parts.count) {
		const struct join_part *parts = &join->parts.items[join->next];
		size_t left = join->parts.count - join->next, count = 1;

		while (count < left && parts[count].number == parts->number)
			count++;
		join->next += count;
		if (!can_be(parts, count))
			join->damaged++;
		else if (count == parts->of.count)
			return parts;
	}
	return NULL;
}

void join_clear(struct join *join)
{
	vec_clear(&join->parts);
	*join = (struct join){ .next = 0 };
}
