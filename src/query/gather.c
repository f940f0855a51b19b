#include "query/gather.h"

#include <stdlib.h>

#include "base/javamap.h"
#include "query/key.h"

/* States hold numbers and pointers. */
#define STATE_ALIGNMENT 8

/* Of one part of the plan, and then those of the others that the group has. */
struct states {
	struct states *next;
	uint32_t part;
	_Alignas(STATE_ALIGNMENT) unsigned char bytes[];
};

/* Rows with the same values in GROUP BY. */
struct group {
	uint32_t hash;			/* Java's */
	struct key key;
	struct rank first;		/* the first event of it */
	struct states *states;		/* NULL: none of its columns is seen */
};

struct fresh_row {
	struct rank rank;
	struct cells *cells;
};

/* The end of the last event that a column saw. */
struct batch {
	bool is_there;
	struct rank rank;
	const void *run;		/* where that is merged */
};

/* How many values of GROUP BY an event has for the listener. */
static size_t count_groups(const struct plan *plan, const struct plan_listener *listener)
{
	size_t count = 0;

	for (size_t i = 0; i < listener->use_count; i++)
		count += plan->columns[listener->uses[i].column].group >= 0;
	return count;
}

static bool is_batch(const struct column *column)
{
	return column->group < 0 && column->aggregator == AGGREGATOR_LAST_BATCH;
}

static void add_slots(const struct shape *shape, const struct plan_listener *listener,
		      struct shape_slots *slots)
{
	slots->part = PLAN_NO_PART;
	for (uint32_t i = 0; i < listener->use_count; i++) {
		uint32_t column = listener->uses[i].column;
		const struct column *kind = &shape->plan->columns[column];

		if (kind->part == PLAN_NO_PART)
			continue;
		slots->part = kind->part;
		slots->items[slots->count++] = (struct shape_slot){
			shape->functions[column], shape->offsets[column], i, column,
			kind->cell, is_batch(kind)
		};
	}
}

static bool shape_listeners(struct shape *shape, struct arena *arena)
{
	const struct plan *plan = shape->plan;

	shape->slots = arena_array(arena, plan->listener_count, sizeof(*shape->slots));
	if (!shape->slots)
		return false;
	for (size_t i = 0; i < plan->listener_count; i++) {
		const struct plan_listener *listener = &plan->listeners[i];
		size_t size = count_groups(plan, listener);

		if (size > shape->key_size)
			shape->key_size = size;
		shape->slots[i].items = arena_array(arena, listener->use_count,
						    sizeof(struct shape_slot));
		if (!shape->slots[i].items)
			return false;
		add_slots(shape, listener, &shape->slots[i]);
	}
	return true;
}

static void shape_column(struct shape *shape, size_t column)
{
	const struct column *kind = &shape->plan->columns[column];
	const struct function *function = aggregate_function(kind);
	size_t *size;

	if (kind->part == PLAN_NO_PART)
		return;
	size = &shape->sizes[kind->part];
	shape->functions[column] = function;
	shape->offsets[column] = *size;
	*size += function->size + STATE_ALIGNMENT - 1;
	*size -= *size % STATE_ALIGNMENT;
	shape->has_batch |= is_batch(kind);
}

bool shape_of(struct shape *shape, const struct plan *plan, struct arena *arena)
{
	size_t count = plan->column_count;

	*shape = (struct shape){ .plan = plan };
	shape->functions = arena_array(arena, count, sizeof(*shape->functions));
	shape->offsets = arena_array(arena, count, sizeof(*shape->offsets));
	shape->sizes = arena_array(arena, plan->part_count, sizeof(*shape->sizes));
	if (!shape->functions || !shape->offsets || !shape->sizes)
		return false;
	for (size_t i = 0; i < count; i++)
		shape_column(shape, i);
	return shape_listeners(shape, arena);
}

/* --- parts ------------------------------------------------------------------------- */

/* NULL without memory. */
static struct cells *new_cells(struct gathering *gathering, uint32_t part)
{
	uint32_t count = gathering->shape->plan->parts[part].column_count;
	struct cells *cells = arena_alloc(&gathering->arena,
					  sizeof(*cells) + count * sizeof(struct datum));

