/*
 * outcome.h - what came of a method's probe, so far as is known.
 *
 * What is made of a class that is being changed holds from when the JVM has taken it, and
 * it may take it not at all: until that is known it is only the next outcome.
 */
#ifndef PROBE_OUTCOME_H
#define PROBE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "classfile/rewrite.h"

/* Or why none was tried, or was in vain. */
enum outcome_result {
	OUTCOME_ABSTRACT = REWRITE_DAMAGED + 1,
	OUTCOME_NATIVE,
	OUTCOME_EXCLUDED,		/* filters_is_excluded */
	OUTCOME_REFUSED,		/* by the JVM */
};

/* "it is native": for people. NULL for REWRITE_DONE. */
const char *outcome_reason(int result);

struct outcome {
	int result;			/* enum rewrite_result, enum outcome_result */
	uint32_t size_before, size_after;	/* of its code, bytes; after: 0: not done */
};

/* All of a method; starts zeroed. */
struct outcomes {
	bool is_there;			/* the JVM's class has the method */
	bool was_done;			/* it has a probe, or had */
	bool has_next;
	struct outcome is, next;
};

/* The next one holds, if there is one. */
void outcomes_settle(struct outcomes *of);

/* The JVM did not take the class: the method has on what it had before. */
void outcomes_leave(struct outcomes *of);

/*
 * The JVM's class has the method, with so large a code. It is the old one still if the
 * old one was so large, and the new one is not.
 */
void outcomes_check(struct outcomes *of, uint32_t size);

/* True if it is not known whether it is there, or whether the next one holds. */
bool outcomes_is_open(const struct outcomes *of);

/* The newest; of a method that may not be there, as if it were. */
const struct outcome *outcomes_newest(const struct outcomes *of);

#endif
