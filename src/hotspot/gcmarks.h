/*
 * gcmarks.h - what was seen of collections while all threads stood still.
 *
 * There nothing may be locked, allocated or asked: the JVM's counters are read and put
 * into a ring, by one thread at a time (the JVM's own); the flusher makes events of it.
 */
#ifndef HOTSPOT_GCMARKS_H
#define HOTSPOT_GCMARKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hotspot/gcid.h"
#include "hotspot/hotspot.h"

#define GCMARKS_ROOM 256	/* collections between two rounds, a power of two */
#define GCMARKS_SPACES 16
#define GCMARKS_TEXT 64

/* Zeroed, it is not known. */
struct gcheap {
	uint64_t used, committed;
};

/* One pause for collection. */
struct gcmark {
	int64_t id;			/* the JVM's number of the collection; -1: not known */
	int64_t start, end;		/* ticks */
	pid_t tid;			/* on which thread */
	bool begins;			/* the JVM counted one more collection */
	bool is_counted;		/* the JVM counts calls */
	int64_t calls[COLLECTOR_COUNTERS];	/* of each collector meanwhile */
	int64_t full;			/* how long the last full one took; 0: not known */
	int64_t tenuring;		/* threshold; -1: not known */
	struct gcheap before, after;
	char cause[GCMARKS_TEXT];	/* empty: not known */
	bool is_past;			/* the cause was told behind the collection */
};

struct gcmarks {
	/* Counters of the JVM; NULL: it has none. */
	struct perfdata_text cause, last_cause;
	const int64_t *calls[COLLECTOR_COUNTERS];
	const int64_t *full_entry, *full_exit;
	const int64_t *used[GCMARKS_SPACES];
	const int64_t *committed[GCMARKS_SPACES];
	const int64_t *tenuring;
	/*
	 * The JVM counts what is in eden only after a collection: it is asked itself.
	 */
	struct gceden eden;
	const uint64_t *filled;		/* it may know more than it has counted; NULL: not */
	const uint32_t *total;		/* all collections; NULL: not known */
	uint32_t total_before;
	const struct gcid *id;
	bool is_before_known;
	struct gcmark open;		/* the pause that is now */
	bool is_open;
	atomic_uint head, tail;		/* the JVM writes head, the flusher tail */
	atomic_uint lost;
	struct gcmark ring[GCMARKS_ROOM];
};

/* Finds the counters of the JVM. `id` stays the caller's. */
void gcmarks_find(struct gcmarks *marks, const struct hotspot *hotspot,
		  const struct gcid *id);

/*
 * What was seen so far is forgotten, also a pause whose end was not. While the JVM tells of
 * no pauses.
 */
void gcmarks_forget(struct gcmarks *marks);

/* How many collections there have been. */
unsigned gcmarks_past(const struct gcmarks *marks);

/* True if the JVM says that it collects now, or that it does not. */
bool gcmarks_are_busy(const struct gcmarks *marks);
bool gcmarks_are_idle(const struct gcmarks *marks);

/* While all threads stand still. True if the flusher should come soon. */
void gcmarks_start(struct gcmarks *marks);
bool gcmarks_finish(struct gcmarks *marks);

/* For the flusher: the next one; false if there is none. */
bool gcmarks_take(struct gcmarks *marks, struct gcmark *mark);

/*
 * Collections of the young and of all objects may follow each other in one pause: taken
 * apart they are two. Returns how many there are.
 */
int gcmark_parts(const struct gcmark *mark, struct gcmark parts[2]);

#endif