	if (cells)
		cells->part = part;
	return cells;
}

static struct states *new_states(struct gathering *gathering, uint32_t part)
{
	size_t size = gathering->shape->sizes[part];
	struct states *states = arena_alloc(&gathering->arena, sizeof(*states) + size);

	if (states)
		states->part = part;
	return states;
}

/* Those of the group, made if it has none; NULL without memory. */
static struct states *states_of(struct gathering *gathering, struct group *group,
				uint32_t part)
{
	struct states *states = group->states;

	while (states && states->part != part)
		states = states->next;
	if (states)
		return states;
	states = new_states(gathering, part);
	if (!states)
		return NULL;
	states->next = group->states;
	group->states = states;
	return states;
}

/* Over the states of a group: shape and states are set before. */
struct walk {
	const struct shape *shape;
	struct states *states;		/* those of the part at hand */
	uint32_t next;			/* cell of it */
	uint32_t column;
	const struct function *function;
	void *state;
};

static bool walk_next(struct walk *walk)
{
	const struct plan_part *parts = walk->shape->plan->parts;

	while (walk->states && walk->next == parts[walk->states->part].column_count) {
		walk->states = walk->states->next;
		walk->next = 0;
	}
	if (!walk->states)
		return false;
	walk->column = parts[walk->states->part].columns[walk->next++];
	walk->function = walk->shape->functions[walk->column];
	walk->state = walk->states->bytes + walk->shape->offsets[walk->column];
	return true;
}

/* --- groups ------------------------------------------------------------------------ */

static const struct rank behind_all = { .segment = UINT32_MAX, .end = INT64_MAX,
					.at = UINT64_MAX };

static struct group *new_group(struct gathering *gathering, const struct key *key)
{
	struct group *group = arena_alloc(&gathering->arena, sizeof(*group));
	struct datum *items =
		arena_array(&gathering->arena, key->count, sizeof(*items));

	if (!group || !items || !vec_push(&gathering->groups, group))
		return NULL;
	memcpy(items, key->items, key->count * sizeof(*items));
	group->hash = key_hash(key);
	group->key = (struct key){ items, key->count, key->is_set };
	group->first = behind_all;
	return group;
}

/* The group with that key, made if it is new; NULL without memory. */
static struct group *find_group(struct gathering *gathering, const struct key *key)
{
	struct group *group;
	uint64_t number;
	uint32_t place;

	number = key_digest(key, (uintptr_t)gathering);
	for (; (place = map_find(&gathering->places, number)) != MAP_NONE; number++) {
		group = gathering->groups.items[place];
		if (key_is(&group->key, key))
			return group;
	}
	place = (uint32_t)gathering->groups.count;
	group = new_group(gathering, key);
	return group && map_put(&gathering->places, number, place) ? group : NULL;
}

static bool make_batches(struct gathering *gathering)
{
	if (!gathering->batches)
		gathering->batches =
			arena_array(&gathering->arena,
				    gathering->shape->plan->column_count,
				    sizeof(*gathering->batches));
	gathering->failed |= !gathering->batches;
	return gathering->batches != NULL;
}

static void note_batch(struct gathering *gathering, size_t column,
		       const struct rank *rank)
{
	struct batch *batch;

	if (!make_batches(gathering))
		return;
	batch = &gathering->batches[column];
	if (!batch->is_there || rank_is_before(&batch->rank, rank))
		*batch = (struct batch){ .is_there = true, .rank = *rank };
}

/* An empty key; false without memory. */
static bool begin_key(struct gathering *gathering, struct key *key)
{
	if (!gathering->items)
		gathering->items = arena_array(&gathering->arena,
					       gathering->shape->key_size,
					       sizeof(*gathering->items));
	*key = (struct key){ gathering->items, 0, false };
	return gathering->items != NULL;
}

