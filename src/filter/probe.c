#include "filter/probe.h"

#include <stdlib.h>

#include "jfr/naming.h"
#include "filter/operand.h"
#include "jfr/object.h"

/* Names that lead from a stack trace to its methods, where none are written. */
#define IMPLIED_MAX 2

/* A way to get from the place of a value to an answer. */
struct step {
	bool (*take)(struct probe *probe, const struct step *step,
		     struct cursor cursor);
	struct program before;		/* what is to be gone past */
	const struct program *element;	/* of an array, or of a struct that is asked */
	const struct op *op;		/* of a number */
	const struct step *rest;	/* what is asked of each element */
	struct stage *stage;		/* where references lead; pooled strings, too */
	const struct field *field;
	struct operand operand;
	bool is_dotted;			/* a name of a class */
};

enum verdict { VERDICT_NONE, VERDICT_NO, VERDICT_YES, VERDICT_TOO_LARGE };

/* A pool that a path goes through, and what is known of its constants. */
struct stage {
	const struct pool *pool;	/* NULL: there are no constants */
	const struct step *step;	/* NULL: there is none, fit says why */
	enum fit fit;
	unsigned char *verdicts;	/* by place in the pool; NULL: none is known */
};

/* A value that is stored as a key. */
static const struct op reference_op = { .kind = OP_REFERENCE };
static const struct program reference = { .ops = &reference_op, .count = 1 };

void probe_open(struct probe *probe, const struct chunk *chunk,
		const struct condition *condition)
{
	*probe = (struct probe){ .chunk = chunk, .condition = condition,
				 .arena = { .limit = PROBE_TEXT_MAX } };
}

void probe_open_threads(struct probe *probe, const struct chunk *chunk,
			const struct threads *threads)
{
	probe_open(probe, chunk, NULL);
	probe->threads = *threads;
}

void probe_close(struct probe *probe)
{
	for (size_t i = 0; i < probe->stages.count; i++)
		free(probe->stages.items[i]->verdicts);
	vec_clear(&probe->stages);
	map_clear(&probe->stage_places);
	arena_clear(&probe->steps);
	arena_clear(&probe->arena);
	buf_clear(&probe->text);
}

/* --- asking ------------------------------------------------------------------ */

static bool asks_for_null(const struct probe *probe)
{
	return probe->condition && probe->condition->is_null;
}

static bool fail_bytes(struct probe *probe)
{
	probe->is_bad = true;
	return false;
}

static bool step_takes(struct probe *probe, const struct step *step,
		       struct cursor cursor)
{
	if (!value_skip(&step->before, &cursor))
		return fail_bytes(probe);
	return step->take(probe, step, cursor);
}

/* What was decoded for an answer has done its duty. */
static void forget(struct probe *probe)
{
	const struct arena *arena = &probe->arena;

	probe->failed |= (arena->failed && !arena->is_full) || probe->text.failed;
	probe->is_too_large |= arena->is_full || probe->text.size > PROBE_TEXT_MAX;
	if (arena->taken || arena->failed)
		arena_reset(&probe->arena);
	buf_reset(&probe->text);
	if (probe->text.capacity > PROBE_TEXT_MAX)
		buf_clear(&probe->text);
}

/* True if there is no answer, whatever comes. */
static bool has_no_answer(const struct probe *probe)
{
	return probe->is_bad || probe->is_too_large || probe->failed;
}

/* A constant that does not fit its type is null. */
static enum verdict ask_constant(struct probe *probe, const struct stage *stage,
				 uint32_t index)
{
	bool takes = step_takes(probe, stage->step, pool_cursor(stage->pool, index));

	if (probe->is_bad)
		takes = asks_for_null(probe);
	probe->is_bad = false;
	if (probe->is_too_large)
		return VERDICT_TOO_LARGE;
	return takes ? VERDICT_YES : VERDICT_NO;
}

static bool stage_takes(struct probe *probe, struct stage *stage, uint64_t key)
{
	uint32_t index = pool_find(stage->pool, key);
	unsigned char *verdict;

	if (index == MAP_NONE)
		return asks_for_null(probe);
	if (!stage->verdicts)
		stage->verdicts = calloc(stage->pool->constants.count, 1);
	if (!stage->verdicts) {
		probe->failed = true;
		return false;
	}
	verdict = &stage->verdicts[index];
	if (*verdict == VERDICT_NONE)
		*verdict = (unsigned char)ask_constant(probe, stage, index);
	if (*verdict == VERDICT_TOO_LARGE)
		probe->is_too_large = true;
	return *verdict == VERDICT_YES;
}

