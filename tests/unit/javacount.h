/*
 * javacount.h - counting as CjfrRuntime does it, which sees nothing but the root.
 */
#ifndef UNIT_JAVACOUNT_H
#define UNIT_JAVACOUNT_H

#include "probe/counters.h"

/*
 * Where a thread, or with 1 to COUNTERS_SHARED a shared row, has its counter; NULL: it is
 * not found. Looks at so many entries at most.
 */
struct counter *javacount_find(const struct counters *counters, uint64_t thread,
			       uint32_t id, int probes);

/* The same, and asks for a row if there is none. False without memory. */
bool javacount(struct counters *counters, uint64_t thread, uint32_t id,
	       int64_t duration);

#endif
