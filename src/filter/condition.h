/*
 * condition.h - what is asked of the fields of events: `duration > 20ms`.
 *
 *	<field> <operator> <value>
 *
 * A field is a name, or names with dots between that lead through structs and what
 * constants refer to: eventThread.javaName. Operators are = (or ==), !=, <, <=, >, >=,
 * and ~ and !~ for patterns with `*` and `?`. A value may be in double or single
 * quotes; without them null (or N/A, as `print` shows it) is what is missing. Blanks
 * around the operator do not count.
 *
 * Here a condition is only text; what it means to the fields of a recording is told
 * by operand.h and probe.h:
 *
 * On the way to the value there may be arrays, as the frames of a stack trace are:
 * then one element of which it is true is enough. A condition with != or !~ is true
 * where its opposite is not: where no element is equal. What is missing is equal to
 * null alone, and is neither less nor greater than anything.
 */
#ifndef FILTER_CONDITION_H
#define FILTER_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

/* Names in the path of a field, and bytes of a condition, at most. */
#define CONDITION_PARTS_MAX 32
#define CONDITION_SIZE_MAX 4096

enum relation {
	RELATION_SAME,
	RELATION_LESS,
	RELATION_AT_MOST,
	RELATION_GREATER,
	RELATION_AT_LEAST,
	RELATION_LIKE,		/* matches the pattern */
};

struct condition {
	size_t part_count;	/* at least one, but for condition_new_at */
	const char *parts[CONDITION_PARTS_MAX];	/* the names of the path */
	struct str path;	/* as it was written */
	const char *sign;	/* the operator, "!=" */
	enum relation relation;
	bool is_negated;	/* the relation must not hold */
	bool is_null;		/* with RELATION_SAME alone */
	struct str value;	/* without its quotes; terminated; empty for null */
	struct str dotted;	/* the same with dots for slashes, as of a class */
};

/*
 * Reads a condition, which the caller must free with condition_free. NULL with
 * ERR_USAGE, and what is wrong with it, or ERR_MEMORY.
 */
struct condition *condition_new(struct str text, struct err *err);

/*
 * The same where something else than a field is in front: its name, which may have any
 * characters, ends at this byte of the text, and the operator begins there.
 */
struct condition *condition_new_at(struct str text, size_t at, struct err *err);

void condition_free(struct condition *condition);	/* NULL is allowed */

#endif