/* The group of an event; most are of that of the one before, `latest`. */
static struct group *group_of(struct gathering *gathering,
			      const struct plan_listener *listener,
			      const struct datum *values, struct group *latest)
{
	const struct plan *plan = gathering->shape->plan;
	struct key key;

	if (!begin_key(gathering, &key))
		return NULL;
	for (size_t i = 0; i < listener->use_count; i++) {
		if (plan->columns[listener->uses[i].column].group >= 0)
			key_add(&key, values[i]);
	}
	key_finish(&key);
	return latest && key_is(&latest->key, &key) ? latest
						    : find_group(gathering, &key);
}

/* Of the listener, where its latest group is kept; NULL without memory. */
static struct group **latest_of(struct gathering *gathering, size_t listener)
{
	if (!gathering->latest)
		gathering->latest = arena_array(&gathering->arena,
						gathering->shape->plan->listener_count,
						sizeof(struct group *));
	return gathering->latest ? &gathering->latest[listener] : NULL;
}

static void add_to_group(struct gathering *gathering, struct group *group,
			 const struct shape_slots *slots, const struct datum *values,
			 const struct rank *rank)
{
	struct addend addend = { .rank = rank, .failed = &gathering->failed };
	struct states *states;

	if (rank_is_before(rank, &group->first))
		group->first = *rank;
	if (!gathering->has_last || rank_is_before(&gathering->last, rank))
		gathering->last = *rank;
	gathering->has_last = true;
	if (slots->part == PLAN_NO_PART)
		return;
	states = states_of(gathering, group, slots->part);
	gathering->failed |= !states;
	for (size_t i = 0; states && i < slots->count; i++) {
		const struct shape_slot *slot = &slots->items[i];

		addend.value = values[slot->use];
		slot->function->add(states->bytes + slot->offset, &addend);
		if (slot->is_batch)
			note_batch(gathering, slot->column, rank);
	}
}

static void add_row(struct gathering *gathering, const struct shape_slots *slots,
		    const struct datum *values, const struct rank *rank)
{
	struct fresh_row row = { *rank, NULL };

	if (slots->part != PLAN_NO_PART) {
		row.cells = new_cells(gathering, slots->part);
		gathering->failed |= !row.cells;
	}
	for (size_t i = 0; row.cells && i < slots->count; i++)
		row.cells->items[slots->items[i].cell] = values[slots->items[i].use];
	gathering->failed |= !vec_push(&gathering->fresh, row);
}

void gather_add(struct gathering *gathering, const struct plan_listener *listener,
		const struct datum *values, bool has_same_key, const struct rank *rank)
{
	const struct plan *plan = gathering->shape->plan;
	size_t number = (size_t)(listener - plan->listeners);
	const struct shape_slots *slots = &gathering->shape->slots[number];
	struct group **latest;

	if (!plan->is_grouped) {
		add_row(gathering, slots, values, rank);
		return;
	}
	latest = latest_of(gathering, number);
	if (latest && !(has_same_key && *latest))
		*latest = group_of(gathering, listener, values, *latest);
	if (latest && *latest)
		add_to_group(gathering, *latest, slots, values, rank);
	else
		gathering->failed = true;
}

/* --- the whole of a chunk --------------------------------------------------------------- */

static int compare_groups(const void *a, const void *b)
{
	const struct group *const *one = a, *const *other = b;

	return rank_compare(&(*one)->first, &(*other)->first);
}

static int compare_rows(const void *a, const void *b)
{
	const struct fresh_row *one = a, *other = b;

	return rank_compare(&one->rank, &other->rank);
}

static void settle_groups(struct gathering *gathering)
{
	size_t count = gathering->groups.count;

	if (count == 0)
		return;
	qsort(gathering->groups.items, count, sizeof(*gathering->groups.items),
	      compare_groups);
	gathering->ends_new = rank_compare(&gathering->groups.items[count - 1]->first,
					   &gathering->last) == 0;
	for (size_t i = 0; i < count; i++) {
		struct walk walk = { .shape = gathering->shape,
				     .states = gathering->groups.items[i]->states };

		while (walk_next(&walk)) {
			if (walk.function->settle)
				walk.function->settle(walk.state, &gathering->failed);
		}
	}
}

