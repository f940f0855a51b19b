/*
 * vmflags.h - values of HotSpot's flags (-XX) in the JVM that we are in.
 *
 *	struct vmflags flags;
 *	uint64_t threads;
 *
 *	vmflags_find(&flags, &structs);
 *	if (vmflags_number(&flags, "ParallelGCThreads", &threads)) ...
 *
 * What there is not (another JVM, a flag of another version) is false. Values are read
 * each time, as they are now; the JVM sets some while it starts: ask after VMInit.
 * No lock, no allocation; any thread.
 */
#ifndef HOTSPOT_VMFLAGS_H
#define HOTSPOT_VMFLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hotspot/vmstructs.h"

/* Zeroed, it has no flags. */
struct vmflags {
	const char *first;
	size_t count;
	size_t stride;
	size_t name_at, address_at, type_at;
	bool is_type_text;		/* up to JDK 15 */
};

/* In those tables. False: there are none. */
bool vmflags_find(struct vmflags *flags, const struct vmstructs *vmstructs);

enum vmflag_type {
	VMFLAG_UNKNOWN,
	VMFLAG_BOOL,
	VMFLAG_INT,		/* 32 bits */
	VMFLAG_UINT,
	VMFLAG_LONG,		/* 64 bits: intx */
	VMFLAG_ULONG,		/* uintx, uint64_t, size_t */
	VMFLAG_DOUBLE,
	VMFLAG_TEXT,
};

struct vmflag {
	const char *name;
	enum vmflag_type type;
	const void *address;	/* of the value */
};

/* The i-th flag, 0 to count - 1; name is NULL where there is none. */
struct vmflag vmflags_at(const struct vmflags *flags, size_t i);

/* False: unknown, or of another type. Numbers: any of whole numbers. */
bool vmflags_boolean(const struct vmflags *flags, const char *name, bool *value);
bool vmflags_number(const struct vmflags *flags, const char *name, uint64_t *value);

/* A flag that is off if there is none: "UseG1GC". */
bool vmflags_is_on(const struct vmflags *flags, const char *name);

#endif
