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
};

const struct collector *collector_used(const struct vmflags *flags);

struct gcname {
	struct str text;
	bool is_young, is_old;		/* false: of neither alone */
};

/* Who collected, from how often each of the JVM's counters of collectors went up. */
struct gcname collector_of(const int64_t *calls);

/* The addresses kept for the heap; 0: not known. */
struct gcrange {
	uint64_t start, size;
};
struct gcrange collector_heap(void);

#endif