static bool reference_takes(struct probe *probe, const struct step *step,
			    struct cursor cursor)
{
	uint64_t key = cursor_varint(&cursor);

	return cursor.bad ? fail_bytes(probe) : stage_takes(probe, step->stage, key);
}

static bool array_takes(struct probe *probe, const struct step *step,
			struct cursor cursor)
{
	int32_t count = (int32_t)cursor_varint(&cursor);

	if (cursor.bad || count < 0 || (size_t)count > cursor_left(&cursor) ||
	    step->element->is_broken)
		return fail_bytes(probe);
	for (int32_t i = 0; i < count; i++) {
		if (step_takes(probe, step->rest, cursor))
			return true;
		if (has_no_answer(probe))
			return false;
		if (!value_skip(step->element, &cursor))
			return fail_bytes(probe);
	}
	return false;
}

static bool number_takes(struct probe *probe, const struct step *step,
			 struct cursor cursor)
{
	struct program alone = { .ops = step->op, .count = 1 };
	struct value value;

	if (!value_decode(&alone, &cursor, NULL, &value, NULL))
		return fail_bytes(probe);
	return operand_takes_number(&step->operand, step->field, &value,
				    &probe->chunk->clock);
}

static bool text_takes(struct probe *probe, const struct step *step, struct str text)
{
	if (!step->is_dotted || !text.bytes)
		return operand_takes_text(&step->operand, text);
	naming_add_class(&probe->text, text, STR(""));
	if (probe->text.failed)
		return false;
	return operand_takes_text(&step->operand,
				  (struct str){ probe->text.bytes, probe->text.size });
}

/* A string that stands for another may do so in an event, but not in its own pool. */
static bool string_takes(struct probe *probe, const struct step *step,
			 struct cursor cursor)
{
	struct cursor ahead = cursor;
	struct str text;
	bool takes;

	if (step->stage && cursor_byte(&ahead) == STRING_POOLED) {
		uint64_t key = cursor_varint(&ahead);

		return ahead.bad ? fail_bytes(probe)
				 : stage_takes(probe, step->stage, key);
	}
	if (!value_string(&cursor, NULL, &text, &probe->arena)) {
		probe->is_bad = !probe->arena.failed;
		forget(probe);
		return false;
	}
	takes = text_takes(probe, step, text);
	forget(probe);
	return takes;
}

static bool object_takes(struct probe *probe, const struct step *step,
			 const struct object *object)
{
	struct buf *text = &probe->text;
	struct str name = { NULL, 0 };

	if (!probe->condition)
		return threads_match(&probe->threads, object, &probe->arena);
	if (naming_add(text, object, &probe->arena)) {
		if (object->type->role == TYPE_METHOD &&
		    memchr(step->operand.text.bytes, '(', step->operand.text.size))
			naming_add_parameters(text, object_text(object, "descriptor",
							&probe->arena));
		if (text->failed)
			return false;
		name = (struct str){ text->bytes, text->size };
	}
	return operand_takes_text(&step->operand, name);
}

static bool struct_takes(struct probe *probe, const struct step *step,
			 struct cursor cursor)
{
	const struct program *program = step->element;
	struct object object = { .chunk = probe->chunk, .type = step->field->shown };
	struct value *values;
	bool takes = false;

	if (asks_for_null(probe))
		return false;
	values = arena_array(&probe->arena, program->count, sizeof(*values));
	object.values = values;
	if (values && value_decode(program, &cursor, probe->chunk->strings, values,
				   &probe->arena))
		takes = object_takes(probe, step, &object);
	else
		probe->is_bad = !probe->arena.failed;
	takes &= !probe->arena.failed;
	forget(probe);
	if (!probe->condition) {
		probe->has_asked = true;
		probe->has_found |= takes;
	}
	return takes;
}

