#include "probe/outcome.h"

#include <stddef.h>

const char *outcome_reason(int result)
{
	switch (result) {
	case OUTCOME_ABSTRACT:
		return "it is abstract";
	case OUTCOME_NATIVE:
		return "it is native";
	case OUTCOME_EXCLUDED:
		return "probes, or the JVM, need it as it is";
	case OUTCOME_REFUSED:
		return "the JVM does not take its class with probes";
	}
	return rewrite_reason((enum rewrite_result)result);
}

void outcomes_settle(struct outcomes *of)
{
	if (!of->has_next)
		return;
	of->is = of->next;
	of->has_next = false;
	of->was_done |= of->is.result == REWRITE_DONE;
}

void outcomes_leave(struct outcomes *of)
{
	of->is_there = true;
	if (!of->has_next || of->next.result != REWRITE_DONE) {
		outcomes_settle(of);
		return;
	}
	of->has_next = false;
	if (!of->was_done)
		of->is = (struct outcome){ OUTCOME_REFUSED, of->next.size_before, 0 };
}

static uint32_t size_of(const struct outcome *of)
{
	return of->result == REWRITE_DONE ? of->size_after : of->size_before;
}

void outcomes_check(struct outcomes *of, uint32_t size)
{
	if (!of->is_there || size == size_of(&of->next) || size != size_of(&of->is))
		outcomes_settle(of);
	of->is_there = true;
}

bool outcomes_is_open(const struct outcomes *of)
{
	return of->has_next || !of->is_there;
}

const struct outcome *outcomes_newest(const struct outcomes *of)
{
	return of->is_there ? &of->is : &of->next;
}
