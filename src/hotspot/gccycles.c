#include "hotspot/gccycles.h"

#include <stdio.h>
#include <string.h>

#define SEEN 64			/* numbers that are remembered */

void gccycles_begin(struct gccycles *cycles, const struct collector *collector,
		    unsigned past)
{
	*cycles = (struct gccycles){
		.collector = collector,
		.is_late = past > 0,
		.next = past,
	};
}

/* Numbers ---------------------------------------------------------------------- */

static void see(struct gccycles *cycles, unsigned number)
{
	unsigned shift;

	if (!cycles->has_first)
		cycles->first = number;
	cycles->has_first = true;
	if (number >= cycles->next) {
		shift = number - cycles->next + 1;
		cycles->seen = shift < SEEN ? cycles->seen << shift : 0;
		cycles->next = number + 1;
	}
	if (cycles->next - 1 - number < SEEN)
		cycles->seen |= UINT64_C(1) << (cycles->next - 1 - number);
}

static bool is_old(const struct gccycles *cycles, unsigned number)
{
	return number < cycles->next && cycles->next - 1 - number >= SEEN;
}

/* Of those that are old nobody knows. */
static bool was_seen(const struct gccycles *cycles, unsigned number)
{
	return number < cycles->next && !is_old(cycles, number) &&
	       (cycles->seen >> (cycles->next - 1 - number) & 1);
}

void gccycles_skip(struct gccycles *cycles, unsigned count)
{
	for (; count > 0; count--)
		see(cycles, cycles->next);
	cycles->last.is_known = cycles->gap.is_known = false;
}

/* Cycles ----------------------------------------------------------------------- */

/* One that was given up has an end that nobody saw. */
static void finish(struct gccollection *it)
{
	const struct collector_cycle *cycle = it->name.cycle;
	unsigned count = it->count < GCCYCLES_PAUSES ? it->count : GCCYCLES_PAUSES;

	for (unsigned i = 0; i < count; i++) {
		it->pauses[i].name = !cycle	   ? "GC Pause"
				     : it->is_whole ? collector_pause(cycle, i, it->count)
						    : NULL;
	}
	if (cycle && it->count < cycle->pauses)
		it->after = (struct gcheap){ 0, 0 };
	it->state = GC_OVER;
}

/* In that pause a cycle begins, as far as can be seen without its number. */
static bool is_first(const struct gcmark *mark, const struct collector_cycle *cycle)
{
	return cycle->first ? strcmp(mark->cause, cycle->first) == 0 : mark->begins;
}

/* Nothing tells which other pauses it belongs to. */
static bool is_alone(const struct gcmark *mark, const struct collector_cycle *cycle)
{
	return mark->id < 0 && !cycle->is_all && !cycle->first;
}

/* The cycle that the pause is one of; NULL: none that is open. */
static struct gccollection *find_open(struct gccycles *cycles, const struct gcmark *mark,
				      const struct gcname *name)
{
	for (int i = 0; i < GCCYCLES_ROOM; i++) {
		struct gccollection *it = &cycles->all[i];

		if (it->state == GC_OPEN &&
		    (mark->id >= 0 ? it->number == mark->id
				   : it->name.cycle == name->cycle &&
					     !is_alone(mark, name->cycle) &&
					     !is_first(mark, name->cycle)))
			return it;
	}
	return NULL;
}

/* A new one begins only when the last of its kind is over; of any, that is not known. */
static void finish_kind(struct gccycles *cycles, const struct collector_cycle *cycle)
{
	for (int i = 0; i < GCCYCLES_ROOM; i++) {
		struct gccollection *it = &cycles->all[i];

		if (it->state == GC_OPEN && it->name.cycle == cycle && it->name.text.bytes)
			finish(it);
	}
}

/* There is always one, as add keeps two. */
static struct gccollection *find_free(struct gccycles *cycles)
{
	struct gccollection *it = cycles->all;

	while (it < cycles->all + GCCYCLES_ROOM && it->state != GC_NONE)
		it++;
	return it < cycles->all + GCCYCLES_ROOM ? it : NULL;
}

/* If too many are open, no more pauses come to the oldest. */
static void keep_room(struct gccycles *cycles)
{
	struct gccollection *oldest = NULL;
	int open = 0;

	for (int i = 0; i < GCCYCLES_ROOM; i++) {
		struct gccollection *it = &cycles->all[i];

		open += it->state == GC_OPEN;
		if (it->state == GC_OPEN && (!oldest || it->number < oldest->number))
			oldest = it;
	}
	if (open > GCCYCLES_ROOM - 2)
		finish(oldest);
}

static struct gccollection *open_new(struct gccycles *cycles, const struct gcmark *mark,
				     const struct gcname *name, unsigned number)
{
	struct gccollection *it = find_free(cycles);

	if (!it)
		return NULL;
	*it = (struct gccollection){
		.number = number,
		.is_whole = true,
		.name = *name,
		.start = mark->start,
		.tid = mark->tid,
		.tenuring = mark->tenuring,
		.before = mark->before,
		.state = GC_OPEN,
	};
	memcpy(it->cause, mark->cause, sizeof(it->cause));
	return it;
}

