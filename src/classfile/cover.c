#include "classfile/cover.h"

#include <string.h>

#include "classfile/joins.h"
#include "classfile/walk.h"

static enum cover cover_at(const struct vstate *state, const struct code *code,
			   uint32_t at)
{
	if (vstate_finishes(state, code, at))
		return COVER_NONE;
	if (!state->is_unfinished)
		return COVER_BODY;
	/* The handler looks for `this` in its usual place. */
	if (code->max_locals && state->locals[0].tag == VTYPE_UNFINISHED_THIS &&
	    vstate_stored(code, at) != 0)
		return COVER_EARLY;
	return COVER_NONE;
}

/* Where the verifier goes by frames. */
static enum code_result cover_framed(uint8_t *covers, const struct code *code,
				     const struct classfile_method *method,
				     struct classfile_part frames, struct arena *arena)
{
	struct walk walk;

	if (!walk_open(&walk, code, method, frames, arena))
		return arena->failed ? CODE_NO_MEMORY : CODE_DAMAGED;
	for (; walk_next(&walk); covers++)
		if (walk.is_known)
			*covers = (uint8_t)cover_at(&walk.state, code, walk.at);
	if (arena->failed)
		return CODE_NO_MEMORY;
	return walk.is_damaged ? CODE_DAMAGED : CODE_FINE;
}

struct joined {
	const struct code *code;
	uint8_t *covers;
};

static void cover_joined(void *context, uint32_t number, const struct vstate *state)
{
	struct joined *joined = context;

	joined->covers[number] =
		(uint8_t)cover_at(state, joined->code, joined->code->at[number]);
}

static enum code_result cover_constructor(uint8_t *covers, const struct code *code,
					  const struct classfile_method *method,
					  bool is_typed, struct classfile_part frames,
					  struct arena *arena)
{
	struct joined joined = { code, covers };

	if (!code->file->super_name.bytes)	/* Object's: it has no handler */
		return CODE_FINE;
	if (is_typed)
		return cover_framed(covers, code, method, frames, arena);
	return joins_walk(code, method, cover_joined, &joined, arena);
}

uint8_t *cover_make(const struct code *code, const struct classfile_method *method,
		    bool is_typed, struct classfile_part frames, bool has[COVER_COUNT],
		    struct arena *arena, enum code_result *result)
{
	uint8_t *covers = arena_alloc(arena, code->count);

	*result = CODE_NO_MEMORY;
	if (!covers)
		return NULL;
	*result = CODE_FINE;
	if (str_is(method->name, STR("<init>")))
		*result = cover_constructor(covers, code, method, is_typed, frames,
					    arena);
	else
		memset(covers, COVER_BODY, code->count);
	if (*result != CODE_FINE)
		return NULL;
	memset(has, 0, COVER_COUNT * sizeof(*has));
	for (uint32_t i = 0; i < code->count; i++) {
		if (code_kind(code, code->at[i]) == OPCODE_RETURNS)
			covers[i] = COVER_NONE;
		has[covers[i]] = true;
	}
	return covers;
}
