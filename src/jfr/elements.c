#include "jfr/elements.h"

struct elements elements_of(const struct chunk *chunk, const struct field *field,
			    const struct value *value, struct arena *arena)
{
	/* A pooled element is its key; what else is stored as its type is. */
	static const struct op reference_op = { .kind = OP_REFERENCE };
	static const struct program reference = { .ops = &reference_op, .count = 1 };
	struct elements elements = {
		.chunk = chunk,
		.arena = arena,
		.cursor = cursor_of(value->elements, value->size),
		.left = value->count,
		.program = field->pooled ? &reference : &field->type->program,
		.field = *field,
	};

	elements.field.array = false;
	elements.values =
		arena_array(arena, elements.program->count, sizeof(struct value));
	if (!elements.values)
		elements.left = 0;
	return elements;
}

bool elements_next(struct elements *elements)
{
	if (elements->left == 0)
		return false;
	elements->left--;
	return value_decode(elements->program, &elements->cursor,
			    elements->chunk->strings, elements->values,
			    elements->arena);
}
