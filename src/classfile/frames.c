#include "classfile/frames.h"

/* Kinds of frames (JVMS 4.7.4): the first of each. */
enum {
	SAME = 0,
	SAME_ONE = 64,			/* the same local variables, one on the stack */
	RESERVED = 128,
	SAME_ONE_FAR = 247,
	CHOP = 248,			/* 251 minus how many variables less */
	SAME_FAR = 251,
	APPEND = 252,			/* 251 plus how many more */
	FULL = 255,
};

/* Slots in all frames of a method, one by one: far more than any method has. */
#define WORK_MOST ((size_t)1 << 26)

bool frames_open(struct frames *frames, const struct code *code,
		 const struct classfile_method *method, struct classfile_part content,
		 struct arena *arena)
{
	*frames = (struct frames){ .code = code, .at = UINT32_MAX };
	frames->reader = (struct reader){ code->file->bytes, content.at,
					  content.at + content.size, false };
	if (content.size)
		frames->left = reader_u2(&frames->reader);
	return vstate_enter(&frames->state, code, method, arena);
}

static bool read_type(struct frames *frames, struct vtype *type)
{
	struct reader *reader = &frames->reader;
	const struct code *code = frames->code;

	*type = (struct vtype){ .tag = reader_u1(reader) };
	if (type->tag == VTYPE_OBJECT) {
		type->value = reader_u2(reader);
		return classfile_class_name(code->file, type->value).bytes;
	}
	if (type->tag == VTYPE_UNFINISHED) {
		type->value = reader_u2(reader);
		return code_begins(code, type->value);
	}
	return !reader->failed && type->tag < VTYPE_SECOND;
}

static bool read_locals(struct frames *frames, uint32_t count)
{
	struct vtype type;

	for (; count; count--)
		if (!read_type(frames, &type) ||
		    !vstate_add_local(&frames->state, frames->code, type))
			return false;
	return true;
}

static bool read_stack(struct frames *frames, uint32_t count)
{
	struct vtype type;

	for (; count; count--)
		if (!read_type(frames, &type) ||
		    !vstate_push(&frames->state, frames->code, type))
			return false;
	return true;
}

static bool chop(struct vstate *state, uint32_t count)
{
	for (; count; count--) {
		struct vtype *locals = state->locals;
		uint32_t last = state->local_count;

		if (!last)
			return false;
		last -= last > 1 && locals[last - 1].tag == VTYPE_SECOND ? 2 : 1;
		memset(locals + last, 0, (state->local_count - last) * sizeof(*locals));
		state->local_count = last;
	}
	return true;
}

static bool read_full(struct frames *frames)
{
	struct vstate *state = &frames->state;

	memset(state->locals, 0, state->local_count * sizeof(*state->locals));
	state->local_count = 0;
	return read_locals(frames, reader_u2(&frames->reader)) &&
	       read_stack(frames, reader_u2(&frames->reader));
}

static bool read_content(struct frames *frames, uint8_t kind)
{
	frames->state.depth = 0;
	if (kind < SAME_ONE || kind == SAME_FAR)
		return true;
	if (kind < RESERVED || kind == SAME_ONE_FAR)
		return read_stack(frames, 1);
	if (kind == FULL)
		return read_full(frames);
	if (kind >= APPEND)
		return read_locals(frames, kind - (APPEND - 1u));
	return kind >= CHOP && chop(&frames->state, (uint32_t)(SAME_FAR - kind));
}

void frames_next(struct frames *frames)
{
	struct vstate *state = &frames->state;
	uint32_t delta;
	uint8_t kind;

	if (!frames->left) {
		frames->at = frames->code->size;
		frames->is_damaged |= frames->reader.at != frames->reader.end;
		return;
	}
	frames->left--;
	kind = reader_u1(&frames->reader);
	delta = kind % SAME_ONE;
	if (kind >= RESERVED)
		delta = reader_u2(&frames->reader);
	frames->at += delta + 1;	/* the first one: from -1 on */
	frames->is_damaged = !read_content(frames, kind) || frames->reader.failed ||
			     !code_begins(frames->code, frames->at);
	frames->work += state->local_count;
	frames->is_damaged |= frames->work > WORK_MOST;
	state->is_unfinished = false;
	for (uint32_t i = 0; i < state->local_count; i++)
		state->is_unfinished |= state->locals[i].tag == VTYPE_UNFINISHED_THIS;
	if (frames->is_damaged) {
		frames->at = frames->code->size;
		frames->left = 0;
	}
}

void frames_out_open(struct frames_out *out, struct buf *to,
		     struct constpool *constants, const struct layout *layout)
{
	*out = (struct frames_out){ to, constants, layout, to->size, 0, UINT32_MAX };
	big_put_u2(to, 0);
}

/* A type with what belongs to it; of a half of what has two, nothing can be said. */
static void put_type(struct frames_out *out, struct vtype type, bool is_whole)
{
	struct buf *to = out->to;

	if (type.tag == VTYPE_SECOND || !is_whole)
		type.tag = VTYPE_TOP;
	big_put_u1(to, type.tag);
	if (type.tag == VTYPE_OBJECT)
		big_put_u2(to, type.value ? type.value
					  : constpool_class(out->constants, type.name));
	else if (type.tag == VTYPE_UNFINISHED)
		big_put_u2(to, layout_place(out->layout, type.value));
}

/* Gives how many types they are. */
static uint32_t put_types(struct frames_out *out, const struct vtype *types,
			  uint32_t slots)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < slots; count++) {
		bool is_wide = vtype_is_wide(types[i]);
		bool is_whole = !is_wide ||
				(i + 1 < slots && types[i + 1].tag == VTYPE_SECOND);

		put_type(out, types[i], is_whole);
		i += is_wide && is_whole ? 2 : 1;
	}
	return count;
}

void frames_out_add(struct frames_out *out, uint32_t place, const struct vstate *state)
{
	static const struct vtype start = { .tag = VTYPE_LONG };
	struct buf *to = out->to;
	uint32_t pad = out->layout->start - state->local_count, count;
	size_t count_at;

	big_put_u1(to, FULL);
	big_put_u2(to, place - out->last - 1);
	count_at = to->size;
	big_put_u2(to, 0);
	count = put_types(out, state->locals, state->local_count);
	buf_fill(to, VTYPE_TOP, pad);
	put_type(out, start, true);
	big_set_u2(to, count_at, count + pad + 1);
	count_at = to->size;
	big_put_u2(to, 0);
	big_set_u2(to, count_at, put_types(out, state->stack, state->depth));
	out->last = place;
	out->count++;
}

bool frames_out_close(struct frames_out *out)
{
	big_set_u2(out->to, out->begin, out->count);
	return out->count <= UINT16_MAX;
}
