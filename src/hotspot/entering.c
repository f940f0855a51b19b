#include "hotspot/entering.h"

/* In a class above, up to JDK 15. */
bool entering_find(struct entering *entering, const struct vmstructs *vmstructs)
{
	static const char field[] = "_current_pending_monitor";
	struct vmstructs_field monitor;

	*entering = (struct entering){ false, 0 };
	if (!vmstructs_field(vmstructs, "JavaThread", field, &monitor) &&
	    !vmstructs_field(vmstructs, "Thread", field, &monitor))
		return false;
	*entering = (struct entering){ true, monitor.offset };
	return true;
}

bool entering_here(const struct entering *entering, uintptr_t vm)
{
	return entering->is_known && vm &&
	       vmstructs_pointer((const char *)vm + entering->monitor_at);
}
