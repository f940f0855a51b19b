/*
 * anchor.h - where a thread left Java code for the JVM's own.
 *
 * The JVM notes that in the thread's structure: its anchor. It leaves out the address
 * at first, which lies where the noted stack ends, and fills it in before others may
 * look; until then AsyncGetCallTrace finds no way back to Java, and with some of the
 * stubs between Java and the JVM it never does. So it is shown another anchor, for as
 * long as it looks. No lock, no allocation; the calling thread may be in a signal
 * handler.
 */
#ifndef HOTSPOT_ANCHOR_H
#define HOTSPOT_ANCHOR_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/vmstructs.h"

/* Zeroed, it knows of none. */
struct anchor {
	bool is_known;
	uint64_t sp_at, fp_at, pc_at;	/* in the structure of a thread */
	uintptr_t code, code_end;	/* all code that the JVM makes */
};

struct anchor_note {
	uintptr_t sp, fp, pc;
};

/* The JVM's code lies between those. False: it is not known where anchors are. */
bool anchor_find(struct anchor *anchor, const struct vmstructs *vmstructs,
		 uintptr_t code, uintptr_t code_end);

/*
 * What is noted for the thread whose structure is at `vm` (eetop): the calling one,
 * which runs the JVM's own code. False: it did not come from Java, or its address is
 * noted: others may be looking, and nothing may be changed.
 */
bool anchor_read(const struct anchor *anchor, uintptr_t vm, struct anchor_note *note);
void anchor_write(const struct anchor *anchor, uintptr_t vm,
		  const struct anchor_note *note);

/*
 * From where it may have come: where the noted stack ends (0), an address of code a
 * little further up (1), where the frame pointer leads (2). False: this way leads
 * nowhere. Reads the stack: under a guard only.
 */
#define ANCHOR_WAYS 3
bool anchor_go(const struct anchor *anchor, struct anchor_note *note, int way);

#endif