static void settle_rows(struct gathering *gathering)
{
	size_t count = gathering->fresh.count;

	if (count)
		qsort(gathering->fresh.items, count, sizeof(*gathering->fresh.items),
		      compare_rows);
	for (size_t i = 0; i < count && !gathering->failed; i++)
		gathering->failed =
			!vec_push(&gathering->rows, gathering->fresh.items[i].cells);
	gathering->fresh.count = 0;
}

void gather_settle(struct gathering *gathering)
{
	settle_groups(gathering);
	settle_rows(gathering);
}

/* The group that is the same there; its keys are of another lexicon. */
static struct group *twin(struct gathering *gathering, const struct group *later)
{
	struct key key;

	if (!begin_key(gathering, &key))
		return NULL;
	key.is_set = later->key.is_set;
	for (; key.count < later->key.count; key.count++)
		key.items[key.count] = lexicon_import(gathering->lexicon,
						      &later->key.items[key.count]);
	key_finish(&key);
	return find_group(gathering, &key);
}

static void merge_group(struct gathering *gathering, const struct gathering *from,
			const struct group *later)
{
	struct walk walk = { .shape = from->shape, .states = later->states };
	size_t before = gathering->groups.count;
	struct group *group = twin(gathering, later);

	if (!group) {
		gathering->failed = true;
		return;
	}
	gathering->ends_new = from->ends_new && gathering->groups.count > before;
	while (walk_next(&walk)) {
		struct states *states =
			states_of(gathering, group, walk.states->part);
		struct merging merging = {
			.later = walk.state, .lexicon = gathering->lexicon,
			.failed = &gathering->failed
		};

		gathering->failed |= !states;
		if (gathering->failed)
			return;
		merging.state = states->bytes + walk.shape->offsets[walk.column];
		walk.function->merge(&merging);
	}
}

static void merge_row(struct gathering *gathering, const struct cells *later)
{
	struct cells *cells = later ? new_cells(gathering, later->part) : NULL;
	uint32_t count = 0;

	if (cells)
		count = gathering->shape->plan->parts[later->part].column_count;
	for (uint32_t i = 0; i < count; i++)
		cells->items[i] = lexicon_import(gathering->lexicon, &later->items[i]);
	if ((later && !cells) || !vec_push(&gathering->rows, cells))
		gathering->failed = true;
}

static void merge_batches(struct gathering *gathering, const struct gathering *later)
{
	size_t count = later->batches ? gathering->shape->plan->column_count : 0;

	for (size_t i = 0; i < count && make_batches(gathering); i++) {
		struct batch *batch = &gathering->batches[i];

		if (!later->batches[i].is_there)
			continue;
		gathering->has_older_runs |= batch->is_there && batch->run != later->run;
		*batch = later->batches[i];
		batch->run = later->run;
	}
}

void gather_merge(struct gathering *gathering, const struct gathering *later)
{
	gathering->failed |= later->failed;
	for (size_t i = 0; i < later->groups.count && !gathering->failed; i++)
		merge_group(gathering, later, later->groups.items[i]);
	for (size_t i = 0; i < later->rows.count && !gathering->failed; i++)
		merge_row(gathering, later->rows.items[i]);
	merge_batches(gathering, later);
}

/* --- the result ----------------------------------------------------------------------- */

/* A group that the last event of a LAST_BATCH column does not belong to is not shown. */
static bool is_valid(const struct gathering *gathering, const struct group *group)
{
	struct walk walk = { .shape = gathering->shape, .states = group->states };
	int64_t end;

	while (gathering->batches && walk_next(&walk)) {
		if (is_batch(&walk.shape->plan->columns[walk.column]) &&
		    aggregate_batch_end(walk.state, &end) &&
		    end != gathering->batches[walk.column].rank.nanos)
			return false;
	}
	return true;
}

