/*
 * selection.h - a filter applied to one chunk.
 *
 *	struct selection selection = { 0 };
 *
 *	if (!selection_open(&selection, chunk, filter, err)) ...
 *	while (event_next(&walk, &event)) {
 *		if (!event.type || !selection_has_type(&selection, event.type))
 *			continue;
 *		if (!event_ticks(chunk, &event, &start, &end)) ...
 *		if (selection_accepts(&selection, &event, start, end))
 *			... it is wanted
 *		else if (selection.fault)
 *			... damage_add: nobody knows
 *	}
 *	if (selection.failed) ... out of memory
 *	outcome_add(&outcome, &selection);
 *	selection_close(&selection);
 *
 * What is cheap is asked first: the type, then the time, then the thread, then rules
 * and conditions in their order. Not for threads to share, but each chunk may have its own
 * selection on its own thread.
 */
#ifndef FILTER_SELECTION_H
#define FILTER_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "filter/filter.h"
#include "filter/probe.h"
#include "filter/window.h"
#include "jfr/event.h"

/* What the filter means to an event type. */
struct choice {
	bool is_named;			/* its name and categories are wanted */
	bool is_wanted;			/* and it has all that is asked for */
	bool is_plain;			/* its duration is that many ticks */
	const struct step *thread;	/* NULL: not asked for */
	const struct step **steps;	/* of each condition */
	const struct step **gates;	/* of each rule; NULL: it lets the event pass */
};

struct selection {
	const struct chunk *chunk;
	const struct filter *filter;
	struct choice *choices;		/* by type index */
	struct window window;
	int64_t min_ticks;		/* the least of a duration */
	struct probe threads;
	struct probe *probes;		/* of each condition */
	struct probe *gates;		/* of each rule, if it is for threads */
	struct arena arena;
	const char *fault;
	bool failed;
	/* What outcome.h makes notes of: some event was asked for its time, and had it. */
	bool has_asked_time, has_time;
	/* Some event type of the chunk ... */
	bool has_type;			/* is named by the filter, and of those one */
	bool has_duration, has_thread;	/* has a duration, a thread */
	bool has_all;			/* is wanted */
	enum fit *fits;			/* fits so well, to each condition */
};

/*
 * Opens it for a chunk whose pools are loaded if filter_needs_constants, and for a
 * filter that is resolved if filter_has_window. Both must last as long. False with
 * ERR_MEMORY; close it all the same.
 */
bool selection_open(struct selection *selection, const struct chunk *chunk,
		    const struct filter *filter, struct err *err);

/* Also of a struct that is only zeroed; zeroes it. */
void selection_close(struct selection *selection);

/* False if events of that type are never accepted. */
static inline bool selection_has_type(const struct selection *selection,
				      const struct type *type)
{
	return selection->choices[type->index].is_wanted;
}

/*
 * True if the event is wanted; start and end are those of event_ticks. If it is not:
 * selection->fault is why it cannot be read so far, a literal, or else NULL; and
 * selection->failed is set, and stays so, when memory ran out.
 */
bool selection_accepts(struct selection *selection, const struct event *event,
		       int64_t start, int64_t end);

#endif
