#include "sampler/walk.h"

#include <stddef.h>

#include "sampler/guard.h"
#include "sampler/machine.h"

/* The JVM's numbers: in code that it knows, but in no frame that it understands. */
#define UNKNOWN_JAVA (-5)
#define NOT_WALKABLE_JAVA (-6)

/*
 * What is tried after which failure, in this order. Compiled methods fail with the first
 * while they make or leave a frame; functions of the JVM that such a method has called
 * without more ado with the second: the frame pointer leads out of a few.
 */
static const struct attempt {
	int32_t failure;
	enum machine_way way;
	int steps;
} attempts[] = {
	{ UNKNOWN_JAVA, MACHINE_BEGAN, 1 },
	{ UNKNOWN_JAVA, MACHINE_PUSHED, 1 },
	{ UNKNOWN_JAVA, MACHINE_ENTERED, 1 },
	{ NOT_WALKABLE_JAVA, MACHINE_FRAMED, 4 },
};

#define ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

struct question {
	walk_jvm *jvm;
	struct walk_trace *trace;
	int depth;
	void *context;
	/* Where the thread is said to be, and how it gets on from there. */
	struct machine machine;
	enum machine_way way;
};

static void ask(void *context)
{
	const struct question *question = context;

	question->jvm(question->trace, question->depth, question->context);
}

static void ask_elsewhere(void *context)
{
	struct question *question = context;

	question->trace->count = 0;
	if (!machine_go(&question->machine, question->way))
		return;
	machine_set(question->context, &question->machine);
	ask(question);
}

/* The registers are the thread's own again in any case: it goes on with them. */
static bool is_found(struct question *question, const struct attempt *attempt)
{
	const struct machine own = machine_of(question->context);
	bool is_whole = true;

	question->machine = own;
	question->way = attempt->way;
	question->trace->count = 0;
	for (int i = 0; i < attempt->steps && is_whole; i++) {
		is_whole = guard_call(ask_elsewhere, question);
		machine_set(question->context, &own);
		if (is_whole && question->trace->count > 0)
			return true;
	}
	return false;
}

static bool is_retried(struct question *question)
{
	const int32_t failure = question->trace->count;

	for (size_t i = 0; i < ATTEMPTS; i++) {
		if (attempts[i].failure == failure && is_found(question, &attempts[i]))
			return true;
	}
	question->trace->count = failure;
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
	if (walk->is_guarded && is_retried(&question))
		return WALK_RETRIED;
	return WALK_FAILED;
}
