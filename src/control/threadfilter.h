/*
 * threadfilter.h - which threads are sampled, by their names.
 *
 *	main,worker-*		these
 *	!GC*,!Finalizer		all but these
 *	worker-*,!worker-1?	these, but not those
 *
 * Patterns separated by commas: `*` any run, `?` one character (also one that is a
 * comma, or a ! in front). A ! in front takes threads out again, wherever it stands.
 */
#ifndef CONTROL_THREADFILTER_H
#define CONTROL_THREADFILTER_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/* ERR_USAGE: there is no pattern, or a ! without one. */
bool threadfilter_check(struct str patterns, struct err *err);

/*
 * True if the thread is wanted. Without patterns all are; without any that says which
 * are wanted, all that are not taken out. Any thread.
 */
bool threadfilter_matches(struct str patterns, struct str name);

#endif
