/*
 * gccycles.h - collections, made of the pauses that were seen.
 *
 *	gccycles_add(&cycles, &mark);
 *	while (gccycles_next(&cycles, &collection)) ...
 *
 * A pause in which all is done is a collection at once. Those of a cycle (collector.h)
 * become one, which is there as soon as it is known that no more pauses come: after so
 * many, when the next cycle of its kind begins, or when gccycles_rest says so. If its
 * beginning or its end was not seen it is not whole: nothing but its pauses is told. Pure.
 */
#ifndef HOTSPOT_GCCYCLES_H
#define HOTSPOT_GCCYCLES_H

#include "hotspot/gcmarks.h"

#define GCCYCLES_ROOM 8		/* cycles at the same time, and two */
#define GCCYCLES_PAUSES 16

struct gcpause {
	int64_t start, end;		/* ticks */
	pid_t tid;			/* on which thread */
	const char *name;		/* NULL: not known */
};

struct gccollection {
	unsigned number;
	bool is_whole;			/* all of what follows is known */
	struct gcname name;
	int64_t start, end;		/* ticks */
	int64_t sum, longest;		/* of its pauses */
	pid_t tid;			/* on which thread; 0: not known */
	int64_t tenuring;		/* as in a mark */
	struct gcheap before, after;	/* committed 0: not known */
	char cause[GCMARKS_TEXT];	/* empty: not known */
	unsigned count;			/* of pauses; no more than there is room are here */
	struct gcpause pauses[GCCYCLES_PAUSES];
	enum { GC_NONE, GC_OPEN, GC_OVER } state;
};

/* Where a cycle began that follows another collection: that one. */
struct gcorigin {
	bool is_known;
	unsigned number;		/* of the collection */
	int64_t end;
	struct gcheap after;
	char cause[GCMARKS_TEXT];
};

struct gccycles {
	const struct collector *collector;
	bool is_late;			/* there were collections before */
	bool has_first;
	unsigned first;			/* the number first seen */
	unsigned next;			/* one more than the highest */
	uint64_t seen;			/* the 64 below: bit 0 is next - 1 */
	struct gcorigin last, gap;	/* of a cycle that may begin, that has begun */
	struct gccollection all[GCCYCLES_ROOM];
};

/* `past`: how many collections there have been. */
void gccycles_begin(struct gccycles *cycles, const struct collector *collector,
		    unsigned past);

/* After some have been lost. */
void gccycles_skip(struct gccycles *cycles, unsigned count);

void gccycles_add(struct gccycles *cycles, const struct gcmark *mark);

/* No collection is at work now: those that had no pause since `ticks` are over. */
void gccycles_rest(struct gccycles *cycles, int64_t ticks);

/* Nothing more is added: what is not over stays without an end. */
void gccycles_end(struct gccycles *cycles);

/* One that is over; false if there is none. */
bool gccycles_next(struct gccycles *cycles, struct gccollection *collection);

#endif
