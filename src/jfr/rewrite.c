#include "jfr/rewrite.h"

#include <stdlib.h>

#include "jfr/encode.h"

/* Arrays in arrays, and the value they stand in. */
#define LEVELS_MAX (VALUE_DEPTH_MAX + 1)

enum step_kind {
	STEP_SKIP,	/* so many operations */
	STEP_KEY,
	STEP_NUMBER,
	STEP_STRING,	/* a text, or a key */
	STEP_ARRAY,
};

struct step {
	enum step_kind kind;
	uint32_t count;
	const struct op *op;			/* the first one */
	const struct rewrite_plan *element;	/* STEP_ARRAY */
	struct rewrite_place place;
};

/* What to do with a value. */
struct rewrite_plan {
	struct step *steps;
	uint32_t count;
	uint32_t used;		/* up to the last one that asks */
};

/* A plan in the making. */
struct planner {
	struct rewrite *rewrite;
	struct rewrite_plan *plan;
	const struct op *ops;		/* of the program */
	uint32_t at;
};

bool rewrite_open(struct rewrite *rewrite, const struct chunk *chunk)
{
	rewrite->chunk = chunk;
	rewrite->arena = rewrite->texts = (struct arena){ 0 };
	rewrite->plans = calloc(chunk->metadata.type_count + 1, sizeof(*rewrite->plans));
	return rewrite->plans != NULL;
}

void rewrite_close(struct rewrite *rewrite)
{
	free(rewrite->plans);
	rewrite->plans = NULL;
	arena_clear(&rewrite->arena);
	arena_clear(&rewrite->texts);
}

/* The next operation of the program becomes a step, or part of the one before. */
static struct step *add_step(struct planner *planner, enum step_kind kind,
			     struct rewrite_place place)
{
	struct rewrite_plan *plan = planner->plan;
	const struct op *op = &planner->ops[planner->at++];
	struct step *step = &plan->steps[plan->count - (plan->count > 0)];

	if (kind == STEP_SKIP && plan->count > 0 && step->kind == STEP_SKIP) {
		step->count++;
		return step;
	}
	step = &plan->steps[plan->count++];
	*step = (struct step){ .kind = kind, .count = 1, .op = op, .place = place };
	if (kind != STEP_SKIP)
		plan->used = plan->count;
	return step;
}

static bool asks_key(const struct rewrite *rewrite, const struct type *type)
{
	return rewrite->key && type &&
	       (!rewrite->has_key || rewrite->has_key(rewrite->context, type));
}

static bool tells_key(const struct rewrite *rewrite, const struct type *type)
{
	return rewrite->pooled && type && type->shown &&
	       type->shown->primitive == OP_STRING;
}

static bool asks_number(const struct rewrite *rewrite, const struct rewrite_place *place)
{
	return rewrite->number && place->field &&
	       rewrite->has_number(rewrite->context, place);
}

static void add_primitive(struct planner *planner, enum op_kind kind,
			  struct rewrite_place place)
{
	const struct rewrite *rewrite = planner->rewrite;
	enum step_kind step = STEP_SKIP;

	if (kind == OP_STRING &&
	    (rewrite->text || rewrite->pooled ||
	     asks_key(rewrite, rewrite->chunk->metadata.string)))
		step = STEP_STRING;
	if (kind >= OP_BYTE && kind <= OP_LONG && asks_number(rewrite, &place))
		step = STEP_NUMBER;
	add_step(planner, step, place);
}

static void add_type(struct planner *planner, const struct type *type,
		     struct rewrite_place place);

/* NULL without memory, which the arena remembers. */
static struct rewrite_plan *make_plan(struct rewrite *rewrite,
				      const struct program *program)
{
	struct rewrite_plan *plan = arena_alloc(&rewrite->arena, sizeof(*plan));
	struct step *steps =
		arena_array(&rewrite->arena, program->count, sizeof(*steps));

	if (!plan || !steps)
		return NULL;
	plan->steps = steps;
	return plan;
}

static struct rewrite_plan *plan_type(struct rewrite *rewrite, const struct type *type,
				      struct rewrite_place place)
{
	struct planner planner = { rewrite, make_plan(rewrite, &type->program),
				   type->program.ops, 0 };

	if (planner.plan && !type->program.is_broken)
		add_type(&planner, type, place);
	return rewrite->arena.failed ? NULL : planner.plan;
}

/* The plan for elements that are nothing but keys. */
static struct rewrite_plan *plan_keys(struct rewrite *rewrite,
				      const struct program *program,
				      struct rewrite_place place)
{
	struct planner planner = { rewrite, make_plan(rewrite, program), program->ops,
				   0 };

