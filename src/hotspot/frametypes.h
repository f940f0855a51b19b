/*
 * frametypes.h - how a method runs: interpreted, or compiled.
 *
 * For the innermost frame its address says so, unless it is in the JVM's own code; for
 * others, whether the JVM has compiled code for the method now. From JDK 26 on a
 * jmethodID does not lead to the method any more: then only the innermost is known. That
 * a method is inlined into another is not seen. Reads memory that the JVM may have
 * freed: under a guard only. No lock, no allocation.
 */
#ifndef HOTSPOT_FRAMETYPES_H
#define HOTSPOT_FRAMETYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/vmstructs.h"

enum frametype { FRAMETYPE_UNKNOWN, FRAMETYPE_INTERPRETED, FRAMETYPE_COMPILED };

struct frametypes_range {
	uintptr_t from, end;		/* both 0: not known */
};

/* Zeroed, it knows nothing. */
struct frametypes {
	struct frametypes_range interpreter;	/* its code */
	struct frametypes_range cache;		/* all code that the JVM makes */
	bool are_pointers;			/* a jmethodID leads to the method */
	uint64_t code_at;			/* in a method: its compiled code */
};

/* `version` of the JDK: 8, 11 ... Found after VMInit. */
void frametypes_find(struct frametypes *types, const struct vmstructs *vmstructs,
		     int version);

/* `pc` 0: it is not the innermost. */
enum frametype frametypes_of(const struct frametypes *types, uint64_t method,
			     uintptr_t pc);

#endif
