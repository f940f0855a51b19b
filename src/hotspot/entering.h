/*
 * entering.h - whether a thread of the JVM waits to enter a monitor.
 *
 * The JVM keeps in the thread's structure which monitor that is; its tables say where.
 * Wherever a virtual thread waits without a thread (from JDK 24 on), there is nothing to
 * be seen. No lock, no allocation; the calling thread may be in a signal handler.
 */
#ifndef HOTSPOT_ENTERING_H
#define HOTSPOT_ENTERING_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/vmstructs.h"

/* Zeroed, it knows of none. */
struct entering {
	bool is_known;
	uint64_t monitor_at;		/* a pointer, in the structure of a thread */
};

/* False: it is not known where. */
bool entering_find(struct entering *entering, const struct vmstructs *vmstructs);

/* The thread whose structure is at `vm` (eetop), which is the calling one. */
bool entering_here(const struct entering *entering, uintptr_t vm);

#endif
