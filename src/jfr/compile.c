#include "jfr/compile.h"

#include <stdlib.h>
#include <string.h>

/* Structs in structs deeper than this are broken; real files have two levels. */
#define COMPILE_DEPTH_MAX 64

enum progress { PROGRESS_NONE, PROGRESS_STARTED, PROGRESS_DONE };

struct compiler {
	struct metadata *metadata;
	struct arena *arena;
	enum progress *progress;	/* by type index */
	bool failed;			/* out of memory */
};

static bool compile(struct compiler *compiler, struct type *type, int depth);

static struct type *own(struct compiler *compiler, const struct type *type)
{
	return &compiler->metadata->types[type->index];
}

/* What one element of the field is made of; NULL if that cannot be decoded. */
static const struct program *compile_element(struct compiler *compiler,
					     const struct field *field, int depth)
{
	struct type *type = field->type ? own(compiler, field->type) : NULL;
	struct program *reference;
	struct op *op;

	if (!type)
		return NULL;
	if (!field->pooled) {
		/* An array may hold its own type: its program need not be ready yet. */
		if (field->array)
			return &type->program;
		return compile(compiler, type, depth + 1) ? &type->program : NULL;
	}
	reference = arena_alloc(compiler->arena, sizeof(*reference));
	op = arena_alloc(compiler->arena, sizeof(*op));
	if (!reference || !op) {
		compiler->failed = true;
		return NULL;
	}
	*op = (struct op){ .kind = OP_REFERENCE, .type = type };
	*reference = (struct program){ .ops = op, .count = 1, .is_varints = true };
	return reference;
}

/* Appends the operations of one field; false if it is broken. */
static bool compile_field(struct compiler *compiler, struct field *field,
			  struct op *ops, uint32_t *count, int depth)
{
	const struct program *element = compile_element(compiler, field, depth);

	field->slot = *count;
	if (!element)
		return false;
	if (field->array) {
		if (*count == PROGRAM_VALUES_MAX)
			return false;
		ops[(*count)++] = (struct op){ .kind = OP_ARRAY, .element = element };
		return true;
	}
	if (element->count > PROGRAM_VALUES_MAX - *count)
		return false;
	for (uint32_t i = 0; i < element->count; i++)
		ops[(*count)++] = element->ops[i];
	return true;
}

static bool compile_primitive(struct compiler *compiler, struct type *type)
{
	struct op *op = arena_alloc(compiler->arena, sizeof(*op));

	if (!op)
		return !(compiler->failed = true);
	op->kind = type->primitive;
	type->program = (struct program){ .ops = op, .count = 1 };
	return true;
}

static bool compile_struct(struct compiler *compiler, struct type *type, int depth)
{
	/* A simple type is its first field and nothing else, as for the JDK. */
	size_t fields = type->is_simple && type->field_count ? 1 : type->field_count;
	struct op *ops = malloc(PROGRAM_VALUES_MAX * sizeof(*ops));
	uint32_t count = 0;
	bool good = ops != NULL;
	struct op *kept;

	compiler->failed |= !ops;
	if (type->field_count == 0 && !type->is_event)
		good = false;	/* a primitive that nobody knows */
	for (size_t i = 0; good && i < fields; i++)
		good = compile_field(compiler, &type->fields[i], ops, &count, depth);
	kept = good ? arena_array(compiler->arena, count, sizeof(*ops)) : NULL;
	if (good && !kept)
		compiler->failed = true;
	else if (good && count)
		memcpy(kept, ops, count * sizeof(*ops));
	if (kept)
		type->program = (struct program){ .ops = kept, .count = count };
	free(ops);
	return kept != NULL;
}

/* False if the type is, or just turns out to be, broken. */
static bool compile(struct compiler *compiler, struct type *type, int depth)
{
	enum progress *progress = &compiler->progress[type->index];

	if (*progress == PROGRESS_DONE)
		return !type->program.is_broken;
	if (*progress == PROGRESS_STARTED || depth > COMPILE_DEPTH_MAX)
		return false;
	*progress = PROGRESS_STARTED;
	type->program.is_broken = true;
	if (type->primitive != OP_NONE)
		compile_primitive(compiler, type);
	else
		compile_struct(compiler, type, depth);
	*progress = PROGRESS_DONE;
	return !type->program.is_broken;
}

static bool is_varints(const struct program *program)
{
	for (uint32_t i = 0; i < program->count; i++) {
		enum op_kind kind = program->ops[i].kind;

		if ((kind < OP_SHORT || kind > OP_LONG) && kind != OP_REFERENCE)
			return false;
	}
	return program->count > 0;
}

/* Nearly all events: their ticks can be read without running the program. */
static void find_ticks(struct type *type)
{
	const struct op *ops = type->program.ops;
	const struct field *start = type->start, *duration = type->duration;

	type->has_plain_ticks =
		start && type->program.count > (duration ? 1 : 0) && start->slot == 0 &&
		ops[0].kind == OP_LONG &&
		(!duration || (duration->slot == 1 && ops[1].kind == OP_LONG));
}

bool compile_types(struct metadata *metadata, struct arena *arena)
{
	struct compiler compiler = { .metadata = metadata, .arena = arena };

	compiler.progress =
		calloc(metadata->type_count + 1, sizeof(*compiler.progress));
	if (!compiler.progress)
		return false;
	for (size_t i = 0; i < metadata->type_count && !compiler.failed; i++)
		compile(&compiler, &metadata->types[i], 0);
	for (size_t i = 0; i < metadata->type_count && !compiler.failed; i++) {
		struct type *type = &metadata->types[i];

		type->program.is_varints = is_varints(&type->program);
		find_ticks(type);
	}
	free(compiler.progress);
	return !compiler.failed;
}
