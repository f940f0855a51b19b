#include "classfile/joins.h"

#include "base/bits.h"

/* Memory for states, and slots that are looked at: far more than any constructor needs. */
#define STATES_MOST ((size_t)1 << 26)
#define WORK_MOST ((size_t)1 << 28)

/* At an instruction that is led to from more than one place. */
struct join {
	bool is_reached;
	bool is_unfinished;		/* on one way at least */
	uint32_t depth;
	uint64_t words[];		/* where `this` is on all ways: locals, stack */
};

struct joins {
	const struct code *code;
	struct vstate state;
	struct join **at;		/* by byte of the code; NULL: there is none */
	size_t taken, work;
	struct arena *arena;
	bool has_changed;
	enum code_result result;
};

static bool add_join(struct joins *joins, uint32_t at)
{
	const struct code *code = joins->code;
	size_t words = bits_words((size_t)code->max_locals + code->max_stack);
	size_t size = sizeof(struct join) + words * sizeof(uint64_t);

	if (joins->at[at])
		return true;
	joins->taken += size;
	if (joins->taken > STATES_MOST) {
		joins->result = CODE_DAMAGED;
		return false;
	}
	joins->at[at] = arena_alloc(joins->arena, size);
	if (!joins->at[at])
		joins->result = CODE_NO_MEMORY;
	return joins->at[at];
}

static bool is_this(const struct vstate *state, uint32_t max_locals, uint32_t slot)
{
	struct vtype type = slot < max_locals ? state->locals[slot]
					      : state->stack[slot - max_locals];

	return type.tag == VTYPE_UNFINISHED_THIS;
}

/* One more way leads there. A handler has what was thrown on its stack, nothing else. */
static void lead(struct joins *joins, uint32_t at, bool is_handler)
{
	const struct vstate *state = &joins->state;
	struct join *join = joins->at[at];
	uint32_t max_locals = joins->code->max_locals;
	uint32_t depth = is_handler ? 1 : state->depth;
	bool is_new = !join->is_reached;

	joins->work += max_locals + depth;
	if (is_new)
		join->depth = depth;
	else if (join->depth != depth)
		return;			/* no verifier takes that */
	if (is_new || join->is_unfinished < state->is_unfinished)
		joins->has_changed = true;
	join->is_reached = true;
	join->is_unfinished |= state->is_unfinished;
	for (uint32_t i = 0; i < max_locals + depth; i++) {
		uint64_t bit = UINT64_C(1) << i % 64, *word = &join->words[i / 64];
		bool is_it = (i < max_locals || !is_handler) &&
			     is_this(state, max_locals, i);

		if (is_new && is_it) {
			*word |= bit;
		} else if (!is_new && !is_it && *word & bit) {
			*word &= ~bit;
			joins->has_changed = true;
		}
	}
}

/* The state is that of the join. */
static void load(struct joins *joins, const struct join *join)
{
	struct vstate *state = &joins->state;
	uint32_t max_locals = joins->code->max_locals;

	joins->work += max_locals + join->depth;
	for (uint32_t i = 0; i < max_locals + join->depth; i++) {
		struct vtype type = { 0 };

		if (bits_has(join->words, i))
			type.tag = VTYPE_UNFINISHED_THIS;
		if (i < max_locals)
			state->locals[i] = type;
		else
			state->stack[i - max_locals] = type;
	}
	state->local_count = max_locals;
	state->depth = join->depth;
	state->is_unfinished = join->is_unfinished;
}

/* Does `what` with each instruction that this one may jump to. */
typedef bool lead_to(struct joins *joins, uint32_t target);

static bool each_target(struct joins *joins, uint32_t at, lead_to *what)
{
	const struct code *code = joins->code;
	enum opcode_kind kind = code_kind(code, at);
	struct code_switch of;

	if (!opcode_is_jump(kind))
		return true;
	if (kind != OPCODE_SWITCHES)
		return what(joins, code_target(code, at));
	of = code_switch(code, at);
	if (!what(joins, at + big_u4(code->bytes + of.words)))
		return false;
	for (uint32_t i = of.first; i < of.count; i += of.step)
		if (!what(joins, at + big_u4(code->bytes + of.words + 4 * i)))
			return false;
	return true;
}

static bool lead_jump(struct joins *joins, uint32_t target)
{
	lead(joins, target, false);
	return true;
}

static bool make_joins(struct joins *joins)
{
	const struct code *code = joins->code;

	if (!add_join(joins, 0))	/* where it is entered */
		return false;
	for (uint16_t i = 0; i < code->entry_count; i++)
		if (!add_join(joins, code_entry(code, i).handler))
			return false;
	for (uint32_t i = 0; i < code->count; i++)
		if (!each_target(joins, code->at[i], add_join))
			return false;
	return true;
}

static void lead_handlers(struct joins *joins, uint32_t at)
{
	const struct code *code = joins->code;

	joins->work += code->entry_count;
	for (uint16_t i = 0; i < code->entry_count; i++) {
		struct code_entry entry = code_entry(code, i);

		if (at >= entry.from && at < entry.to && code->max_stack)
			lead(joins, entry.handler, true);
	}
}

/* All instructions in their order. False: that can not be, or would take too much. */
static bool go_over(struct joins *joins, joins_told *told, void *context)
{
	const struct code *code = joins->code;
	bool is_known = false;

	joins->has_changed = false;
	for (uint32_t i = 0; i < code->count; i++) {
		uint32_t at = code->at[i];
		struct join *join = joins->at[at];

		if (join && is_known)
			lead(joins, at, false);
		if (join && join->is_reached) {
			load(joins, join);
			is_known = true;
		}
		if (!is_known)
			continue;
		told(context, i, &joins->state);
		lead_handlers(joins, at);
		if (joins->work > WORK_MOST ||
		    !vstate_step(&joins->state, code, at, joins->arena))
			return false;
		each_target(joins, at, lead_jump);
		is_known = !opcode_ends(code_kind(code, at));
	}
	return true;
}

enum code_result joins_walk(const struct code *code,
			    const struct classfile_method *method, joins_told *told,
			    void *context, struct arena *arena)
{
	struct joins joins = { .code = code, .arena = arena };
	bool can_be;

	joins.at = arena_array(arena, code->size, sizeof(*joins.at));
	if (!joins.at)
		return CODE_NO_MEMORY;
	if (!make_joins(&joins))
		return joins.result;
	can_be = vstate_enter(&joins.state, code, method, arena);
	if (can_be)
		lead(&joins, 0, false);
	do
		can_be = can_be && go_over(&joins, told, context);
	while (can_be && joins.has_changed);
	if (arena->failed)
		return CODE_NO_MEMORY;
	return can_be ? CODE_FINE : CODE_DAMAGED;
}
