/*
 * anchor.h - where a thread left Java code for the JVM's own.
 *
 * The JVM notes that in the thread's structure. Coming from the interpreter it leaves out
 * the address, which lies where the noted stack ends, and fills it in when somebody has
 * to walk that stack. AsyncGetCallTrace does not, and so finds no way back to Java. No
 * lock, no allocation; the calling thread may be in a signal handler.
 */
#ifndef HOTSPOT_ANCHOR_H
#define HOTSPOT_ANCHOR_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/vmstructs.h"

/* Zeroed, it knows of none. */
struct anchor {
	bool is_known;
	uint64_t sp_at, pc_at;		/* in the structure of a thread */
};

/* False: it is not known where. */
bool anchor_find(struct anchor *anchor, const struct vmstructs *vmstructs);

/*
 * Fills in the address, as the JVM would, for the thread whose structure is at `vm`
 * (eetop): the calling one, which is in the JVM's own code now, not in Java's. False:
 * it is there already, or it did not come from Java. Under a guard only.
 */
bool anchor_fill(const struct anchor *anchor, uintptr_t vm);

#endif
