#include "count/census.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "jfr/naming.h"
#include "jfr/checkpoint.h"
#include "jfr/event.h"
#include "jfr/object.h"
#include "jfr/refs.h"

/* What is found out about a constant. */
struct census_mark {
	uint64_t references;
	uint32_t copies;	/* entries of that value, of its key or of others */
};

static bool make_marks(struct census *census)
{
	const struct metadata *metadata = &census->chunk->metadata;

	census->pools = calloc(metadata->type_count + 1, sizeof(*census->pools));
	for (size_t i = 0; census->pools && i < metadata->type_count; i++) {
		const struct pool *pool = census->chunk->pools[i];

		if (!pool || !pool->constants.count)
			continue;
		census->pools[i].marks = calloc(pool->constants.count,
						sizeof(*census->pools[i].marks));
		if (!census->pools[i].marks)
			return false;
	}
	return census->pools != NULL;
}

static bool visit(void *context, const struct type *type, uint64_t key)
{
	struct census *census = context;
	uint32_t index = pool_find(chunk_pool(census->chunk, type), key);
	struct refs_place place = { type->index, index };
	struct census_pool *pool;

	if (index == MAP_NONE)
		return true;
	pool = &census->pools[type->index];
	pool->counts[census->source]++;
	if (pool->marks[index].references++ == 0 && !vec_push(&census->todo, place))
		census->failed = true;
	return !census->failed;
}

/* Types that no event ever refers to anything with are known by their programs. */
static bool has_references(const struct program *program)
{
	for (uint32_t i = 0; i < program->count; i++) {
		if (program->ops[i].kind >= OP_STRING)
			return true;
	}
	return false;
}

static void walk_events(struct census *census, struct damage *damage)
{
	const struct chunk *chunk = census->chunk;
	struct event_walk walk = event_walk(chunk, NULL);
	struct event event;

	census->source = CENSUS_EVENT_REFERENCES;
	while (!census->failed && event_next(&walk, &event)) {
		const struct type *type = event.type;
		struct cursor cursor;

		if (!type ||
		    (!type->program.is_broken && !has_references(&type->program)))
			continue;
		cursor = event_cursor(chunk, &event);
		if (!refs_walk(&type->program, &cursor, chunk->metadata.string, visit,
			       census))
			damage_add(damage, event_fault(&event), type->name,
				   chunk_site(chunk, event.offset));
	}
}

/* Walks over all that events led to, and what that leads to. */
static void walk_constants(struct census *census)
{
	const struct metadata *metadata = &census->chunk->metadata;

	census->source = CENSUS_CONSTANT_REFERENCES;
	while (census->todo.count > 0 && !census->failed) {
		struct refs_place place = census->todo.items[--census->todo.count];
		const struct type *type = &metadata->types[place.type];
		struct cursor cursor =
			pool_cursor(chunk_pool(census->chunk, type), place.index);

		refs_walk(&type->program, &cursor, metadata->string, visit, census);
	}
}

static uint64_t entry_bytes(const struct constant *constant)
{
	uint64_t size = 1;

	for (uint64_t key = constant->key >> 7; key && size < 9; key >>= 7)
		size++;
	return size + constant->size;
}

