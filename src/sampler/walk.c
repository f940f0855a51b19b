#include "sampler/walk.h"

#include "sampler/guard.h"
#include "sampler/machine.h"

/* The JVM's number for: in compiled code, but in no frame that it understands. */
#define UNKNOWN_JAVA (-5)

struct question {
	walk_jvm *jvm;
	struct walk_trace *trace;
	int depth;
	void *context;
	int way;			/* to the caller, for a second attempt */
};

static void ask(void *context)
{
	const struct question *question = context;

	question->jvm(question->trace, question->depth, question->context);
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

enum walk_end walk_stack(const struct walk *walk, struct walk_trace *trace, int depth,
			 void *context)
{
	struct question question = {
		.jvm = walk->jvm,
		.trace = trace,
		.depth = depth,
		.context = context,
	};

	trace->count = 0;
	if (!guard_call(ask, &question))
		return WALK_FAULT;
	if (trace->count > 0)
		return WALK_DONE;
	if (trace->count == UNKNOWN_JAVA && walk->is_guarded && is_retried(&question))
		return WALK_RETRIED;
	return WALK_FAILED;
}
