/*
 * outcome.h - what came of a filter: why nothing was found, if there is a reason.
 *
 * Selections of all chunks are added one after the other, in any order that is the same
 * each time; then the notes are told, for people to read:
 *
 *	no event type of the recording matches; the nearest is jdk.CPULoad
 *	no selected event is in the window from 2026-11-29 22:06:54
 *	no selected event type has a field 'foo'; the nearest is bar
 *	the value '20' fits no field 'duration' (a timespan: write 20ms)
 */
#ifndef FILTER_OUTCOME_H
#define FILTER_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "filter/selection.h"

/* Names longer than this are not proposed. */
#define OUTCOME_NAME_SIZE 128

struct outcome_condition {
	enum fit fit;		/* the best of all chunks */
	const char *hint;	/* what value would make sense, a literal */
	char nearest[OUTCOME_NAME_SIZE];	/* field, or "" */
};

struct outcome_rule {
	bool has_asked;		/* an event type, or a thread, was looked at */
	bool has_matched;	/* and one matches */
};

/* Zeroed it is one to which nothing was added, and has no notes. */
struct outcome {
	const char *whose;	/* event types these are; NULL: those of the recording */
	size_t chunks;		/* added */
	bool is_partial;	/* set by callers who lost a chunk: no notes */
	bool has_type, has_duration, has_thread, has_all;	/* as in a selection */
	bool has_asked_time, has_time;				/* the same */
	bool has_asked;		/* a thread of some event was looked at */
	bool has_found;		/* and one matches */
	char nearest_type[OUTCOME_NAME_SIZE], nearest_thread[OUTCOME_NAME_SIZE];
	VEC(struct outcome_condition) conditions;
	VEC(struct outcome_rule) rules;
	struct map types;	/* numbers of the event types that rules were asked for */
};

/* Before the selection is closed; all are of one filter. False when memory runs out. */
bool outcome_add(struct outcome *outcome, const struct selection *selection);

/*
 * The next note, as a line without a full stop in note->text; false at the end. *at is
 * 0 before the first.
 */
bool outcome_note(const struct outcome *outcome, const struct filter *filter,
		  size_t *at, struct err *note);

/*
 * True if the rule matched nothing that it was asked for: event types, of which for the
 * JDK a number stands for the one that was met first, or threads of events. Of rules
 * there are no other notes.
 */
bool outcome_is_idle(const struct outcome *outcome, size_t rule);

void outcome_clear(struct outcome *outcome);

#endif
