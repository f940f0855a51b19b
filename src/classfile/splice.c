#include "classfile/splice.h"

static uint32_t distance(const struct layout *layout, uint32_t from_place, uint32_t to)
{
	return layout_place(layout, to) - from_place;
}

static void put_jump(const struct layout *layout, uint32_t at, struct buf *to)
{
	const struct code *code = layout->code;
	uint32_t place = layout_place(layout, at), target = code_target(code, at);
	uint8_t opcode = code->bytes[at];
	enum opcode_kind kind = code_kind(code, at);

	if (kind != OPCODE_JUMPS_WIDE && !layout->is_wide[at]) {
		big_put_u1(to, opcode);
		big_put_u2(to, distance(layout, place, target) & 0xffff);
		return;
	}
	if (kind == OPCODE_BRANCHES) {
		big_put_u1(to, opcode_opposite(opcode));
		big_put_u2(to, LAYOUT_OVER);
		place += 3;
	}
	big_put_u1(to, OPCODE_GOTO_W);
	big_put_u4(to, distance(layout, place, target));
}

static void put_switch(const struct layout *layout, uint32_t at, struct buf *to)
{
	const struct code *code = layout->code;
	struct code_switch of = code_switch(code, at);
	uint32_t place = layout_place(layout, at);
	const uint8_t *words = code->bytes + of.words;
	size_t begin;

	big_put_u1(to, code->bytes[at]);
	buf_fill(to, 0, code_switch_words(place) - place - 1);
	begin = to->size;
	buf_add(to, words, 4 * of.count);
	big_set_u4(to, begin, distance(layout, place, at + big_u4(words)));
	for (uint32_t i = of.first; i < of.count; i += of.step)
		big_set_u4(to, begin + 4 * i,
			   distance(layout, place, at + big_u4(words + 4 * i)));
}

void splice_code(const struct layout *layout, struct str prologue, struct str exit,
		 struct buf *to)
{
	const struct code *code = layout->code;
	uint32_t done = 0;	/* what lies from here on is copied in one piece */

	buf_str(to, prologue);
	for (uint32_t i = 0; i < code->count; i++) {
		uint32_t at = code->at[i];
		enum opcode_kind kind = code_kind(code, at);
		bool is_jump = opcode_is_short(kind) || kind == OPCODE_JUMPS_WIDE;

		if (!is_jump && kind != OPCODE_SWITCHES && kind != OPCODE_RETURNS)
			continue;
		buf_add(to, code->bytes + done, at - done);
		done = at;
		if (kind == OPCODE_RETURNS) {
			buf_str(to, exit);
			continue;
		}
		if (is_jump)
			put_jump(layout, at, to);
		else
			put_switch(layout, at, to);
		done = code->at[i + 1];
	}
	buf_add(to, code->bytes + done, code->size - done);
}
