/*
 * gate.h - a condition for the rows of a result: "Maximum Pause Time > 50 ms".
 *
 * The column goes by its title or the name of its field; operators and values are those
 * of condition.h and operand.h. An aggregated column keeps the unit of its field.
 */
#ifndef QUERY_GATE_H
#define QUERY_GATE_H

#include <stdbool.h>

#include "base/err.h"
#include "filter/condition.h"
#include "filter/operand.h"
#include "jfr/metadata.h"
#include "query/result.h"

struct gate {
	size_t column;
	struct condition *condition;
	struct operand operand;
	struct type type;		/* the column as a field */
	struct field field;
};

/*
 * For the results of a plan. False with ERR_USAGE: it has no such column, or the value
 * makes no sense there; or ERR_MEMORY. Close it all the same.
 */
bool gate_open(struct gate *gate, const struct plan *plan, struct str text, int zone,
	       struct err *err);

void gate_close(struct gate *gate);

/* True if it holds for some row, also for one past the limit. Sets err without memory. */
bool gate_holds(const struct gate *gate, const struct result *result, struct err *err);

#endif