static void join(struct gccollection *it, const struct gcmark *mark)
{
	int64_t pause = mark->end - mark->start;

	if (it->count < GCCYCLES_PAUSES) {
		it->pauses[it->count] = (struct gcpause){
			.start = mark->start,
			.end = mark->end,
			.tid = mark->tid,
		};
	}
	it->count++;
	it->sum += pause;
	if (it->longest < pause)
		it->longest = pause;
	it->end = mark->end;
	it->after = mark->after;
}

/* Where the cycle of that number began; NULL: nobody saw it. */
static const struct gcorigin *find_origin(const struct gccycles *cycles, unsigned number)
{
	const struct gcorigin *const known[] = { &cycles->gap, &cycles->last };

	for (int i = 0; i < 2; i++) {
		if (known[i]->is_known && known[i]->number + 1 == number)
			return known[i];
	}
	return NULL;
}

/* False: its beginning has not been seen. */
static bool has_beginning(const struct gccycles *cycles, const struct gcmark *mark,
			  const struct collector_cycle *cycle, unsigned number)
{
	if (was_seen(cycles, number))
		return false;
	if ((cycle->first || mark->id < 0) && !is_first(mark, cycle))
		return false;
	if (cycle->follows)
		return mark->id >= 0 && find_origin(cycles, number);
	return !is_old(cycles, number) &&
	       (!cycles->is_late || (cycles->has_first && number > cycles->first));
}

static struct gccollection *begin_cycle(struct gccycles *cycles, const struct gcmark *mark,
					const struct gcname *name, unsigned number)
{
	const struct collector_cycle *cycle = name->cycle;
	const struct gcorigin *origin = find_origin(cycles, number);
	struct gccollection *it = open_new(cycles, mark, name, number);

	if (!it)
		return NULL;
	it->tid = 0;
	it->is_whole = has_beginning(cycles, mark, cycle, number);
	if (cycle->follows && origin) {
		it->start = origin->end;
		it->before = origin->after;
		memcpy(it->cause, origin->cause, sizeof(it->cause));
		cycles->gap.is_known = cycles->gap.is_known && origin != &cycles->gap;
	}
	if (cycle->cause)
		snprintf(it->cause, sizeof(it->cause), "%s", cycle->cause);
	return it;
}

static void add_to_cycle(struct gccycles *cycles, const struct gcmark *mark,
			 const struct gcname *name)
{
	struct gccollection *it = find_open(cycles, mark, name);

	if (!it) {
		unsigned number = mark->id >= 0 ? (unsigned)mark->id : cycles->next;

		finish_kind(cycles, name->cycle);
		it = begin_cycle(cycles, mark, name, number);
		see(cycles, number);
	}
	if (!it)
		return;
	join(it, mark);
	if (it->name.cycle->frees_later)
		it->after = (struct gcheap){ 0, 0 };
	if (it->count == it->name.cycle->pauses || is_alone(mark, it->name.cycle))
		finish(it);
	keep_room(cycles);
}

/* A full one may have had a cause of its own; only that around it is told afterwards. */
static bool is_cause_known(const struct gccycles *cycles, const struct gcmark *mark)
{
	return !cycles->collector->sets_cause || !mark->is_past ||
	       mark->calls[COLLECTOR_FULL] == 0 ||
	       strcmp(mark->cause, "Allocation Failure") != 0;
}

/* Between two that follow each other a number is missing: a cycle has begun. */
static void remember(struct gccycles *cycles, const struct gccollection *it)
{
	if (cycles->last.is_known && it->number == cycles->last.number + 2)
		cycles->gap = cycles->last;
	cycles->last = (struct gcorigin){
		.is_known = true,
		.number = it->number,
		.end = it->end,
		.after = it->after,
	};
	memcpy(cycles->last.cause, it->cause, sizeof(it->cause));
}

void gccycles_add(struct gccycles *cycles, const struct gcmark *mark)
{
	struct gcname name =
		collector_name(cycles->collector, mark->is_counted ? mark->calls : NULL);
	unsigned number = mark->id >= 0 ? (unsigned)mark->id : cycles->next;
	struct gccollection *it;

	if (name.cycle) {
		add_to_cycle(cycles, mark, &name);
		return;
	}
	if (mark->is_counted && !name.text.bytes)
		return;			/* nothing was collected */
	it = open_new(cycles, mark, &name, number);
	see(cycles, number);
	if (it) {
		join(it, mark);
		if (!is_cause_known(cycles, mark))
			*it->cause = 0;
		finish(it);
		remember(cycles, it);
	}
}

void gccycles_end(struct gccycles *cycles)
{
	for (int i = 0; i < GCCYCLES_ROOM; i++) {
		struct gccollection *it = &cycles->all[i];

		if (it->state == GC_OPEN) {
			it->is_whole = false;
			finish(it);
		}
	}
}

void gccycles_rest(struct gccycles *cycles, int64_t ticks)
{
	for (int i = 0; i < GCCYCLES_ROOM; i++) {
		struct gccollection *it = &cycles->all[i];

		if (it->state == GC_OPEN && it->name.cycle->pauses == 0 && it->end < ticks)
			finish(it);
	}
}

bool gccycles_next(struct gccycles *cycles, struct gccollection *collection)
{
	for (int i = 0; i < GCCYCLES_ROOM; i++) {
		if (cycles->all[i].state == GC_OVER) {
			*collection = cycles->all[i];
			cycles->all[i].state = GC_NONE;
			return true;
		}
	}
	return false;
}
