#include "query/gather.h"

#include <stdlib.h>

#include "base/digest.h"
#include "query/javahash.h"

/* States may hold 128-bit numbers. */
#define STATE_ALIGNMENT 16

/* Rows with the same values in GROUP BY. */
struct group {
	uint32_t hash;			/* Java's */
	bool is_set;			/* several values: which is which is not kept */
	struct rank first;		/* the first event of it */
	size_t key_count;
	const struct datum *keys;	/* what it is told apart by */
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
	return true;
}

static void *state_of(const struct gathering *gathering, const struct group *group,
		      size_t column)
{
	return group->states + gathering->shape->offsets[column];
}

/* --- keys ------------------------------------------------------------------------- */

/* What a value is told apart by in GROUP BY (jfr-tool.md 0.6). */
static struct datum key_of(struct datum value)
{
	const struct thing *thing = value.kind == DATUM_THING ? value.thing : NULL;

	if (!thing)
		return value;
	switch (thing->kind) {
	case THING_THREAD:
	case THING_CLASS:
	case THING_LOADER:
		return datum_of_integer(DATUM_LONG, thing->id);
	case THING_FRAME:
	case THING_STACK:
		value.thing = thing->method;
		return thing->method ? value : DATUM_NONE;
	default:
		return value;
	}
}

static uint64_t bits_of(const struct datum *key)
{
	uint64_t bits = (uint64_t)key->number;

	if (datum_is_real(key))
		memcpy(&bits, &key->real, sizeof(bits));
	return bits;
}

static int compare_keys(const void *a, const void *b)
{
	const struct datum *one = a, *other = b;
	uint64_t one_bits = bits_of(one), other_bits = bits_of(other);

	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	if (one_bits != other_bits)
		return one_bits < other_bits ? -1 : 1;
	return one->nanos < other->nanos ? -1 : one->nanos > other->nanos;
}

/* The key of an event, while it is put together. */
struct key {
	struct datum *items;
	size_t count;
	bool is_set;
};

static bool has_item(const struct key *key, const struct datum *item)
{
	for (size_t i = 0; i < key->count; i++) {
		if (compare_keys(&key->items[i], item) == 0)
			return true;
	}
	return false;
}

/* Null in front is no part of it; the second value makes it a set. */
static void add_to_key(struct key *key, struct datum value)
{
	struct datum item = key_of(value);

	if (key->count == 1 && !key->is_set && key->items[0].kind == DATUM_NULL)
		key->count = 0;
	else if (key->count > 0)
		key->is_set = true;
	if (!key->is_set || !has_item(key, &item))
		key->items[key->count++] = item;
}

static uint64_t digest_of(const struct key *key)
{
	uint64_t number = key->is_set;

	for (size_t i = 0; i < key->count; i++) {
		uint64_t words[] = { key->items[i].kind, (uint64_t)key->items[i].nanos,
				     bits_of(&key->items[i]) };

		number = digest(words, sizeof(words), number);
	}
	return number;
}

static bool is_key_of(const struct group *group, const struct key *key)
{
	if (group->key_count != key->count || group->is_set != key->is_set)
		return false;
	for (size_t i = 0; i < key->count; i++) {
		if (compare_keys(&group->keys[i], &key->items[i]) != 0)
			return false;
	}
	return true;
}

/* --- groups ------------------------------------------------------------------------ */

static uint32_t hash_of(const struct key *key)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < key->count; i++)
		hash += javahash_datum(&key->items[i]);
	return hash;
}

static struct group *new_group(struct gathering *gathering, const struct key *key)
{
	struct group *group = arena_alloc(&gathering->arena, sizeof(*group));
	struct datum *keys =
		arena_array(&gathering->arena, key->count, sizeof(*keys));
	unsigned char *states = arena_alloc(&gathering->arena, gathering->shape->size);

	if (!group || !keys || !states || !vec_push(&gathering->groups, group))
		return NULL;
	memcpy(keys, key->items, key->count * sizeof(*keys));
	group->hash = hash_of(key);
	group->is_set = key->is_set;
	group->keys = keys;
	group->key_count = key->count;
	group->states = states;
	return group;
}

