/*
 * lack.h - what is told when a query names a type or field that the recording lacks; for
 * planner.c alone.
 */
#ifndef QUERY_LACK_H
#define QUERY_LACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "jfr/metadata.h"
#include "query/hit.h"
#include "query/plan.h"

/*
 * Both set plan->complaint, and err to ERR_FORMAT with the nearest name, or ERR_MEMORY;
 * and are false.
 */
bool lack_type(struct plan *plan, const struct metadata *metadata, struct str name,
	       struct err *err);

/* In those of the origins. */
bool lack_field(struct plan *plan, const struct origin *origins, size_t count,
		struct str name, struct err *err);

#endif