static bool is_equal(const struct constant *a, const struct constant *b)
{
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static void add(struct census_pool *pool, enum census_count count, uint64_t bytes)
{
	pool->counts[count]++;
	pool->counts[count + 1] += bytes;
}

/* One whose key has another entry, which counts. */
static void count_hidden(struct census_pool *counted, const struct pool *pool,
			 uint32_t index, uint32_t shown)
{
	const struct constant *constant = &pool->constants.items[index];
	bool is_repeated = is_equal(constant, &pool->constants.items[shown]);

	counted->marks[shown].copies += is_repeated;
	add(counted, is_repeated ? CENSUS_REPEATED : CENSUS_UNREFERENCED,
	    entry_bytes(constant));
}

/*
 * Of several keys with the same value the first gets all that is known of them. Of
 * values that only their hash confuses, all but one are taken for different.
 */
static bool count_shown(struct census *census, const struct pool *pool, uint32_t index,
			struct map *values)
{
	struct census_pool *counted = &census->pools[pool->type->index];
	const struct constant *constant = &pool->constants.items[index];
	uint64_t hash = digest(constant->bytes, constant->size, census->secret[0]);
	uint32_t first = map_find(values, hash);
	struct census_mark *mark = &counted->marks[index];

	mark->copies++;
	if (!mark->references)
		add(counted, CENSUS_UNREFERENCED, entry_bytes(constant));
	if (first == MAP_NONE)
		return map_put(values, hash, index);
	if (!is_equal(constant, &pool->constants.items[first]))
		return true;
	add(counted, CENSUS_EQUAL, entry_bytes(constant));
	counted->marks[first].copies += mark->copies;
	counted->marks[first].references += mark->references;
	mark->copies = 0;
	return true;
}

/* The entry that counts for a key is the last one with it: the others come before. */
static bool count_pool(struct census *census, const struct pool *pool)
{
	struct census_pool *counted = &census->pools[pool->type->index];
	struct map values = { 0 };
	bool is_good = true;

	for (uint32_t i = 0; is_good && i < pool->constants.count; i++) {
		const struct constant *constant = &pool->constants.items[i];
		uint32_t shown = pool_find(pool, constant->key);

		add(counted, CENSUS_ENTRIES, entry_bytes(constant));
		if (shown == i)
			is_good = count_shown(census, pool, i, &values);
		else
			count_hidden(counted, pool, i, shown);
	}
	map_clear(&values);
	return is_good;
}

/*
 * Strings of the same type and value are the same, in whatever chunk. Numbers that all
 * know put them in an order that is always the same, secret ones tell them apart.
 */
static void identify(const struct census *census, const struct constant *constant,
		     struct str type, uint64_t identity[4])
{
	identity[0] = digest(constant->bytes, constant->size, 0);
	identity[1] = digest(type.bytes, type.size, 0);
	for (int i = 0; i < 2; i++) {
		uint64_t seed = digest(type.bytes, type.size, census->secret[i]);

		identity[2 + i] = digest(constant->bytes, constant->size, seed);
	}
}

static bool choose_strings(struct census *census, const struct pool *pool)
{
	const struct census_mark *marks = census->pools[pool->type->index].marks;

	for (uint32_t i = 0; i < pool->constants.count; i++) {
		const struct constant *constant = &pool->constants.items[i];
		struct large string = { .bytes = entry_bytes(constant),
					.references = marks[i].references,
					.copies = marks[i].copies,
					.place = { pool->type->index, i } };

		if (!marks[i].copies || !largest_takes(&census->strings, string.bytes))
			continue;
		identify(census, constant, pool->type->name, string.identity);
		if (!largest_add(&census->strings, string))
			return false;
	}
	return true;
}

/* Stack traces mean something in their chunk alone: there are no two of the same. */
static bool choose_stacks(struct census *census, const struct pool *pool)
{
	const struct census_mark *marks = census->pools[pool->type->index].marks;

	for (uint32_t i = 0; i < pool->constants.count; i++) {
		struct refs_place place = { pool->type->index, i };
		struct large stack = { .bytes = entry_bytes(&pool->constants.items[i]),
				       .references = marks[i].references,
				       .copies = marks[i].copies,
				       .place = place };

		stack.identity[0] = census->chunk->index;
		stack.identity[1] = (uint64_t)place.type << 32 | place.index;
		if (marks[i].copies && largest_takes(&census->stacks, stack.bytes) &&
		    !largest_add(&census->stacks, stack))
			return false;
	}
	return true;
}

static bool is_string(const struct type *type)
{
	return type->program.count == 1 && type->program.ops[0].kind == OP_STRING;
}

static bool count_pools(struct census *census)
{
	const struct chunk *chunk = census->chunk;

	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct pool *pool = chunk->pools[i];

		if (!census->pools[i].marks)
			continue;
		if (!count_pool(census, pool) ||
		    (is_string(pool->type) && !choose_strings(census, pool)) ||
		    (pool->type->role == TYPE_STACK_TRACE &&
		     !choose_stacks(census, pool)))
			return false;
	}
	largest_trim(&census->strings);
	largest_trim(&census->stacks);
	return true;
}

bool census_take(struct census *census, struct chunk *chunk, struct damage *damage)
{
	census->chunk = chunk;
	if ((!chunk->pools && !checkpoint_load(chunk, damage, NULL)) ||
	    !make_marks(census))
		return false;
	walk_events(census, damage);
	walk_constants(census);
	return !census->failed && count_pools(census);
}

static const struct pool *pool_of(const struct census *census,
				  const struct large *thing)
{
	return census->chunk->pools[thing->place.type];
}

void census_tell_string(const struct census *census, struct large *thing,
			struct buf *to, struct arena *arena)
{
	struct cursor cursor = pool_cursor(pool_of(census, thing), thing->place.index);
	struct str text;

	if (!value_string(&cursor, census->chunk->strings, &text, arena))
		return;
	buf_str(to, str_front(text, CENSUS_TEXT_MAX));
}

/* The first element of the array that a field of the trace is. */
static bool first_frame(const struct object *trace, const struct field *field,
			struct object *frame, struct arena *arena)
{
	const struct program *element = trace->type->program.ops[field->slot].element;
	const struct value *array = &trace->values[field->slot];
	struct cursor cursor = cursor_of(array->elements, array->size);
	struct value *values = arena_array(arena, element->count, sizeof(*values));
	struct field alone = *field;

	alone.array = false;
	return array->count > 0 && values &&
	       value_decode(element, &cursor, trace->chunk->strings, values, arena) &&
	       object_of_field(trace->chunk, &alone, values, frame, arena);
}

static void add_frame(struct buf *to, const struct object *frame, struct arena *arena)
{
	int64_t line = object_number(frame, "lineNumber", 0);
	struct object method;

	if (!object_child(frame, "method", &method, arena) ||
	    !naming_add(to, &method, arena))
		buf_text(to, "<unknown>");
	if (line > 0)
		buf_printf(to, ":%lld", (long long)line);
}

void census_tell_stack(const struct census *census, struct large *thing,
		       struct buf *to, struct arena *arena)
{
	const struct pool *pool = pool_of(census, thing);
	struct object trace, frame;
	const struct field *field;

	if (pool->type->is_simple ||
	    !object_at(&trace, census->chunk, pool, thing->place.index, arena))
		return;
	field = type_field(trace.type, "frames");
	if (!field || !field->array || !field->shown)
		return;
	thing->parts = trace.values[field->slot].count;
	if (first_frame(&trace, field, &frame, arena))
		add_frame(to, &frame, arena);
}

void census_clear(struct census *census)
{
	size_t string_limit = census->strings.limit, stack_limit = census->stacks.limit;

	for (size_t i = 0; census->pools && i < census->chunk->metadata.type_count; i++)
		free(census->pools[i].marks);
	free(census->pools);
	vec_clear(&census->todo);
	largest_clear(&census->strings);
	largest_clear(&census->stacks);
	*census = (struct census){ .strings.limit = string_limit,
				   .stacks.limit = stack_limit,
				   .secret = { census->secret[0], census->secret[1] } };
}
