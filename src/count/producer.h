/*
 * producer.h - what recorded a chunk, as far as the chunk tells.
 *
 * Nothing in the format says it. async-profiler and what descends from it declare types
 * of their own, and write their name and version as that of the recording; HotSpot
 * declares its own as well. A native image declares what HotSpot does, and is told
 * apart by the name of its JVM alone.
 */
#ifndef COUNT_PRODUCER_H
#define COUNT_PRODUCER_H

#include <stdbool.h>

#include "count/tally.h"
#include "jfr/chunk.h"

/* Texts that are longer are cut; "" is not known. */
struct producer {
	char name[64];		/* "HotSpot", "async-profiler 4.1" ... "unknown" */
	char jvm_name[96];	/* "OpenJDK 64-Bit Server VM" */
	char jvm_version[96];	/* "21.0.4+7-LTS" */
};

/*
 * Looks for the chunk's producer; constants are loaded if the texts are there. `share`
 * has counted the chunk. False when memory runs out.
 */
bool producer_find(struct producer *producer, struct chunk *chunk,
		   const struct tally_share *share);

#endif
