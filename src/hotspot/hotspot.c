#include "hotspot/hotspot.h"

void hotspot_find(struct hotspot *hotspot, vmstructs_symbol *symbol)
{
	vmstructs_find(&hotspot->structs, symbol);
	vmflags_find(&hotspot->flags, &hotspot->structs);
	perfdata_find(&hotspot->perf, &hotspot->structs);
	osthread_find(&hotspot->osthread, &hotspot->structs);
	hotspot->collector = collector_used(&hotspot->flags);
	hotspot->heap = collector_heap(&hotspot->structs);
}
