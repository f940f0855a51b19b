/*
 * anchor.h - where a thread left Java code for the JVM's own.
 *
 * The JVM notes that in the thread's structure: its anchor. It leaves out the address
 * at first, which lies where the noted stack ends, and fills it in before others may
 * look; until then AsyncGetCallTrace finds no way back to Java, and with some of the
 * stubs between Java and the JVM it never does. So it is shown another anchor, for as
 * long as it looks: only of a thread that runs the JVM's own code, as in all other
 * states another may be looking at its stack.
 *
 * The thread is the calling one, its structure is at `vm` (eetop). Functions touch
 * memory of the JVM: under a guard only. No lock, no allocation; in a signal handler,
 * too.
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
	uint64_t state_at;		/* the same: what it does, ... */
	int32_t in_vm;			/* ... and the number of: runs the JVM's code */
	uintptr_t code, code_end;	/* all code that the JVM makes */
};

struct anchor_note {
	uintptr_t sp, fp, pc;
};

/* The JVM's code lies between those. False: it is not known where all that is. */
bool anchor_find(struct anchor *anchor, const struct vmstructs *vmstructs,
		 uintptr_t code, uintptr_t code_end);

enum anchor_kind {
	ANCHOR_UNKNOWN,
	ANCHOR_EMPTY,		/* the thread did not come from Java */
	ANCHOR_SHARED,		/* others may be looking: nothing may be changed */
	ANCHOR_OWN,		/* not whole yet, and nobody else looks */
};
enum anchor_kind anchor_read(const struct anchor *anchor, uintptr_t vm,
			     struct anchor_note *note);

/* ANCHOR_OWN. What was there has to be written again before the thread goes on. */
void anchor_write(const struct anchor *anchor, uintptr_t vm,
		  const struct anchor_note *note);

/*
 * From where it may have come: where the noted stack ends (0), an address of code a
 * little further up (1), where the frame pointer leads (2). False: this way leads
 * nowhere.
 */
#define ANCHOR_WAYS 3
bool anchor_go(const struct anchor *anchor, struct anchor_note *note, int way);

/* The second of these ways, from any place of a stack: nothing but `sp` is needed. */
bool anchor_up(const struct anchor *anchor, struct anchor_note *note);

#endif
