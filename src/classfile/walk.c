#include "classfile/walk.h"

bool walk_open(struct walk *walk, const struct code *code,
	       const struct classfile_method *method, struct classfile_part frames,
	       struct arena *arena)
{
	*walk = (struct walk){ .code = code, .is_known = true, .arena = arena };
	if (!frames_open(&walk->frames, code, method, frames, arena) ||
	    !vstate_enter(&walk->state, code, method, arena))
		return false;
	frames_next(&walk->frames);
	walk->is_damaged = walk->frames.is_damaged;
	return true;
}

static void take_frame(struct walk *walk)
{
	struct vstate *to = &walk->state;
	const struct vstate *from = &walk->frames.state;

	for (uint32_t i = from->local_count; i < to->local_count; i++)
		to->locals[i] = (struct vtype){ 0 };
	memcpy(to->locals, from->locals, from->local_count * sizeof(*to->locals));
	memcpy(to->stack, from->stack, from->depth * sizeof(*to->stack));
	to->local_count = from->local_count;
	to->depth = from->depth;
	to->is_unfinished = from->is_unfinished;
	walk->is_known = true;
	frames_next(&walk->frames);
	walk->is_damaged = walk->frames.is_damaged;
}

bool walk_next(struct walk *walk)
{
	const struct code *code = walk->code;

	if (walk->i && walk->is_known) {
		if (!vstate_step(&walk->state, code, walk->at, walk->arena))
			walk->is_damaged = true;
		walk->is_known = !opcode_ends(code_kind(code, walk->at));
	}
	if (walk->i == code->count || walk->is_damaged)
		return false;
	walk->at = code->at[walk->i++];
	walk->has_frame = walk->frames.at == walk->at;
	if (walk->has_frame)
		take_frame(walk);
	return !walk->is_damaged;
}