static bool add_result(struct gathering *gathering, struct result *result,
		       const struct group *group)
{
	struct walk walk = { .shape = gathering->shape, .states = group->states };
	struct cells *row = NULL;

	while (walk_next(&walk)) {
		if (!row || row->part != walk.states->part) {
			struct cells *cells =
				new_cells(gathering, walk.states->part);

			if (!cells)
				return false;
			cells->next = row;
			row = cells;
		}
		row->items[walk.next - 1] = walk.function->result(walk.state);
	}
	return vec_push(&result->rows, row);
}

/* What a column has in a group none of whose events it has seen: of COUNT, zero. */
static struct datum blank_of(struct gathering *gathering,
			     const struct function *function)
{
	void *state = arena_alloc(&gathering->arena, function->size);
	void *later = arena_alloc(&gathering->arena, function->size);
	struct merging merging = { state, later, gathering->lexicon,
				   &gathering->failed };

	if (!state || !later) {
		gathering->failed = true;
		return DATUM_NONE;
	}
	function->merge(&merging);
	return function->result(state);
}

static bool make_blanks(struct gathering *gathering, struct result *result)
{
	const struct plan *plan = gathering->shape->plan;
	struct datum *blanks = arena_array(&gathering->arena, plan->column_count,
					   sizeof(*blanks));

	result->blanks = blanks;
	for (size_t i = 0; blanks && i < plan->column_count; i++) {
		if (plan->columns[i].part != PLAN_NO_PART)
			blanks[i] = blank_of(gathering, gathering->shape->functions[i]);
	}
	return blanks && !gathering->failed;
}

/* What the HashMap is asked for: each group when it is new, and by the events behind. */
static uint32_t *order_groups(struct gathering *gathering)
{
	size_t count = gathering->groups.count;
	uint32_t *hashes = arena_array(&gathering->arena, count, sizeof(*hashes));
	uint32_t *order = arena_array(&gathering->arena, count, sizeof(*order));

	if (!hashes || !order)
		return NULL;
	for (size_t i = 0; i < count; i++)
		hashes[i] = gathering->groups.items[i]->hash;
	return javamap_order(hashes, count, !gathering->ends_new, order) ? order : NULL;
}

static bool add_groups(struct gathering *gathering, struct result *result)
{
	const uint32_t *order = order_groups(gathering);

	if (!order)
		return false;
	for (size_t i = 0; i < gathering->groups.count; i++) {
		const struct group *group = gathering->groups.items[order[i]];

		if (is_valid(gathering, group) &&
		    !add_result(gathering, result, group))
			return false;
	}
	return true;
}

bool gather_result(struct gathering *gathering, struct result *result)
{
	for (size_t i = 0; i < gathering->rows.count; i++) {
		if (!vec_push(&result->rows, gathering->rows.items[i]))
			return false;
	}
	if (gathering->shape->plan->is_grouped && !make_blanks(gathering, result))
		return false;
	return add_groups(gathering, result) && !gathering->failed &&
	       !gathering->lexicon->arena.failed;
}

/* --- the end ------------------------------------------------------------------------------ */

bool gather_is_empty(const struct gathering *gathering)
{
	return gathering->groups.count == 0 && gathering->fresh.count == 0 &&
	       gathering->rows.count == 0;
}

static void clear_states(struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->groups.count; i++) {
		struct walk walk = { .shape = gathering->shape,
				     .states = gathering->groups.items[i]->states };

		while (walk_next(&walk)) {
			if (walk.function->clear)
				walk.function->clear(walk.state);
		}
	}
}

void gather_reset(struct gathering *gathering)
{
	clear_states(gathering);
	map_clear(&gathering->places);
	gathering->groups.count = 0;
	gathering->fresh.count = 0;
	gathering->rows.count = 0;
	gathering->batches = NULL;
	gathering->items = NULL;
	gathering->latest = NULL;
	gathering->has_last = false;
	arena_reset(&gathering->arena);
	gathering->failed = false;
}

void gather_clear(struct gathering *gathering)
{
	clear_states(gathering);
	map_clear(&gathering->places);
	vec_clear(&gathering->groups);
	vec_clear(&gathering->fresh);
	vec_clear(&gathering->rows);
	arena_clear(&gathering->arena);
	*gathering = (struct gathering){ 0 };
}
