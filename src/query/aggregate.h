/*
 * aggregate.h - the aggregators by name: COUNT, SUM, P99 and the like, for a column.
 */
#ifndef QUERY_AGGREGATE_H
#define QUERY_AGGREGATE_H

#include <stdbool.h>
#include <stdint.h>

#include "query/function.h"
#include "query/plan.h"

/* That of a column; without an aggregator, the last value that is not null. */
const struct function *aggregate_function(const struct column *column);

/* Of LAST_BATCH: the end of the last event added, nanoseconds; false if there is none. */
bool aggregate_batch_end(const void *state, int64_t *nanos);

#endif
