/*
 * bare.h - values of a result for programs: in base units, as cjfr-format(5) has them.
 */
#ifndef RENDER_BARE_H
#define RENDER_BARE_H

#include <stdbool.h>

#include "base/buf.h"
#include "query/datum.h"
#include "query/plan.h"

enum bare_form {
	BARE_CSV,	/* a cell; items are separated by semicolons */
	BARE_JSON,
};

/*
 * Appends the value. False, and nothing, if it is missing: as the table has it, or
 * because it is no finite number.
 */
bool bare_add(struct buf *to, const struct column *column, const struct datum *datum,
	      enum bare_form form);

/* What the values of a column are: "timespan", "bytes", "thread" ... */
const char *bare_kind(const struct column *column);

#endif
