#include "hotspot/frametypes.h"

/* From that version on numbers of methods are no addresses. */
#define NUMBERS_SINCE 26

static bool find_offset(const struct vmstructs *vmstructs, const char *type,
			const char *field, uint64_t *offset)
{
	struct vmstructs_field found;

	if (!vmstructs_field(vmstructs, type, field, &found))
		return false;
	*offset = found.offset;
	return true;
}

/* All of it is one block: what the queue of its pieces lies in. */
static void find_interpreter(struct frametypes_range *range,
			     const struct vmstructs *vmstructs)
{
	const char *queue = vmstructs_pointer(
		vmstructs_static(vmstructs, "AbstractInterpreter", "_code"));
	uint64_t from, size_at;
	int32_t size;

	if (!queue || !find_offset(vmstructs, "StubQueue", "_stub_buffer", &from) ||
	    !find_offset(vmstructs, "StubQueue", "_buffer_limit", &size_at))
		return;
	memcpy(&size, queue + size_at, sizeof(size));
	range->from = (uintptr_t)vmstructs_pointer(queue + from);
	range->end = range->from && size > 0 ? range->from + (uint32_t)size : 0;
}

/* Before JDK 9 there is one heap of code, which has its bounds. */
static const char *old_heap(const struct vmstructs *vmstructs)
{
	const char *heap = vmstructs_pointer(
		vmstructs_static(vmstructs, "CodeCache", "_heap"));
	uint64_t memory;

	if (!heap || !find_offset(vmstructs, "CodeHeap", "_memory", &memory))
		return NULL;
	return heap + memory;
}

static void find_cache(struct frametypes_range *range,
		       const struct vmstructs *vmstructs)
{
	const void *low = vmstructs_static(vmstructs, "CodeCache", "_low_bound");
	const void *high = vmstructs_static(vmstructs, "CodeCache", "_high_bound");
	const char *heap = low && high ? NULL : old_heap(vmstructs);
	uint64_t low_at, high_at;

	if (heap && find_offset(vmstructs, "VirtualSpace", "_low_boundary", &low_at) &&
	    find_offset(vmstructs, "VirtualSpace", "_high_boundary", &high_at)) {
		low = heap + low_at;
		high = heap + high_at;
	}
	range->from = (uintptr_t)vmstructs_pointer(low);
	range->end = (uintptr_t)vmstructs_pointer(high);
}

void frametypes_find(struct frametypes *types, const struct vmstructs *vmstructs,
		     int version)
{
	*types = (struct frametypes){ 0 };
	find_interpreter(&types->interpreter, vmstructs);
	find_cache(&types->cache, vmstructs);
	types->are_pointers =
		version < NUMBERS_SINCE &&
		find_offset(vmstructs, "Method", "_code", &types->code_at);
}

static bool is_in(const struct frametypes_range *range, uintptr_t pc)
{
	return pc >= range->from && pc < range->end;
}

static enum frametype by_code(const struct frametypes *types, uint64_t id)
{
	const char *method = vmstructs_pointer((const void *)(uintptr_t)id);

	if (!method)
		return FRAMETYPE_UNKNOWN;
	return vmstructs_pointer(method + types->code_at) ? FRAMETYPE_COMPILED
							  : FRAMETYPE_INTERPRETED;
}

enum frametype frametypes_of(const struct frametypes *types, uint64_t method,
			     uintptr_t pc)
{
	if (pc && is_in(&types->interpreter, pc))
		return FRAMETYPE_INTERPRETED;
	if (pc && types->interpreter.end && is_in(&types->cache, pc))
		return FRAMETYPE_COMPILED;
	return types->are_pointers ? by_code(types, method) : FRAMETYPE_UNKNOWN;
}
