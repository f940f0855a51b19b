/*
 * collector.h - which collectors the JVM has, and where its heap is.
 *
 * From the flags it was started with and its own structures, which are zeroed if it has
 * none: then it has the one that is left, and a heap that is not known. No lock, no
 * allocation; any thread.
 */
#ifndef HOTSPOT_COLLECTOR_H
#define HOTSPOT_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "hotspot/vmflags.h"
#include "hotspot/vmstructs.h"

/* The JVM's names for what collects young objects, old ones, and all at once. */
struct collector {
	const char *flag;		/* with which it is chosen; NULL: without any */
	const char *young, *old, *full;
	bool counts_before;		/* its counters are right before it begins, too */
	/* What else there must be; NULL: nothing. */
	bool (*is_chosen)(const struct vmflags *flags);
};

const struct collector *collector_used(const struct vmflags *flags);

/* The JVM's counters of collections, by their numbers. */
enum collector_counter {
	COLLECTOR_YOUNG,
	COLLECTOR_FULL,
	COLLECTOR_CONCURRENT,
	COLLECTOR_OTHER,		/* of the old, too */
	COLLECTOR_COUNTERS
};

struct gcname {
	struct str text;		/* bytes NULL: not known */
	bool is_young, is_old;
};

/* Who collected, from how often each of the JVM's counters went up. */
struct gcname collector_name(const struct collector *collector,
			     const int64_t calls[COLLECTOR_COUNTERS]);

/* The addresses kept for the heap; 0: not known. */
struct gcrange {
	uint64_t start, size;
};
struct gcrange collector_heap(const struct vmstructs *structs);

/*
 * Where the JVM keeps how far the space for new objects is filled: two addresses. False:
 * the collector has none, or it is not known.
 */
struct gceden {
	const uint64_t *top, *bottom;
};
bool collector_eden(const struct vmstructs *structs, const struct vmflags *flags,
		    struct gceden *eden);

#endif
