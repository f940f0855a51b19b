#include "jfr/timeline.h"

#include <stdlib.h>
#include <string.h>

#define LINE 64			/* bytes in a cache line */

static bool is_before(struct moment a, struct moment b)
{
	return a.nanos < b.nanos ||
	       (a.nanos == b.nanos && moment_kind(a) == MOMENT_OPENS &&
		moment_kind(b) != MOMENT_OPENS);
}

/*
 * The heap is laid so that the four grandchildren of an entry share a cache line:
 * its second entry, not its first, stands at the half of one.
 */
static bool timeline_grow(struct timeline *timeline)
{
	size_t capacity = timeline->capacity ? timeline->capacity * 2 : 1024;
	size_t size = (capacity + 1) * sizeof(struct moment);
	struct moment *memory;

	if (capacity > SIZE_MAX / 2 / sizeof(*memory) ||
	    posix_memalign((void **)&memory, LINE, size) != 0)
		return false;
	if (timeline->count)
		memcpy(memory + 1, timeline->moments,
		       timeline->count * sizeof(*memory));
	free(timeline->memory);
	timeline->memory = memory;
	timeline->moments = memory + 1;
	timeline->capacity = capacity;
	return true;
}

bool timeline_add(struct timeline *timeline, struct moment moment)
{
	struct moment *moments;
	size_t at = timeline->count;

	if (at == timeline->capacity && !timeline_grow(timeline))
		return false;
	moments = timeline->moments;
	timeline->count++;
	while (at > 0) {
		size_t parent = (at - 1) / 2;

		if (!is_before(moment, moments[parent]))
			break;
		moments[at] = moments[parent];
		at = parent;
	}
	moments[at] = moment;
	return true;
}

/*
 * Puts `moment` into the hole at the top. It comes from the bottom and nearly
 * always goes back there, so the hole is first led down along the earlier children
 * without looking at it, then up again to its place: where the usual way, which
 * stops at the first child not before it, would have ended too.
 */
static void sift_down(struct moment *moments, size_t count, struct moment moment)
{
	size_t at = 0, child = 1;

	while (child + 1 < count) {
		__builtin_prefetch(&moments[8 * at + 7]);
		__builtin_prefetch(&moments[8 * at + 11]);
		child += is_before(moments[child + 1], moments[child]);
		moments[at] = moments[child];
		at = child;
		child = 2 * at + 1;
	}
	if (child < count) {
		moments[at] = moments[child];
		at = child;
	}
	while (at > 0 && !is_before(moments[(at - 1) / 2], moment)) {
		moments[at] = moments[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	moments[at] = moment;
}

struct moment timeline_remove(struct timeline *timeline)
{
	struct moment first = timeline->moments[0];

	timeline->count--;
	if (timeline->count)
		sift_down(timeline->moments, timeline->count,
			  timeline->moments[timeline->count]);
	return first;
}

void timeline_clear(struct timeline *timeline)
{
	free(timeline->memory);
	*timeline = (struct timeline){ 0 };
}

static int moment_compare(const void *one, const void *other)
{
	const struct moment *a = one, *b = other;

	if (a->nanos != b->nanos)
		return a->nanos < b->nanos ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

void moments_sort(struct moment *moments, size_t count)
{
	if (count)
		qsort(moments, count, sizeof(*moments), moment_compare);
}
