#include "hotspot/anchor.h"

bool anchor_find(struct anchor *anchor, const struct vmstructs *vmstructs)
{
	struct vmstructs_field note, sp, pc;

	*anchor = (struct anchor){ false, 0, 0 };
	if (!vmstructs_field(vmstructs, "JavaThread", "_anchor", &note) ||
	    !vmstructs_field(vmstructs, "JavaFrameAnchor", "_last_Java_sp", &sp) ||
	    !vmstructs_field(vmstructs, "JavaFrameAnchor", "_last_Java_pc", &pc))
		return false;
	*anchor = (struct anchor){ true, note.offset + sp.offset,
				   note.offset + pc.offset };
	return true;
}

static uintptr_t *word_at(uintptr_t address)
{
	return (uintptr_t *)address;
}

bool anchor_fill(const struct anchor *anchor, uintptr_t vm)
{
	uintptr_t sp;

	if (!anchor->is_known || !vm || *word_at(vm + anchor->pc_at))
		return false;
	sp = *word_at(vm + anchor->sp_at);
	if (!sp)
		return false;
	*word_at(vm + anchor->pc_at) = word_at(sp)[-1];
	return true;
}
