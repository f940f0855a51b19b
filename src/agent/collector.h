/*
 * collector.h - which collectors the JVM has, and where its heap is.
 *
 * From the flags it was started with and its own structures. Any thread.
 */
#ifndef AGENT_COLLECTOR_H
#define AGENT_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "host/vmflags.h"

/* The JVM's names for what collects young objects, old ones, and all at once. */
struct collector {
	const char *flag;		/* with which it is chosen */
	const char *young, *old, *full;
	bool counts_before;		/* its counters are right before it begins, too */
};

const struct collector *collector_used(const struct vmflags *flags);

struct gcname {
	struct str text;		/* bytes NULL: not known */
	bool is_young, is_old;
};

/* Who collected, from how often each of the JVM's counters of collectors went up. */
struct gcname collector_of(const int64_t *calls);

/* The addresses kept for the heap; 0: not known. */
struct gcrange {
	uint64_t start, size;
};
struct gcrange collector_heap(void);

/*
 * Where the JVM keeps how far the space for new objects is filled: two addresses. False:
 * the collector has none, or it is not known.
 */
struct gceden {
	const uint64_t *top, *bottom;
};
bool collector_eden(struct gceden *eden);

#endif
