/*
 * counters.h - what a JVM tells of itself in its file of counters.
 *
 * That is /tmp/hsperfdata_USER/PID, below its root, USER and PID as it knows itself. Only a file
 * of the JVM's user, in a folder of his, is one, and one that is older than the process
 * is of another.
 */
#ifndef JVMS_COUNTERS_H
#define JVMS_COUNTERS_H

#include <stdbool.h>

#include "base/str.h"
#include "hotspot/perfdata.h"
#include "jvms/process.h"
#include "jvms/rooted.h"

/* A copy of it. Zeroed: none. */
struct counters {
	void *bytes;
	struct perfdata perf;
};

/* False: it has none (-XX:-UsePerfData), or none that is to be trusted. */
bool counters_read(struct counters *counters, const struct process *process,
		   const struct rooted *rooted);
void counters_clear(struct counters *counters);

/* A text, freed by the caller. NULL: there is none of that name, or no memory. */
char *counters_text(const struct counters *counters, const char *name);

#endif
