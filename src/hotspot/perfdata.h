/*
 * perfdata.h - the JVM's performance counters, as jstat shows them.
 *
 *	struct perfdata perf;
 *	const int64_t *used;
 *
 *	perfdata_find(&perf, &structs);
 *	used = perfdata_counter(&perf, "sun.gc.generation.0.space.0.used");
 *	... perfdata_read(used)			at any time, also at a safepoint
 *
 * They are read where the JVM has them, not through its file in /tmp, so they are
 * there with -XX:+PerfDisableSharedMem, too; with -XX:-UsePerfData there are none. The
 * memory stays where it is as long as the process lives. It is there from VMInit on
 * (not in Agent_OnLoad); the JVM may add counters later: look again. Values are as of
 * the JVM's last update: some change with each GC, some when a sampler ran.
 *
 * Finding takes no lock and allocates nothing, but takes its time (some hundred
 * counters); reading is a load.
 */
#ifndef HOTSPOT_PERFDATA_H
#define HOTSPOT_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "hotspot/vmstructs.h"

/* Zeroed, it has no counters. */
struct perfdata {
	const char *bytes;
	size_t size;
};

/* Where those tables say. False: there are none (now). */
bool perfdata_find(struct perfdata *perf, const struct vmstructs *vmstructs);

/* The counters in these bytes, 8-byte aligned. False: they are none. */
bool perfdata_in(struct perfdata *perf, const void *bytes, size_t size);

/* Where a 64-bit counter is; NULL: there is none of that name. */
const int64_t *perfdata_counter(const struct perfdata *perf, const char *name);

/* Its value; `fallback` if the counter is NULL. */
static inline int64_t perfdata_read_or(const int64_t *counter, int64_t fallback)
{
	return counter ? *(const volatile int64_t *)counter : fallback;
}

static inline int64_t perfdata_read(const int64_t *counter)
{
	return perfdata_read_or(counter, 0);
}

/*
 * A string: "sun.gc.cause". Lookup once, copy often: the place stays. Copied it ends
 * with 0 and is cut to fit; the JVM may be changing it, so it is bytes of both then.
 */
struct perfdata_text {
	const char *bytes;		/* NULL: there is none */
	size_t size;			/* the most there can be */
};

struct perfdata_text perfdata_text(const struct perfdata *perf, const char *name);
struct str perfdata_copy(struct perfdata_text text, char *to, size_t size);

/* One after the other: a zeroed cursor begins. False at the end. */
struct perfdata_entry {
	size_t next;			/* the cursor */
	const char *name;
	char type;			/* 'J': a counter; 'B' with a size: a string */
	const void *value;
	size_t size;			/* bytes of the value */
};
bool perfdata_next(const struct perfdata *perf, struct perfdata_entry *entry);

#endif
