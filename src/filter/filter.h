/*
 * filter.h - which events are wanted.
 *
 * By type, for which there are patterns (rule.h), and rules of which there may be any
 * number, some of them for threads.
 *
 * By time: an event is wanted if it overlaps the window, that is, if its end is not
 * before `from` and its start not after `to`. By the length of time it took, by thread
 * (threads.h), and by its fields (condition.h). All that is given must hold.
 *
 * A filter only says so; filter/selection.h applies it to a chunk. Once made, it may be
 * read by any number of threads.
 */
#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "filter/condition.h"
#include "filter/rule.h"
#include "jfr/metadata.h"

enum bound_kind {
	BOUND_NONE,
	BOUND_UTC,		/* nanoseconds since 1970 UTC */
	BOUND_LOCAL,		/* the same in the zone shown */
	BOUND_OF_DAY,		/* since midnight, in the zone shown */
	BOUND_AFTER_START,	/* of the recording */
	BOUND_BEFORE_END,
};

struct bound {
	enum bound_kind kind;
	int64_t nanos;
	int64_t precision;	/* what its last digit stands for, nanoseconds */
};

/* Zeroed it takes all. Texts are borrowed; bytes NULL: no such condition. */
struct filter {
	struct str events;
	struct str categories;
	struct str threads;
	struct bound from, to;
	bool has_min_duration;
	int64_t min_duration;			/* nanoseconds */
	VEC(struct condition *) conditions;	/* the filter's own */
	VEC(struct rule) rules;
	/* Of filter_resolve: nanoseconds since 1970 UTC, both in the window. */
	int64_t window_from, window_to;
	int zone;				/* that which is shown (jfr/clock.h) */
};

/*
 * Each reads one option. What it says is kept in the filter; conditions are added to
 * those that are there. False with ERR_USAGE, and what is wrong, or ERR_MEMORY.
 *
 *	from, to	a point in time (base/date.h), or a length of time: 30s after
 *			the start of the recording, -30s before its end
 *	last		a length of time before the end; the same as a `from` with a
 *			minus in front
 */
bool filter_set_from(struct filter *filter, struct str text, struct err *err);
bool filter_set_to(struct filter *filter, struct str text, struct err *err);
bool filter_set_last(struct filter *filter, struct str text, struct err *err);
bool filter_set_min_duration(struct filter *filter, struct str text, struct err *err);
bool filter_add_condition(struct filter *filter, struct str text, struct err *err);

/* Adds one; false without memory. */
bool filter_add_rule(struct filter *filter, const struct rule *rule);

/* False, ERR_USAGE, if `from` is later than `to` whatever the recording is. */
bool filter_check(const struct filter *filter, struct err *err);

void filter_clear(struct filter *filter);

/* There is a window, and filter_resolve must be called before events are chosen. */
bool filter_has_window(const struct filter *filter);

/* For that, start (or zone) and end of the recording must be known. */
bool filter_needs_start(const struct filter *filter);
bool filter_needs_end(const struct filter *filter);

/*
 * Turns the bounds into a window. start and end of the recording are nanoseconds since
 * 1970 UTC, the zone is the one shown (jfr/clock.h); each is looked at only
 * if it is needed. A time of day is the first one at or after the start, which is said
 * to begin with the minute, second or fraction that was written. `to` lasts as long as
 * the fraction of a second that was written. The window may be empty.
 */
void filter_resolve(struct filter *filter, int64_t start, int64_t end, int zone);

/* Nothing is asked for. */
bool filter_takes_all(const struct filter *filter);

/* Events cannot be chosen without the chunk's constants. */
bool filter_needs_constants(const struct filter *filter);

/* Events of that type are wanted, as far as its name and categories go. */
bool filter_accepts(const struct filter *filter, const struct type *type);

#endif
