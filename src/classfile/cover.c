#include "classfile/cover.h"

#include <string.h>

#include "classfile/walk.h"

static enum cover cover_at(const struct walk *walk)
{
	const struct code *code = walk->code;

	if (!walk->is_known || vstate_finishes(&walk->state, code, walk->at))
		return COVER_NONE;
	if (!walk->state.is_unfinished)
		return COVER_BODY;
	/* The handler looks for `this` in its usual place. */
	if (walk->state.locals[0].tag == VTYPE_UNFINISHED_THIS &&
	    vstate_stored(code, walk->at) != 0)
		return COVER_EARLY;
	return COVER_NONE;
}

static bool cover_constructor(uint8_t *covers, const struct code *code,
			      const struct classfile_method *method,
			      struct classfile_part frames, struct arena *arena)
{
	struct walk walk;

	if (!walk_open(&walk, code, method, frames, arena))
		return false;
	while (walk_next(&walk))
		*covers++ = cover_at(&walk);
	return !walk.is_damaged;
}

uint8_t *cover_make(const struct code *code, const struct classfile_method *method,
		    bool is_typed, struct classfile_part frames, bool has[COVER_COUNT],
		    struct arena *arena, enum code_result *result)
{
	bool is_constructor = str_is(method->name, STR("<init>"));
	bool is_root = is_constructor && !code->file->super_name.bytes;
	uint8_t *covers = arena_alloc(arena, code->count);

	*result = CODE_NO_MEMORY;
	if (!covers)
		return NULL;
	if (!is_constructor || !is_typed)
		memset(covers, COVER_BODY, code->count);
	if (is_root) {
		memset(covers, COVER_NONE, code->count);
	} else if (is_constructor && is_typed &&
		   !cover_constructor(covers, code, method, frames, arena)) {
		*result = arena->failed ? CODE_NO_MEMORY : CODE_DAMAGED;
		return NULL;
	}
	memset(has, 0, COVER_COUNT * sizeof(*has));
	for (uint32_t i = 0; i < code->count; i++) {
		if (code_kind(code, code->at[i]) == OPCODE_RETURNS)
			covers[i] = COVER_NONE;
		has[covers[i]] = true;
	}
	return covers;
}
