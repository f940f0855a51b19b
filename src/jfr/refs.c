#include "jfr/refs.h"

#include <stdlib.h>

#include "base/bits.h"

/* Arrays in arrays, and the value they stand in. */
#define LEVELS_MAX (VALUE_DEPTH_MAX + 1)

/* A program on its way: the operation to come, and runs to come after this one. */
struct level {
	const struct program *program;
	uint32_t next;
	uint32_t runs;
};

struct walk {
	struct cursor *cursor;
	const struct type *string;
	refs_visit *visit;
	void *context;
	struct level levels[LEVELS_MAX];
	int depth;		/* levels in use */
};

static bool visit(struct walk *walk, const struct type *type)
{
	uint64_t key = cursor_varint(walk->cursor);

	if (walk->cursor->bad || !type)
		return !walk->cursor->bad;
	return walk->visit(walk->context, type, key);
}

/* An array becomes a level of its own. */
static bool enter(struct walk *walk, const struct program *element)
{
	int32_t count = (int32_t)cursor_varint(walk->cursor);

	if (walk->cursor->bad || count < 0 || element->is_broken ||
	    (size_t)count > cursor_left(walk->cursor) || walk->depth == LEVELS_MAX) {
		cursor_fail(walk->cursor);
		return false;
	}
	if (count > 0 && element->count > 0)
		walk->levels[walk->depth++] =
			(struct level){ element, 0, (uint32_t)count - 1 };
	return true;
}

static bool step(struct walk *walk, const struct op *op)
{
	const struct program alone = { .ops = op, .count = 1 };
	struct cursor ahead = *walk->cursor;

	if (op->kind == OP_REFERENCE)
		return visit(walk, op->type);
	if (op->kind == OP_ARRAY)
		return enter(walk, op->element);
	if (op->kind == OP_STRING && cursor_byte(&ahead) == STRING_POOLED) {
		*walk->cursor = ahead;
		return visit(walk, walk->string);
	}
	return value_skip(&alone, walk->cursor);
}

bool refs_walk(const struct program *program, struct cursor *cursor,
	       const struct type *string, refs_visit *visitor, void *context)
{
	struct walk walk; /* the levels are set as they are entered */

	if (program->is_broken) {
		cursor_fail(cursor);
		return false;
	}
	walk.cursor = cursor;
	walk.string = string;
	walk.visit = visitor;
	walk.context = context;
	walk.levels[0] = (struct level){ program, 0, 0 };
	walk.depth = 1;
	while (walk.depth > 0) {
		struct level *level = &walk.levels[walk.depth - 1];

		if (level->next < level->program->count) {
			if (!step(&walk, &level->program->ops[level->next++]))
				return false;
		} else if (level->runs > 0) {
			level->runs--;
			level->next = 0;
		} else {
			walk.depth--;
		}
	}
	return true;
}

bool refs_open(struct refs *refs, const struct chunk *chunk)
{
	*refs = (struct refs){ .chunk = chunk };
	refs->marks = calloc(chunk->metadata.type_count + 1, sizeof(*refs->marks));
	return refs->marks != NULL;
}

void refs_close(struct refs *refs)
{
	for (size_t i = 0; refs->marks && i < refs->chunk->metadata.type_count; i++)
		free(refs->marks[i]);
	free(refs->marks);
	vec_clear(&refs->todo);
	*refs = (struct refs){ 0 };
}

bool refs_mark(struct refs *refs, const struct type *type, uint64_t key)
{
	const struct pool *pool = chunk_pool(refs->chunk, type);
	struct refs_place place = { type->index, pool_find(pool, key) };
	uint64_t **marks = &refs->marks[type->index];

	if (place.index == MAP_NONE) {
		refs->missing += key != 0;	/* 0 is what null is written as */
		return !refs->failed;
	}
	if (!*marks)
		*marks = calloc(bits_words(pool->constants.count), sizeof(**marks));
	if (*marks && bits_has(*marks, place.index))
		return !refs->failed;
	if (!*marks || !vec_push(&refs->todo, place)) {
		refs->failed = true;
		return false;
	}
	bits_set(*marks, place.index);
	return !refs->failed;
}

static bool mark(void *context, const struct type *type, uint64_t key)
{
	return refs_mark(context, type, key);
}

bool refs_mark_event(struct refs *refs, const struct event *event)
{
	const struct type *string = refs->chunk->metadata.string;
	struct cursor cursor = event_cursor(refs->chunk, event);

	refs->is_short = event->type && !refs_walk(&event->type->program, &cursor, string,
						   mark, refs);
	return !refs->failed;
}

bool refs_spread(struct refs *refs)
{
	const struct chunk *chunk = refs->chunk;

	while (refs->todo.count > 0 && !refs->failed) {
		struct refs_place place = refs->todo.items[--refs->todo.count];
		const struct type *type = &chunk->metadata.types[place.type];
		const struct pool *pool = chunk_pool(chunk, type);
		struct cursor cursor = pool_cursor(pool, place.index);

		refs_walk(&type->program, &cursor, chunk->metadata.string, mark, refs);
	}
	return !refs->failed;
}

bool refs_has(const struct refs *refs, const struct type *type, uint32_t index)
{
	const uint64_t *marks = refs->marks[type->index];

	return marks && bits_has(marks, index);
}
