#include "hotspot/anchor.h"

#include "base/peek.h"

#define WORD sizeof(uintptr_t)
#define NEAR 16				/* words of the stack that a small stub takes */
#define FRAME_MAX (4096 * WORD)

bool anchor_find(struct anchor *anchor, const struct vmstructs *vmstructs,
		 uintptr_t code, uintptr_t code_end)
{
	struct vmstructs_field all, sp, fp, pc, state;
	int32_t in_vm;

	*anchor = (struct anchor){ .is_known = false };
	if (!vmstructs_field(vmstructs, "JavaThread", "_anchor", &all) ||
	    !vmstructs_field(vmstructs, "JavaFrameAnchor", "_last_Java_sp", &sp) ||
	    !vmstructs_field(vmstructs, "JavaFrameAnchor", "_last_Java_fp", &fp) ||
	    !vmstructs_field(vmstructs, "JavaFrameAnchor", "_last_Java_pc", &pc) ||
	    !vmstructs_field(vmstructs, "JavaThread", "_thread_state", &state) ||
	    !vmstructs_int(vmstructs, "_thread_in_vm", &in_vm))
		return false;
	*anchor = (struct anchor){
		.is_known = true,
		.sp_at = all.offset + sp.offset,
		.fp_at = all.offset + fp.offset,
		.pc_at = all.offset + pc.offset,
		.state_at = state.offset,
		.in_vm = in_vm,
		.code = code,
		.code_end = code_end,
	};
	return true;
}

enum anchor_kind anchor_read(const struct anchor *anchor, uintptr_t vm,
			     struct anchor_note *note)
{
	if (!anchor->is_known || !vm)
		return ANCHOR_UNKNOWN;
	note->sp = peek_word(vm + anchor->sp_at);
	note->fp = peek_word(vm + anchor->fp_at);
	note->pc = peek_word(vm + anchor->pc_at);
	if (!note->sp)
		return ANCHOR_EMPTY;
	if (note->pc || peek_int(vm + anchor->state_at) != anchor->in_vm)
		return ANCHOR_SHARED;
	return ANCHOR_OWN;
}

void anchor_write(const struct anchor *anchor, uintptr_t vm,
		  const struct anchor_note *note)
{
	peek_put_word(vm + anchor->sp_at, note->sp);
	peek_put_word(vm + anchor->fp_at, note->fp);
	peek_put_word(vm + anchor->pc_at, note->pc);
}

static bool is_code(const struct anchor *anchor, uintptr_t address)
{
	return address >= anchor->code && address < anchor->code_end;
}

/* The JVM has it when it fills in what is missing. */
static bool go_on(const struct anchor *anchor, struct anchor_note *note)
{
	note->pc = peek_word(note->sp - WORD);
	return is_code(anchor, note->pc);
}

/* Out of a stub of C2, which keeps no frame pointer. */
bool anchor_up(const struct anchor *anchor, struct anchor_note *note)
{
	uintptr_t stack = note->sp, below = 0;

	for (int i = 0; i < NEAR; i++) {
		uintptr_t word = peek_word(stack);

		stack += WORD;
		if (is_code(anchor, word)) {
			*note = (struct anchor_note){ stack, below, word };
			return true;
		}
		below = word;
	}
	return false;
}

/* Out of one of C1, which saves all registers, but has one. */
static bool go_out(const struct anchor *anchor, struct anchor_note *note)
{
	uintptr_t frame = note->fp;

	if (frame <= note->sp || frame - note->sp > FRAME_MAX)
		return false;
	*note = (struct anchor_note){ frame + 2 * WORD, peek_word(frame),
				      peek_word(frame + WORD) };
	return is_code(anchor, note->pc);
}

bool anchor_go(const struct anchor *anchor, struct anchor_note *note, int way)
{
	static bool (*const ways[ANCHOR_WAYS])(const struct anchor *,
					       struct anchor_note *) = {
		go_on, anchor_up, go_out,
	};

	return ways[way](anchor, note);
}
