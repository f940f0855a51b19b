#include "hotspot/anchor.h"

#define WORD sizeof(uintptr_t)
#define NEAR 16				/* words of the stack that a small stub takes */
#define FRAME_MAX (4096 * WORD)

bool anchor_find(struct anchor *anchor, const struct vmstructs *vmstructs,
		 uintptr_t code, uintptr_t code_end)
{
	struct vmstructs_field all, sp, fp, pc;

	*anchor = (struct anchor){ .is_known = false };
	if (!vmstructs_field(vmstructs, "JavaThread", "_anchor", &all) ||
	    !vmstructs_field(vmstructs, "JavaFrameAnchor", "_last_Java_sp", &sp) ||
	    !vmstructs_field(vmstructs, "JavaFrameAnchor", "_last_Java_fp", &fp) ||
	    !vmstructs_field(vmstructs, "JavaFrameAnchor", "_last_Java_pc", &pc))
		return false;
	*anchor = (struct anchor){ true, all.offset + sp.offset, all.offset + fp.offset,
				   all.offset + pc.offset, code, code_end };
	return true;
}

static uintptr_t *word_at(uintptr_t address)
{
	return (uintptr_t *)address;
}

bool anchor_read(const struct anchor *anchor, uintptr_t vm, struct anchor_note *note)
{
	if (!anchor->is_known || !vm)
		return false;
	note->sp = *word_at(vm + anchor->sp_at);
	note->fp = *word_at(vm + anchor->fp_at);
	note->pc = *word_at(vm + anchor->pc_at);
	return note->sp && !note->pc;
}

void anchor_write(const struct anchor *anchor, uintptr_t vm,
		  const struct anchor_note *note)
{
	*word_at(vm + anchor->sp_at) = note->sp;
	*word_at(vm + anchor->fp_at) = note->fp;
	*word_at(vm + anchor->pc_at) = note->pc;
}

static bool is_code(const struct anchor *anchor, uintptr_t address)
{
	return address >= anchor->code && address < anchor->code_end;
}

/* The JVM has it when it fills in what is missing. */
static bool go_on(const struct anchor *anchor, struct anchor_note *note)
{
	note->pc = word_at(note->sp)[-1];
	return is_code(anchor, note->pc);
}

/* Out of a stub of C2, which keeps no frame pointer. */
static bool go_up(const struct anchor *anchor, struct anchor_note *note)
{
	const uintptr_t *stack = word_at(note->sp);

	for (int i = 0; i < NEAR; i++) {
		if (!is_code(anchor, stack[i]))
			continue;
		*note = (struct anchor_note){ note->sp + (uintptr_t)(i + 1) * WORD,
					      i > 0 ? stack[i - 1] : 0, stack[i] };
		return true;
	}
	return false;
}

/* Out of one of C1, which saves all registers, but has one. */
static bool go_out(const struct anchor *anchor, struct anchor_note *note)
{
	const uintptr_t *frame = word_at(note->fp);

	if (note->fp <= note->sp || note->fp - note->sp > FRAME_MAX)
		return false;
	*note = (struct anchor_note){ note->fp + 2 * WORD, frame[0], frame[1] };
	return is_code(anchor, note->pc);
}

bool anchor_go(const struct anchor *anchor, struct anchor_note *note, int way)
{
	static bool (*const ways[ANCHOR_WAYS])(const struct anchor *,
					       struct anchor_note *) = {
		go_on, go_up, go_out,
	};

	return ways[way](anchor, note);
}
