#include "sampler/walk.h"

#include <stddef.h>

#include "sampler/guard.h"
#include "sampler/machine.h"

/* The JVM's numbers: the thread has no code of Java on its stack. */
#define NO_JAVA_FRAME 0
/* In the JVM's own code, and it is not known how it came there. */
#define UNKNOWN_NOT_JAVA (-3)
/* In code that it knows, but in no frame that it understands. */
#define UNKNOWN_JAVA (-5)
#define NOT_WALKABLE_JAVA (-6)
/* None of them: memory was not there. */
#define FAULT INT32_MAX

#define NO_BYTECODE (-1)

/*
 * What is tried after which failure, in this order. Compiled methods fail with the
 * first while they make or leave a frame; functions of the JVM that such a method has
 * called without more ado with the second: the frame pointer leads out of a few. Where
 * nothing helps, as in a stub that keeps no frame pointer while an exception leaves
 * frames, code of Java's is looked for up the stack.
 */
#define UP (MACHINE_FRAMED + 1)

static const struct attempt {
	int32_t failure;
	int way;			/* enum machine_way, or UP */
	int steps;
} attempts[] = {
	{ UNKNOWN_JAVA, MACHINE_BEGAN, 1 },
	{ UNKNOWN_JAVA, MACHINE_PUSHED, 1 },
	{ UNKNOWN_JAVA, MACHINE_ENTERED, 1 },
	{ NOT_WALKABLE_JAVA, MACHINE_FRAMED, 4 },
	{ UNKNOWN_JAVA, UP, 4 },
	{ NOT_WALKABLE_JAVA, UP, 4 },
};

#define ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

struct question {
	const struct walk *walk;
	struct walk_trace *trace;
	int depth;
	uintptr_t vm;
	void *context;
	/* Where the thread is said to be, and how it gets on from there. */
	struct machine machine;
	int way;
	/* The same for one that left Java: its own note, and the one that is shown. */
	enum anchor_kind kind;
	struct anchor_note own, note;
	int anchor_way;
};

static void ask(void *context)
{
	const struct question *question = context;

	question->walk->jvm(question->trace, question->depth, question->context);
}

static bool go_up(const struct anchor *anchor, struct machine *machine)
{
	struct anchor_note note = { .sp = machine->sp };
	bool is_there = anchor_up(anchor, &note);

	if (is_there)
		*machine = (struct machine){ note.pc, note.sp, note.fp, 0 };
	return is_there;
}

static void ask_elsewhere(void *context)
{
	struct question *question = context;

	question->trace->count = 0;
	if (question->way == UP
		    ? !go_up(&question->walk->anchor, &question->machine)
		    : !machine_go(&question->machine, question->way))
		return;
	machine_set(question->context, &question->machine);
	ask(question);
}

/* A method that is known without the place in it was met by chance. */
static bool is_likely(const struct walk_trace *trace)
{
	return trace->count > 1 ||
	       (trace->count == 1 && trace->frames[0].bytecode != NO_BYTECODE);
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
		if (is_whole && (attempt->way == UP ? is_likely(question->trace)
						    : question->trace->count > 0))
			return true;
	}
	return false;
}

static void ask_noted(void *context)
{
	struct question *question = context;
	const struct anchor *anchor = &question->walk->anchor;

	question->trace->count = 0;
	if (!anchor_go(anchor, &question->note, question->anchor_way))
		return;
	anchor_write(anchor, question->vm, &question->note);
	ask(question);
}

static void read_note(void *context)
{
	struct question *question = context;

	question->kind = anchor_read(&question->walk->anchor, question->vm,
				     &question->own);
}

static void put_note_back(void *context)
{
	const struct question *question = context;

	anchor_write(&question->walk->anchor, question->vm, &question->own);
}

/* The note is as it was, too. */
static bool is_noted(struct question *question)
{
	bool is_found = false;

	for (int way = 0; way < ANCHOR_WAYS && !is_found; way++) {
		question->note = question->own;
		question->anchor_way = way;
		is_found = guard_call(ask_noted, question) &&
			   (way == 0 ? question->trace->count > 0
				     : is_likely(question->trace));
		guard_call(put_note_back, question);
	}
	return is_found;
}

/* Any of them may be why memory was not there. */
static bool is_like(int32_t failure, int32_t other)
{
	return failure == other || failure == FAULT;
}

/* A thread that never was in Java is known to have no stack there. */
static bool is_retried(struct question *question, int32_t failure)
{
	if (is_like(failure, UNKNOWN_NOT_JAVA) && guard_call(read_note, question)) {
		if (question->kind == ANCHOR_OWN && is_noted(question))
			return true;
		if (question->kind == ANCHOR_EMPTY && failure == UNKNOWN_NOT_JAVA)
			failure = NO_JAVA_FRAME;
	}
	for (size_t i = 0; i < ATTEMPTS; i++) {
		if (is_like(failure, attempts[i].failure) &&
		    is_found(question, &attempts[i]))
			return true;
	}
	question->trace->count = failure;
	return false;
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
	bool is_whole;

	trace->count = 0;
	is_whole = guard_call(ask, &question);
	if (is_whole && trace->count > 0)
		return WALK_DONE;
	if (walk->is_guarded && is_retried(&question, is_whole ? trace->count : FAULT))
		return WALK_RETRIED;
	return is_whole ? WALK_FAILED : WALK_FAULT;
}
