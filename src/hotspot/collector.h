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

#define COLLECTOR_NAMED 5	/* pauses that a cycle has, at most, if all goes well */
#define COLLECTOR_MORE 8	/* if the young are collected on their own before */

/*
 * A cycle: a collection that is at work while the program runs, and has several pauses,
 * maybe with other collections between them.
 */
struct collector_cycle {
	bool is_all;			/* the collector has no other collections */
	bool follows;			/* it begins when another collection has ended */
	bool frees_later;		/* what it frees is not free in its last pause */
	unsigned pauses;		/* when it had so many it is over; 0: any number */
	/* Of its pauses; NULL: there is none, or it is not known. */
	const char *names[COLLECTOR_NAMED];
	const char *more[COLLECTOR_MORE];
	const char *first;		/* the cause that the first has; NULL: any */
	const char *cause;		/* of the whole; NULL: that of its beginning */
};

/* The JVM's names for what collects young objects, old ones, and all at once. */
struct collector {
	const char *flag;		/* with which it is chosen; NULL: without any */
	const char *young, *old, *full;
	bool counts_before;		/* counters are right when it begins, too */
	/* Those that are cycles; NULL: none, all threads stand still. */
	const struct collector_cycle *young_cycle, *old_cycle;
	bool sets_cause;		/* of a full one, while another is at work */
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
	const struct collector_cycle *cycle;	/* the pause is one of those of a cycle */
};

/*
 * Who collected in a pause, from how often each of the JVM's counters went up; NULL: it
 * has none. A pause that may be one of a cycle is one of some cycle.
 */
struct gcname collector_name(const struct collector *collector, const int64_t *calls);

/*
 * The name of the i-th pause of `count` in a cycle; NULL: not known. That between the
 * first and the last of three may be repeated.
 */
const char *collector_pause(const struct collector_cycle *cycle, unsigned i,
			    unsigned count);

/* Where the JVM counts its collections, each as it begins. NULL: it is not known. */
const uint32_t *collector_total(const struct vmstructs *structs);

/*
 * What the collector itself knows of how much is used, short of what it allocates from at
 * this moment. NULL: it does not know, or it is not known where.
 */
const uint64_t *collector_filled(const struct vmstructs *structs,
				 const struct vmflags *flags);

/* The addresses kept for the heap; both 0: not known. */
struct gcrange {
	uint64_t start, size;
};
struct gcrange collector_heap(const struct vmstructs *structs);

/*
 * Where the JVM keeps how far the space for new objects is filled: two addresses.
 * False: the collector has none, or it is not known.
 */
struct gceden {
	const uint64_t *top, *bottom;
};
bool collector_eden(const struct vmstructs *structs, const struct vmflags *flags,
		    struct gceden *eden);

#endif