bool probe_takes(struct probe *probe, const struct step *step,
		 const struct event *event, const char **fault)
{
	bool takes, is_negated = probe->condition && probe->condition->is_negated;

	probe->is_bad = probe->is_too_large = false;
	takes = step_takes(probe, step, event_cursor(probe->chunk, event));
	if (probe->is_bad)
		*fault = event_fault(event);
	else if (probe->is_too_large)
		*fault = "a text is too large to be compared";
	return !has_no_answer(probe) && takes != is_negated;
}

/* --- planning ---------------------------------------------------------------- */

/* Where in the path and in the bytes a plan has come to. */
struct place {
	const struct program *program;	/* what the bytes are laid out by */
	uint32_t slot;			/* of that: where the value begins */
	size_t part;			/* the name in the path that comes next */
	bool is_dotted;			/* the value is the name of a class */
};

struct plan {
	struct probe *probe;
	enum fit fit;			/* if it failed: why */
};

static const struct step *plan_field(struct plan *plan, const struct type *owner,
				     const struct field *field, struct place place);

/* The name at that place of the path, in a struct of that role; NULL at its end. */
static const char *part_name(const struct probe *probe, size_t part,
			     enum type_role role)
{
	const struct condition *condition = probe->condition;

	if (!condition)
		return NULL;
	if (part < condition->part_count)
		return condition->parts[part];
	if (condition->is_null || part - condition->part_count >= IMPLIED_MAX)
		return NULL;
	if (role == TYPE_STACK_TRACE)
		return "frames";
	return role == TYPE_STACK_FRAME ? "method" : NULL;
}

static struct step *new_step(struct plan *plan, struct place place)
{
	struct step *step = arena_alloc(&plan->probe->steps, sizeof(*step));

	if (!step) {
		plan->probe->failed = true;
		return NULL;
	}
	step->before = *place.program;
	step->before.count = place.slot;
	step->is_dotted = place.is_dotted;
	return step;
}

/*
 * What tells stages apart: the place in the path and the type of the pool, but also
 * how a number or text is meant, which is a matter of the field that refers to it.
 */
static uint64_t stage_key(const struct field *field, const struct type *type,
			  struct place place, bool is_string_pool)
{
	return type->index | (uint64_t)field->unit << 32 |
	       (uint64_t)field->is_unsigned << 40 | (uint64_t)place.is_dotted << 41 |
	       (uint64_t)is_string_pool << 42 | (uint64_t)place.part << 48;
}

/* The stage with that key; *is_new if it was not there: its step is to be set. */
static struct stage *own_stage(struct plan *plan, const struct pool *pool, uint64_t key,
			       bool *is_new)
{
	struct probe *probe = plan->probe;
	uint32_t index = map_find(&probe->stage_places, key);
	struct stage *stage;

	*is_new = index == MAP_NONE;
	if (!*is_new)
		return probe->stages.items[index];
	stage = arena_alloc(&probe->steps, sizeof(*stage));
	index = (uint32_t)probe->stages.count;
	if (!stage || !vec_push(&probe->stages, stage) ||
	    !map_put(&probe->stage_places, key, index)) {
		probe->failed = true;
		return NULL;
	}
	stage->pool = pool;
	return stage;
}

/* The strings that the strings of this step may stand for. */
static bool plan_strings(struct plan *plan, struct step *step, struct place place)
{
	const struct pool *strings = plan->probe->chunk->strings;
	struct step *pooled;
	uint64_t key;
	bool is_new;

	if (!strings)
		return true;
	key = stage_key(step->field, strings->type, place, true);
	step->stage = own_stage(plan, strings, key, &is_new);
	if (!step->stage || !is_new)
		return step->stage != NULL;
	pooled = new_step(plan, place);
	if (!pooled)
		return false;
	*pooled = *step;
	pooled->before.count = 0;
	pooled->stage = NULL;
	step->stage->step = pooled;
	return true;
}

/* What is asked of a value; false if the condition makes no sense there. */
static bool plan_operand(struct plan *plan, struct step *step)
{
	struct probe *probe = plan->probe;
	enum type_role role = step->field->shown->role;
	bool is_dotted = step->is_dotted || role == TYPE_CLASS || role == TYPE_METHOD;
	const char *hint = NULL;

	plan->fit = FIT_GOOD;
	if (!probe->condition ||
	    operand_of(&step->operand, probe->condition, step->field, is_dotted,
		       probe->chunk->zone, &hint))
		return true;
	plan->fit = FIT_NO_VALUE;
	if (!probe->hint)
		probe->hint = hint;
	return false;
}

