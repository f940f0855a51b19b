#include "query/gather.h"

#include <stdlib.h>

#include "jfr/javahash.h"
#include "query/key.h"

/* States hold numbers and pointers. */
#define STATE_ALIGNMENT 8

/* Rows with the same values in GROUP BY. */
struct group {
	uint32_t hash;			/* Java's */
	struct key key;
	struct rank first;		/* the first event of it */
	unsigned char *states;
};

struct gathered_row {
	struct rank rank;
	const struct datum *cells;
};

/* The end of the last event that a column saw. */
struct batch {
	bool is_there;
	struct rank rank;
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

/* Without ORDER BY and aggregators, rows are sorted by what they are grouped by. */
static bool sorts_by_groups(const struct plan *plan)
{
	for (size_t i = 0; i < plan->column_count; i++) {
		if (plan->columns[i].aggregator != AGGREGATOR_NONE)
			return false;
	}
	return plan->order_count == 0;
}

/* What is only grouped by needs no state: that is what most of `SELECT ... FROM *` is. */
static void add_slots(const struct shape *shape, const struct plan_listener *listener,
		      struct shape_slots *slots)
{
	bool needs_groups = sorts_by_groups(shape->plan);

	for (uint32_t i = 0; i < listener->use_count; i++) {
		uint32_t column = listener->uses[i].column;
		const struct column *kind = &shape->plan->columns[column];

		if (kind->is_visible || kind->order >= 0 || needs_groups)
			slots->items[slots->count++] = (struct shape_slot){
				shape->functions[column], shape->offsets[column], i,
				column, is_batch(kind)
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

bool shape_of(struct shape *shape, const struct plan *plan, struct arena *arena)
{
	size_t count = plan->column_count;

	*shape = (struct shape){ .plan = plan };
	shape->functions = arena_array(arena, count, sizeof(*shape->functions));
	shape->offsets = arena_array(arena, count, sizeof(*shape->offsets));
	if (!shape->functions || !shape->offsets)
		return false;
	for (size_t i = 0; i < count; i++) {
		shape->functions[i] = aggregate_function(&plan->columns[i]);
		shape->offsets[i] = shape->size;
		shape->size += shape->functions[i]->size + STATE_ALIGNMENT - 1;
		shape->size -= shape->size % STATE_ALIGNMENT;
	}
	return shape_listeners(shape, arena);
}

static void *state_of(const struct gathering *gathering, const struct group *group,
		      size_t column)
{
	return group->states + gathering->shape->offsets[column];
}

/* --- groups ------------------------------------------------------------------------ */

static const struct rank behind_all = { .segment = UINT32_MAX, .end = INT64_MAX,
					.at = UINT64_MAX };

static struct group *new_group(struct gathering *gathering, const struct key *key)
{
	struct group *group = arena_alloc(&gathering->arena, sizeof(*group));
	struct datum *items =
		arena_array(&gathering->arena, key->count, sizeof(*items));
	unsigned char *states = arena_alloc(&gathering->arena, gathering->shape->size);

	if (!group || !items || !states || !vec_push(&gathering->groups, group))
		return NULL;
	memcpy(items, key->items, key->count * sizeof(*items));
	group->hash = key_hash(key);
	group->key = (struct key){ items, key->count, key->is_set };
	group->first = behind_all;
	group->states = states;
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

static void note_batch(struct gathering *gathering, size_t column,
		       const struct rank *rank)
{
	if (!gathering->batches)
		gathering->batches =
			arena_array(&gathering->arena,
				    gathering->shape->plan->column_count,
				    sizeof(*gathering->batches));
	if (!gathering->batches) {
		gathering->failed = true;
		return;
	}
	if (!gathering->batches[column].is_there ||
	    rank_is_before(&gathering->batches[column].rank, rank))
		gathering->batches[column] = (struct batch){ true, *rank };
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

	if (rank_is_before(rank, &group->first))
		group->first = *rank;
	if (!gathering->has_last || rank_is_before(&gathering->last, rank))
		gathering->last = *rank;
	gathering->has_last = true;
	for (size_t i = 0; i < slots->count; i++) {
		const struct shape_slot *slot = &slots->items[i];

		addend.value = values[slot->use];
		slot->function->add(group->states + slot->offset, &addend);
		if (slot->is_batch)
			note_batch(gathering, slot->column, rank);
	}
}

static void add_row(struct gathering *gathering, const struct plan_listener *listener,
		    const struct datum *values, const struct rank *rank)
{
	struct datum *cells = arena_array(&gathering->arena,
					  gathering->shape->plan->column_count,
					  sizeof(*cells));
	struct gathered_row row = { *rank, cells };

	if (!cells || !vec_push(&gathering->rows, row)) {
		gathering->failed = true;
		return;
	}
	for (size_t i = 0; i < listener->use_count; i++)
		cells[listener->uses[i].column] = values[i];
}

void gather_add(struct gathering *gathering, const struct plan_listener *listener,
		const struct datum *values, bool has_same_key, const struct rank *rank)
{
	const struct plan *plan = gathering->shape->plan;
	size_t number = (size_t)(listener - plan->listeners);
	struct group **latest;

	if (!plan->is_grouped) {
		add_row(gathering, listener, values, rank);
		return;
	}
	latest = latest_of(gathering, number);
	if (latest && !(has_same_key && *latest))
		*latest = group_of(gathering, listener, values, *latest);
	if (latest && *latest)
		add_to_group(gathering, *latest, &gathering->shape->slots[number],
			     values, rank);
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
	const struct gathered_row *one = a, *other = b;

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
}

void gather_settle(struct gathering *gathering)
{
	const struct shape *shape = gathering->shape;

	settle_groups(gathering);
	if (gathering->rows.count)
		qsort(gathering->rows.items, gathering->rows.count,
		      sizeof(*gathering->rows.items), compare_rows);
	for (size_t i = 0; i < shape->plan->column_count; i++) {
		if (!shape->functions[i]->settle)
			continue;
		for (size_t j = 0; j < gathering->groups.count; j++)
			shape->functions[i]->settle(
				state_of(gathering, gathering->groups.items[j], i),
				&gathering->failed);
	}
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
	const struct shape *shape = gathering->shape;
	size_t before = gathering->groups.count;
	struct group *group = twin(gathering, later);

	if (!group) {
		gathering->failed = true;
		return;
	}
	gathering->ends_new = from->ends_new && gathering->groups.count > before;
	for (size_t i = 0; i < shape->plan->column_count; i++) {
		struct merging merging = {
			state_of(gathering, group, i), state_of(from, later, i),
			gathering->lexicon, &gathering->failed
		};

		shape->functions[i]->merge(&merging);
	}
}

static void merge_row(struct gathering *gathering, const struct gathered_row *later)
{
	size_t count = gathering->shape->plan->column_count;
	struct datum *cells = arena_array(&gathering->arena, count, sizeof(*cells));
	struct gathered_row row = { later->rank, cells };

	if (!cells || !vec_push(&gathering->rows, row)) {
		gathering->failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		cells[i] = lexicon_import(gathering->lexicon, &later->cells[i]);
}

static void merge_batches(struct gathering *gathering, const struct gathering *later)
{
	for (size_t i = 0; later->batches && i < gathering->shape->plan->column_count;
	     i++) {
		if (!later->batches[i].is_there)
			continue;
		note_batch(gathering, i, &later->batches[i].rank);
		if (gathering->batches)
			gathering->batches[i] = later->batches[i];
	}
}

void gather_merge(struct gathering *gathering, const struct gathering *later)
{
	gathering->failed |= later->failed;
	for (size_t i = 0; i < later->groups.count && !gathering->failed; i++)
		merge_group(gathering, later, later->groups.items[i]);
	for (size_t i = 0; i < later->rows.count && !gathering->failed; i++)
		merge_row(gathering, &later->rows.items[i]);
	merge_batches(gathering, later);
}

/* --- the result ----------------------------------------------------------------------- */

/* A group that the last event of a LAST_BATCH column does not belong to is not shown. */
static bool is_valid(const struct gathering *gathering, const struct group *group)
{
	int64_t end;

	for (size_t i = 0; i < gathering->shape->plan->column_count; i++) {
		if (is_batch(&gathering->shape->plan->columns[i]) &&
		    gathering->batches &&
		    aggregate_batch_end(state_of(gathering, group, i), &end) &&
		    end != gathering->batches[i].rank.nanos)
			return false;
	}
	return true;
}

static bool add_result(struct gathering *gathering, struct result *result,
		       const struct group *group)
{
	const struct shape *shape = gathering->shape;
	struct datum *cells = arena_array(&gathering->arena, shape->plan->column_count,
					  sizeof(*cells));
	const struct datum *row = cells;

	if (!cells || !vec_push(&result->rows, row))
		return false;
	for (size_t i = 0; i < shape->plan->column_count; i++)
		cells[i] = shape->functions[i]->result(state_of(gathering, group, i));
	return true;
}

/* A group and the place where Java's HashMap would have it. */
struct bucket {
	uint32_t number;
	uint32_t index;
};

/* In a bucket the newest comes first: computeIfAbsent puts it in front. */
static int compare_buckets(const void *a, const void *b)
{
	const struct bucket *one = a, *other = b;

	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	return one->index > other->index ? -1 : one->index < other->index;
}

static void fill_buckets(const struct gathering *gathering, struct bucket *buckets)
{
	struct javahash_growth growth = { .entries = 0 };
	size_t count = gathering->groups.count;

	for (size_t i = 0; i < count; i++) {
		javahash_ask(&growth);
		javahash_add(&growth, gathering->groups.items[i]->hash);
	}
	if (!gathering->ends_new)
		javahash_ask(&growth);	/* by the events behind */
	for (size_t i = 0; i < count; i++) {
		uint32_t hash = gathering->groups.items[i]->hash;

		buckets[i] = (struct bucket){ javahash_place(&growth, hash),
					      (uint32_t)i };
	}
}

static bool add_groups(struct gathering *gathering, struct result *result)
{
	size_t count = gathering->groups.count;
	struct bucket *buckets =
		arena_array(&gathering->arena, count, sizeof(*buckets));

	if (!buckets)
		return false;
	fill_buckets(gathering, buckets);
	if (count)
		qsort(buckets, count, sizeof(*buckets), compare_buckets);
	for (size_t i = 0; i < count; i++) {
		const struct group *group = gathering->groups.items[buckets[i].index];

		if (is_valid(gathering, group) &&
		    !add_result(gathering, result, group))
			return false;
	}
	return true;
}

bool gather_result(struct gathering *gathering, struct result *result)
{
	for (size_t i = 0; i < gathering->rows.count; i++) {
		if (!vec_push(&result->rows, gathering->rows.items[i].cells))
			return false;
	}
	return add_groups(gathering, result) && !gathering->failed &&
	       !gathering->lexicon->arena.failed;
}

/* --- the end ------------------------------------------------------------------------------ */

static void clear_states(struct gathering *gathering)
{
	const struct shape *shape = gathering->shape;

	for (size_t i = 0; shape && shape->plan && i < shape->plan->column_count;
	     i++) {
		if (!shape->functions[i]->clear)
			continue;
		for (size_t j = 0; j < gathering->groups.count; j++)
			shape->functions[i]->clear(state_of(
				gathering, gathering->groups.items[j], i));
	}
}

void gather_reset(struct gathering *gathering)
{
	clear_states(gathering);
	map_clear(&gathering->places);
	gathering->groups.count = 0;
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
	vec_clear(&gathering->rows);
	arena_clear(&gathering->arena);
	*gathering = (struct gathering){ 0 };
}
