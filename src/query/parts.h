/*
 * parts.h - which columns of a plan get their values from the same events.
 *
 * A row has cells for the parts that its events belong to alone, so that a query of all
 * event types does not make each of its rows as wide as all of them.
 */
#ifndef QUERY_PARTS_H
#define QUERY_PARTS_H

#include <stdbool.h>

#include "query/plan.h"

/*
 * Sets plan.parts, and part and cell of the columns, which are those of the plan; its
 * listeners must be made. In the arena of the plan. False without memory.
 */
bool parts_make(struct plan *plan, struct column *columns);

#endif