/* The end of the path, where a value is compared. */
static const struct step *plan_leaf(struct plan *plan, const struct field *field,
				    struct place place)
{
	struct step *step = new_step(plan, place);

	if (!step)
		return NULL;
	step->field = field;
	step->element = &field->type->program;
	if (place.slot < place.program->count)	/* or the program is broken */
		step->op = &place.program->ops[place.slot];
	if (field->shown->primitive == OP_NONE)
		step->take = struct_takes;
	else if (field->shown->primitive == OP_STRING)
		step->take = string_takes;
	else
		step->take = number_takes;
	if (!plan_operand(plan, step) ||
	    (step->take == string_takes && !plan_strings(plan, step, place)))
		return NULL;
	return step;
}

static const struct step *plan_struct(struct plan *plan, const struct type *type,
				      struct place place)
{
	const char *name = part_name(plan->probe, place.part, type->role);
	const struct field *field = type_field(type, name);

	if (!field || !field->shown) {
		plan->fit = FIT_NO_FIELD;
		return NULL;
	}
	place.slot += field->slot;
	place.part++;
	return plan_field(plan, type, field, place);
}

/* A value of the field that stands in the place itself, not behind a key. */
static const struct step *plan_inline(struct plan *plan, const struct field *field,
				      struct place place)
{
	if (part_name(plan->probe, place.part, field->shown->role))
		return plan_struct(plan, field->shown, place);
	return plan_leaf(plan, field, place);
}

/* A key: the path goes on in the pool, for all who come there at this part of it. */
static const struct step *plan_reference(struct plan *plan, const struct field *field,
					 struct place place)
{
	const struct pool *pool = chunk_pool(plan->probe->chunk, field->type);
	uint64_t key = stage_key(field, field->type, place, false);
	struct step *step = new_step(plan, place);
	struct stage *stage;
	bool is_new;

	if (!step)
		return NULL;
	stage = own_stage(plan, pool, key, &is_new);
	if (!stage)
		return NULL;
	if (is_new) {
		place.program = &field->type->program;
		place.slot = 0;
		stage->step = plan_inline(plan, field, place);
		stage->fit = plan->fit;
	}
	step->take = reference_takes;
	step->stage = stage;
	plan->fit = stage->fit;
	return stage->step ? step : NULL;
}

static const struct step *plan_value(struct plan *plan, const struct field *field,
				     struct place place)
{
	return field->pooled ? plan_reference(plan, field, place)
			     : plan_inline(plan, field, place);
}

/* Names of classes and packages, which producers write with slashes. */
static bool is_class_name(const struct type *owner, const struct field *field)
{
	return str_is(field->name, STR("name")) &&
	       (owner->role == TYPE_CLASS ||
		str_ends(owner->name, STR(".types.Package")));
}

static const struct step *plan_field(struct plan *plan, const struct type *owner,
				     const struct field *field, struct place place)
{
	struct step *step;

	place.is_dotted = is_class_name(owner, field);
	if (!field->array)
		return plan_value(plan, field, place);
	step = new_step(plan, place);
	if (!step)
		return NULL;
	step->take = array_takes;
	step->element = field->pooled ? &reference : &field->type->program;
	place.program = step->element;
	place.slot = 0;
	step->rest = plan_value(plan, field, place);
	return step->rest ? step : NULL;
}

const struct step *probe_plan(struct probe *probe, const struct type *event,
			      enum fit *fit)
{
	struct plan plan = { .probe = probe, .fit = FIT_NO_FIELD };
	struct place place = { .program = &event->program };
	const struct field *thread =
		probe->condition ? NULL : threads_field(&probe->threads, event);
	const struct step *step = NULL;

	if (probe->condition) {
		step = plan_struct(&plan, event, place);
	} else if (thread) {
		place.slot = thread->slot;
		step = plan_field(&plan, event, thread, place);
	}
	*fit = plan.fit;
	return step;
}

size_t probe_depth(const struct condition *condition, const struct type *event,
		   const struct type **owner)
{
	*owner = event;
	for (size_t part = 0; part < condition->part_count; part++) {
		const struct field *field = type_field(*owner, condition->parts[part]);

		if (!field || !field->shown)
			return part;
		*owner = field->shown;
	}
	*owner = NULL;
	return condition->part_count;
}