/* The group with that key, made if it is new; NULL without memory. */
static struct group *find_group(struct gathering *gathering, struct key *key,
				const struct rank *first)
{
	struct group *group;
	uint64_t number;
	uint32_t place;

	if (key->is_set)
		qsort(key->items, key->count, sizeof(*key->items), compare_keys);
	number = digest_of(key);
	for (; (place = map_find(&gathering->places, number)) != MAP_NONE; number++) {
		group = gathering->groups.items[place];
		if (!is_key_of(group, key))
			continue;
		if (rank_is_before(first, &group->first))
			group->first = *first;
		return group;
	}
	place = (uint32_t)gathering->groups.count;
	group = new_group(gathering, key);
	if (!group || !map_put(&gathering->places, number, place))
		return NULL;
	group->first = *first;
	return group;
}

static bool is_batch(const struct gathering *gathering, size_t column)
{
	const struct column *kind = &gathering->shape->plan->columns[column];

	return kind->group < 0 && kind->aggregator == AGGREGATOR_LAST_BATCH;
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

static void add_to_group(struct gathering *gathering,
			 const struct plan_listener *listener,
			 const struct datum *values, const struct rank *rank)
{
	const struct plan *plan = gathering->shape->plan;
	struct datum items[listener->use_count + 1];
	struct key key = { items, 0, false };
	struct group *group;

	for (size_t i = 0; i < listener->use_count; i++) {
		if (plan->columns[listener->uses[i].column].group >= 0)
			add_to_key(&key, values[i]);
	}
	group = find_group(gathering, &key, rank);
	if (!group) {
		gathering->failed = true;
		return;
	}
	for (size_t i = 0; i < listener->use_count; i++) {
		struct addend addend = { values[i], rank, &gathering->failed };
		size_t column = listener->uses[i].column;

		gathering->shape->functions[column]->add(
			state_of(gathering, group, column), &addend);
		if (is_batch(gathering, column))
			note_batch(gathering, column, rank);
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
		const struct datum *values, const struct rank *rank)
{
	if (gathering->shape->plan->is_grouped)
		add_to_group(gathering, listener, values, rank);
	else
		add_row(gathering, listener, values, rank);
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

void gather_settle(struct gathering *gathering)
{
	const struct shape *shape = gathering->shape;

	if (gathering->groups.count)
		qsort(gathering->groups.items, gathering->groups.count,
		      sizeof(*gathering->groups.items), compare_groups);
	if (gathering->rows.count)
		qsort(gathering->rows.items, gathering->rows.count,
		      sizeof(*gathering->rows.items), compare_rows);
	for (size_t i = 0; i < shape->plan->column_count; i++) {
		for (size_t j = 0; j < gathering->groups.count; j++) {
			if (shape->functions[i]->settle)
				shape->functions[i]->settle(
					state_of(gathering, gathering->groups.items[j],
						 i),
					&gathering->failed);
		}
	}
}

/* The group that is the same there; its keys are of another lexicon. */
static struct group *twin(struct gathering *gathering, const struct group *later)
{
	static const struct rank behind = { .segment = UINT32_MAX };
	struct datum items[later->key_count + 1];
	struct key key = { items, later->key_count, later->is_set };

	for (size_t i = 0; i < later->key_count; i++)
		items[i] = lexicon_import(gathering->lexicon, &later->keys[i]);
	return find_group(gathering, &key, &behind);
}

static void merge_group(struct gathering *gathering, const struct gathering *from,
			const struct group *later)
{
	const struct shape *shape = gathering->shape;
	struct group *group = twin(gathering, later);

	if (!group) {
		gathering->failed = true;
		return;
	}
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
		if (is_batch(gathering, i) && gathering->batches &&
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

static int compare_buckets(const void *a, const void *b)
{
	const struct bucket *one = a, *other = b;

	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	return one->index < other->index ? -1 : one->index > other->index;
}

static bool add_groups(struct gathering *gathering, struct result *result)
{
	size_t count = gathering->groups.count;
	struct bucket *buckets =
		arena_array(&gathering->arena, count, sizeof(*buckets));

	if (!buckets)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint32_t hash = gathering->groups.items[i]->hash;

		buckets[i] = (struct bucket){ javahash_bucket(hash, count),
					      (uint32_t)i };
	}
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

	for (size_t i = 0; shape && i < shape->plan->column_count; i++) {
		for (size_t j = 0; j < gathering->groups.count; j++) {
			if (shape->functions[i]->clear)
				shape->functions[i]->clear(state_of(
					gathering, gathering->groups.items[j], i));
		}
	}
}

void gather_reset(struct gathering *gathering)
{
	clear_states(gathering);
	map_clear(&gathering->places);
	gathering->groups.count = 0;
	gathering->rows.count = 0;
	gathering->batches = NULL;
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