	if (planner.plan)
		add_step(&planner, STEP_KEY, place);
	return planner.plan;
}

/*
 * Elements that hold no arrays are planned at once, as part of the field. The others are
 * when one is met: types may be nested without end.
 */
static void add_array(struct planner *planner, struct rewrite_place place)
{
	const struct type *type = place.field->type;
	const struct program *program = planner->ops[planner->at].element;
	bool is_flat = program->is_varints || (type->shown && type->shown->primitive);
	const struct rewrite_plan *element = NULL;
	enum step_kind kind = STEP_ARRAY;

	if (place.field->pooled) {
		if (asks_key(planner->rewrite, type) ||
		    tells_key(planner->rewrite, type))
			element = plan_keys(planner->rewrite, program, place);
		else
			kind = STEP_SKIP;
	} else if (is_flat) {
		element = plan_type(planner->rewrite, type, place);
		kind = element && element->used ? STEP_ARRAY : STEP_SKIP;
	}
	add_step(planner, kind, place)->element = element;
}

static void add_field(struct planner *planner, struct rewrite_place place,
		      struct rewrite_place outer)
{
	const struct field *field = place.field;

	if (field->array) {
		add_array(planner, place);
	} else if (field->pooled) {
		bool asks = asks_key(planner->rewrite, field->type) ||
			    tells_key(planner->rewrite, field->type);

		add_step(planner, asks ? STEP_KEY : STEP_SKIP, place);
	} else {
		/* What a simple type stands for may be told of the field of that type. */
		bool is_outer = place.owner->is_simple &&
				asks_number(planner->rewrite, &outer);

		add_type(planner, field->type, is_outer ? outer : place);
	}
}

/* As compile.c does, which bounds the depth. */
static void add_type(struct planner *planner, const struct type *type,
		     struct rewrite_place place)
{
	size_t fields = type->is_simple && type->field_count ? 1 : type->field_count;

	if (type->primitive != OP_NONE) {
		add_primitive(planner, type->primitive, place);
		return;
	}
	for (size_t i = 0; i < fields; i++)
		add_field(planner, (struct rewrite_place){ type, &type->fields[i] }, place);
}

/* NULL without memory. */
static const struct rewrite_plan *plan_of(struct rewrite *rewrite,
					  const struct type *type)
{
	struct rewrite_plan **kept = &rewrite->plans[type->index];

	if (!*kept)
		*kept = plan_type(rewrite, type, (struct rewrite_place){ type, NULL });
	return *kept;
}

bool rewrite_concerns(struct rewrite *rewrite, const struct type *type)
{
	const struct rewrite_plan *plan = plan_of(rewrite, type);

	return !plan || plan->used > 0;
}

/* A plan on its way: the step to come, the end, and runs to come after this one. */
struct level {
	const struct rewrite_plan *plan;
	uint32_t next, end;
	uint32_t runs;
};

struct walk {
	struct rewrite *rewrite;
	struct cursor *cursor;
	struct buf *to;			/* NULL: nothing is written */
	const unsigned char *copied;	/* the bytes up to here */
	struct level levels[LEVELS_MAX];
	int depth;			/* levels in use */
};

static void copy_until(struct walk *walk, const unsigned char *end)
{
	if (walk->to)
		buf_add(walk->to, walk->copied, (size_t)(end - walk->copied));
	walk->copied = end;
}

/* What was read from `at` on is replaced by what is written next. */
static struct buf *replace(struct walk *walk, const unsigned char *at)
{
	copy_until(walk, at);
	walk->copied = walk->cursor->at;
	return walk->to;
}

static bool step_key(struct walk *walk, const struct step *step, const struct type *type)
{
	struct rewrite *rewrite = walk->rewrite;
	const unsigned char *at = walk->cursor->at;
	uint64_t key = cursor_varint(walk->cursor), other = key;

	if (walk->cursor->bad)
		return false;
	if (tells_key(rewrite, type))
		rewrite->pooled(rewrite->context, &step->place, type, key);
	if (asks_key(rewrite, type))
		other = rewrite->key(rewrite->context, type, key);
	if (other != key && walk->to)
		encode_varint(replace(walk, at), other);
	return true;
}

static int64_t read_number(struct cursor *cursor, enum op_kind kind)
{
	switch (kind) {
	case OP_BYTE:
		return (int8_t)cursor_byte(cursor);
	case OP_SHORT:
		return (int16_t)cursor_varint(cursor);
	case OP_CHAR:
		return (uint16_t)cursor_varint(cursor);
	case OP_INT:
		return (int32_t)cursor_varint(cursor);
	default:
		return (int64_t)cursor_varint(cursor);
	}
}

