/*
 * planner.h - makes plans: looks a query up in the types of a recording.
 */
#ifndef QUERY_PLANNER_H
#define QUERY_PLANNER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "jfr/metadata.h"
#include "query/plan.h"
#include "query/query.h"

/*
 * Looks the query up in the types of a chunk. False: ERR_USAGE if it makes no sense with
 * any recording, ERR_FORMAT if this one has no such type or field; *at is the place in
 * the query, and plan->complaint what the JDK says, which it shows in `all-views`. Or
 * ERR_MEMORY. In any case: plan_clear it.
 */
bool plan_make(struct plan *plan, const struct query *query, const struct metadata *metadata,
	       size_t *at, struct err *err);

#endif
