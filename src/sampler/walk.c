#include "sampler/walk.h"

#include "sampler/guard.h"
#include "sampler/machine.h"

/* The JVM's numbers of failures that have a remedy. */
#define UNKNOWN_NOT_JAVA (-3)
#define UNKNOWN_JAVA (-5)		/* in no frame that it understands, */
#define NOT_WALKABLE_JAVA (-6)		/* or in one that is not complete */

struct question {
	const struct walk *walk;
	struct walk_trace *trace;
	int depth;
	uintptr_t vm;
	void *context;
	int way;			/* to the caller, for a second attempt */
};

static void ask(void *context)
{
	const struct question *question = context;

	question->walk->jvm(question->trace, question->depth, question->context);
}

static void ask_for_caller(void *context)
{
	const struct question *question = context;
	struct machine machine = machine_of(question->context);

	if (!machine_caller(&machine, question->way))
		return;
	machine_set(question->context, &machine);
	ask(context);
}

static void ask_completed(void *context)
{
	const struct question *question = context;
	const struct walk *walk = question->walk;

	if (walk->complete(walk->context, question->vm))
		ask(context);
}

static bool is_completed(struct question *question)
{
	struct walk_trace *trace = question->trace;
	const int32_t first = trace->count;

	if (question->walk->complete && guard_call(ask_completed, question) &&
	    trace->count > 0)
		return true;
	trace->count = first;
	return false;
}

/* The registers are the thread's own again in any case: it goes on with them. */
static bool is_retried(struct question *question)
{
	struct walk_trace *trace = question->trace;
	const struct machine own = machine_of(question->context);
	const int32_t first = trace->count;

	for (question->way = 0; question->way < MACHINE_WAYS; question->way++) {
		bool is_done = guard_call(ask_for_caller, question);

		machine_set(question->context, &own);
		if (is_done && trace->count > 0)
			return true;
		trace->count = first;
	}
	return false;
}

static bool has_remedy(struct question *question)
{
	switch (question->trace->count) {
	case UNKNOWN_NOT_JAVA:
		return is_completed(question);
	case UNKNOWN_JAVA:
	case NOT_WALKABLE_JAVA:
		return is_retried(question);
	default:
		return false;
	}
}

enum walk_end walk_stack(const struct walk *walk, struct walk_trace *trace, int depth,
			 uintptr_t vm, void *context)
{
	struct question question = {
		.walk = walk,
		.trace = trace,
		.depth = depth,
		.vm = vm,
		.context = context,
	};

	trace->count = 0;
	if (!guard_call(ask, &question))
		return WALK_FAULT;
	if (trace->count > 0)
		return WALK_DONE;
	return walk->is_guarded && has_remedy(&question) ? WALK_RETRIED : WALK_FAILED;
}
