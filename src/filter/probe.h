/*
 * probe.h - a condition, or patterns for threads, made ready for the events of a chunk.
 *
 * For each event type the path of the condition becomes a chain of steps: how much of
 * the event to go past without a look, which pool to go on in, what to ask at its end.
 * What is found out about a constant is kept, one byte for each constant and place in
 * the path: events that share it cost a look into a map. So the work is bounded by the
 * bytes of the chunk times the length of the path, whatever refers to what.
 *
 * Not for threads to share: each has its own.
 */
#ifndef FILTER_PROBE_H
#define FILTER_PROBE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "filter/condition.h"
#include "filter/threads.h"
#include "jfr/event.h"

/* Text and values of one constant, or event, that are looked at; more is a fault. */
#define PROBE_TEXT_MAX ((size_t)16 << 20)

/* How well a condition fits a type, or any of several types. */
enum fit {
	FIT_NO_FIELD,	/* it has no such field */
	FIT_NO_VALUE,	/* it has, but the value makes no sense there */
	FIT_GOOD,
};

struct step;
struct stage;

struct probe {
	const struct chunk *chunk;
	const struct condition *condition;	/* NULL: threads are asked for */
	struct threads threads;
	struct map stage_places;
	VEC(struct stage *) stages;
	struct arena steps;			/* steps and stages */
	struct arena arena;			/* what is decoded for one answer */
	struct buf text;
	const char *hint;	/* what would make sense where the value does not: */
				/* a literal, of the first such place */
	bool has_asked, has_found;	/* any thread, and one that matches */
	bool is_bad;		/* bytes do not fit what they should be */
	bool is_too_large;
	bool failed;		/* memory ran out; never reset */
};

/*
 * For one chunk, open, with its pools loaded. Condition and patterns are borrowed. Takes
 * no memory yet, and cannot fail.
 */
void probe_open(struct probe *probe, const struct chunk *chunk,
		const struct condition *condition);
void probe_open_threads(struct probe *probe, const struct chunk *chunk,
			const struct threads *threads);

/* Also of a struct that is only zeroed. */
void probe_close(struct probe *probe);

/*
 * The first step for events of that type, NULL if they cannot match; *fit says why,
 * unless probe->failed.
 */
const struct step *probe_plan(struct probe *probe, const struct type *event,
			      enum fit *fit);

/*
 * True if the condition holds for the event, or its thread is wanted. Of an event that
 * cannot be read as far as that *fault tells why, a literal; else it is not touched.
 */
bool probe_takes(struct probe *probe, const struct step *step,
		 const struct event *event, const char **fault);

/*
 * How many names of the path lead somewhere, for events of that type; *owner is then
 * the struct that lacks the next one, NULL if there is none.
 */
size_t probe_depth(const struct condition *condition, const struct type *event,
		   const struct type **owner);

#endif