static void write_number(struct buf *to, enum op_kind kind, int64_t number)
{
	if (kind == OP_BYTE)
		encode_byte(to, (int8_t)number);
	else if (kind == OP_INT)
		encode_int(to, (int32_t)number);
	else if (kind == OP_SHORT || kind == OP_CHAR)
		encode_char(to, (uint16_t)number);
	else
		encode_long(to, number);
}

static bool step_number(struct walk *walk, const struct step *step)
{
	struct rewrite *rewrite = walk->rewrite;
	const unsigned char *at = walk->cursor->at;
	int64_t number = read_number(walk->cursor, step->op->kind), other;

	if (walk->cursor->bad)
		return false;
	other = rewrite->number(rewrite->context, &step->place, number);
	if (other != number && walk->to)
		write_number(replace(walk, at), step->op->kind, other);
	return true;
}

static bool step_text(struct walk *walk, const struct step *step)
{
	struct rewrite *rewrite = walk->rewrite;
	const unsigned char *at = walk->cursor->at;
	struct str text;

	arena_reset(&rewrite->texts);
	if (!value_string(walk->cursor, NULL, &text, &rewrite->texts)) {
		if (rewrite->texts.failed && walk->to)
			walk->to->failed = true;
		return false;
	}
	if (text.bytes && rewrite->text(rewrite->context, &step->place, &text) && walk->to)
		encode_string(replace(walk, at), text);
	return true;
}

static bool step_skip(struct walk *walk, const struct step *step)
{
	const struct program skipped = { .ops = step->op, .count = step->count };

	return value_skip(&skipped, walk->cursor);
}

static bool step_string(struct walk *walk, const struct step *step)
{
	const struct type *string = walk->rewrite->chunk->metadata.string;
	struct cursor ahead = *walk->cursor;

	if (cursor_byte(&ahead) == STRING_POOLED) {
		if (!asks_key(walk->rewrite, string) && !tells_key(walk->rewrite, string))
			return step_skip(walk, step);
		*walk->cursor = ahead;
		return step_key(walk, step, string);
	}
	return walk->rewrite->text ? step_text(walk, step) : step_skip(walk, step);
}

/* An array becomes a level of its own. */
static bool step_array(struct walk *walk, const struct step *step)
{
	const struct program *program = step->op->element;
	int32_t count = (int32_t)cursor_varint(walk->cursor);
	const struct rewrite_plan *element = step->element;

	if (walk->cursor->bad || count < 0 || program->is_broken ||
	    (size_t)count > cursor_left(walk->cursor) || walk->depth == LEVELS_MAX) {
		cursor_fail(walk->cursor);
		return false;
	}
	if (!element)
		element = plan_of(walk->rewrite, step->place.field->type);
	if (element && element->count > 0 && count > 0)
		walk->levels[walk->depth++] = (struct level){
			element, 0, element->count, (uint32_t)count - 1
		};
	return element != NULL;
}

static bool take(struct walk *walk, const struct step *step)
{
	switch (step->kind) {
	case STEP_SKIP:
		return step_skip(walk, step);
	case STEP_KEY:
		return step_key(walk, step, step->place.field->type);
	case STEP_NUMBER:
		return step_number(walk, step);
	case STEP_STRING:
		return step_string(walk, step);
	case STEP_ARRAY:
		return step_array(walk, step);
	}
	return false;
}

static bool run(struct walk *walk, const struct rewrite_plan *plan)
{
	walk->levels[0] = (struct level){ plan, 0, plan->used, 0 };
	walk->depth = 1;
	while (walk->depth > 0) {
		struct level *level = &walk->levels[walk->depth - 1];

		if (level->next < level->end) {
			if (!take(walk, &level->plan->steps[level->next++]))
				return false;
		} else if (level->runs > 0) {
			level->runs--;
			level->next = 0;
		} else {
			walk->depth--;
		}
	}
	return true;
}

bool rewrite_value(struct rewrite *rewrite, const struct type *type,
		   struct cursor *cursor, struct buf *to)
{
	const struct rewrite_plan *plan = plan_of(rewrite, type);
	struct walk walk;	/* the levels are set as they are entered */

	walk.rewrite = rewrite;
	walk.cursor = cursor;
	walk.to = to;
	walk.copied = cursor->at;
	if (type->program.is_broken)
		cursor_fail(cursor);
	if (!plan || cursor->bad || !run(&walk, plan)) {
		if (to && rewrite->arena.failed)
			to->failed = true;
		return false;
	}
	copy_until(&walk, cursor->end);
	cursor->at = cursor->end;
	return true;
}
