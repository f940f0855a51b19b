#include "classfile/layout.h"

/* Bytes of an instruction that is now at `place`, with what is put before it. */
static uint32_t size_at(const struct layout *layout, uint32_t at, uint32_t size,
			uint32_t place)
{
	switch (code_kind(layout->code, at)) {
	case OPCODE_RETURNS:
		return size + layout->exit_size;
	case OPCODE_JUMPS:
		return layout->is_wide[at] ? 5 : 3;
	case OPCODE_BRANCHES:
		return layout->is_wide[at] ? LAYOUT_OVER : 3;
	case OPCODE_SWITCHES:
		return size - (code_switch_words(at) - at) +
		       (code_switch_words(place) - place);
	default:
		return size;
	}
}

static void place_all(struct layout *layout)
{
	const struct code *code = layout->code;
	uint32_t place = layout->prologue_size;

	for (uint32_t i = 0; i < code->count; i++) {
		uint32_t at = code->at[i], next = code->at[i + 1];

		layout->places[at] = place;
		place += size_at(layout, at, next - at, place);
		while (++at < next)
			layout->places[at] = place;
	}
	layout->places[code->size] = place;
}

/* True if one got wide. */
static bool widen(struct layout *layout)
{
	const struct code *code = layout->code;
	bool has_changed = false;

	for (uint32_t i = 0; i < code->count; i++) {
		uint32_t at = code->at[i];
		int64_t far;

		if (!opcode_is_short(code_kind(code, at)) || layout->is_wide[at])
			continue;
		far = (int64_t)layout->places[code_target(code, at)] -
		      layout->places[at];
		if (far <= layout->reach && -far <= layout->reach)
			continue;
		layout->is_wide[at] = true;
		has_changed = true;
	}
	layout->has_wide |= has_changed;
	return has_changed;
}

bool layout_make(struct layout *layout, const struct code *code, struct arena *arena)
{
	layout->code = code;
	layout->has_wide = false;
	layout->places = arena_array(arena, code->size + 1, sizeof(*layout->places));
	layout->is_wide = arena_alloc(arena, code->size);
	if (!layout->places || !layout->is_wide)
		return false;
	place_all(layout);
	if (!code->has_short_jumps || layout_end(layout) <= (uint32_t)layout->reach)
		return true;
	while (widen(layout))
		place_all(layout);
	return true;
}
