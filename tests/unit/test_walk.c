#include <criterion/criterion.h>
#include <stddef.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "sampler/guard.h"
#include "sampler/machine.h"
#include "sampler/walk.h"

#define PAGE ((size_t)4096)
#define FRAMES 4
#define FAULT INT32_MAX		/* in place of a count: memory is not there */

/* What the JVM says to the first question, the second, and so on. */
static const int32_t *answers;
static int asked;
static uintptr_t pcs[10];

static volatile char *nothing;
static uintptr_t stack[] = { 1000, 2000, 3000 };
static uintptr_t frame[4][2];	/* each leads to the next, and the last to nothing */
static ucontext_t context;
static struct walk_frame frames[FRAMES];
static struct walk walk = { .is_guarded = true };

#define IN_VM 6
#define IN_NATIVE 4

/* The thread in the JVM, which noted where Java's stack ends; code is from 5000 on. */
static struct {
	struct anchor_note note;
	int32_t state;
} thread;
static struct anchor_note seen[4];
static uintptr_t java_stack[] = { 5001, 1, 5002, 2, 3 };
static const struct anchor anchor = {
	.is_known = true,
	.sp_at = offsetof(struct anchor_note, sp),
	.fp_at = offsetof(struct anchor_note, fp),
	.pc_at = offsetof(struct anchor_note, pc),
	.state_at = offsetof(__typeof__(thread), state),
	.in_vm = IN_VM,
	.code = 5000,
	.code_end = 6000,
};

static void jvm(struct walk_trace *trace, int32_t depth, void *at)
{
	int32_t answer = answers[asked];

	cr_expect_eq(depth, FRAMES);
	if (asked < 4)
		seen[asked] = thread.note;
	pcs[asked++] = machine_of(at).pc;
	if (answer == FAULT)
		*nothing;
	trace->count = answer;
}

static void begin(void)
{
	struct machine machine = {
		.pc = 1,
		.sp = (uintptr_t)stack,
		.fp = (uintptr_t)frame[0],
	};

	getcontext(&context);
	machine_set(&context, &machine);
	for (unsigned i = 0; i < 4; i++) {
		frame[i][0] = i < 3 ? (uintptr_t)frame[i + 1] : 0;
		frame[i][1] = 100 * (i + 1);
	}
	nothing = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert(nothing != MAP_FAILED);
	cr_assert(guard_install(NULL));
	walk.jvm = jvm;
}

TestSuite(walk, .init = begin);

/* Ends so, with that count, after that many questions; the registers are as before. */
static void expect(const int32_t *of, enum walk_end expected, int32_t count,
		   int questions)
{
	struct walk_trace trace = { .env = &trace, .count = 99, .frames = frames };
	struct machine before = machine_of(&context), after;

	answers = of;
	asked = 0;
	cr_expect_eq(walk_stack(&walk, &trace, FRAMES, (uintptr_t)&thread,
				&context), expected);
	after = machine_of(&context);
	if (expected != WALK_FAULT)
		cr_expect_eq(trace.count, count, "%d", trace.count);
	cr_expect_eq(asked, questions, "%d questions", asked);
	cr_expect_eq(after.pc, before.pc);
	cr_expect_eq(after.sp, before.sp);
	cr_expect_eq(after.fp, before.fp);
}

#define EXPECT(end, count, questions, ...)                                     \
	expect((const int32_t[]){ __VA_ARGS__ }, end, count, questions)

Test(walk, asks_once_where_it_can)
{
	EXPECT(WALK_DONE, 3, 1, 3);
	EXPECT(WALK_DONE, FRAMES, 1, FRAMES);
}

Test(walk, tells_how_it_failed)
{
	EXPECT(WALK_FAILED, 0, 1, 0);
	EXPECT(WALK_FAILED, -2, 1, -2);
	EXPECT(WALK_FAILED, -10, 1, -10);
	EXPECT(WALK_DONE, 1, 1, 1);
}

/* --- with another note ----------------------------------------------------------- */

static void note(uintptr_t pc)
{
	walk.anchor = anchor;
	thread.state = IN_VM;
	thread.note = (struct anchor_note){
		.sp = (uintptr_t)(java_stack + 1),
		.fp = (uintptr_t)(java_stack + 3),
		.pc = pc,
	};
	for (int i = 0; i < FRAMES; i++)
		frames[i].bytecode = 0;
}

static void expect_noted(uintptr_t pc)
{
	cr_expect_eq(thread.note.sp, (uintptr_t)(java_stack + 1), "as it was");
	cr_expect_eq(thread.note.fp, (uintptr_t)(java_stack + 3));
	cr_expect_eq(thread.note.pc, pc);
}

Test(walk, is_repeated_with_a_note_that_is_whole)
{
	note(0);
	EXPECT(WALK_RETRIED, 2, 2, -3, 2);
	cr_expect_eq(seen[0].pc, 0);
	cr_expect_eq(seen[1].pc, 5001);
	cr_expect_eq(seen[1].sp, (uintptr_t)(java_stack + 1));
	expect_noted(0);
	EXPECT(WALK_RETRIED, 2, 3, -3, -4, 2);
	cr_expect_eq(seen[2].pc, 5002);
	cr_expect_eq(seen[2].sp, (uintptr_t)(java_stack + 3));
	expect_noted(0);
}

Test(walk, leaves_a_note_alone_that_others_may_see)
{
	note(5001);
	EXPECT(WALK_FAILED, -3, 1, -3);
	note(0);
	EXPECT(WALK_FAILED, -4, 1, -4);
	thread.state = IN_NATIVE;
	EXPECT(WALK_FAILED, -3, 1, -3);
	thread.state = IN_VM;
	walk.anchor.is_known = false;
	EXPECT(WALK_FAILED, -3, 1, -3);
	expect_noted(0);
}

/* Unless it is known that it has none at all. */
Test(walk, knows_threads_that_never_were_in_Java)
{
	note(0);
	thread.note.sp = 0;
	thread.state = IN_NATIVE;
	EXPECT(WALK_FAILED, 0, 1, -3);
	EXPECT(WALK_FAILED, -4, 1, -4);
	walk.anchor.is_known = false;
	EXPECT(WALK_FAILED, -3, 1, -3);
}

Test(walk, puts_the_note_back_after_a_fault)
{
	note(0);
	EXPECT(WALK_RETRIED, 2, 3, -3, FAULT, 2);
	expect_noted(0);
	EXPECT(WALK_FAILED, -3, 3, -3, FAULT, FAULT);
	expect_noted(0);
}

Test(walk, does_not_believe_in_a_method_without_a_place_that_was_guessed)
{
	note(0);
	frames[0].bytecode = -1;
	EXPECT(WALK_RETRIED, 1, 2, -3, 1);
	EXPECT(WALK_FAILED, -3, 3, -3, 0, 1);
	EXPECT(WALK_RETRIED, 2, 3, -3, 0, 2);
	expect_noted(0);
}

/* --- as if the thread were elsewhere ---------------------------------------------- */

#if defined(__x86_64__)

Test(walk, is_repeated_from_where_the_thread_may_be)
{
	EXPECT(WALK_RETRIED, 2, 2, -5, 2);
	cr_expect_eq(pcs[0], 1);
	cr_expect_eq(pcs[1], 1000);
	EXPECT(WALK_RETRIED, 1, 3, -5, -6, 1);
	cr_expect_eq(pcs[2], 2000);
	EXPECT(WALK_RETRIED, 3, 4, -5, -5, -5, 3);
	cr_expect_gt(pcs[3], pcs[0]);
	cr_expect_lt(pcs[3], 100, "a little");
}

Test(walk, is_repeated_from_callers_by_the_frame_pointer)
{
	EXPECT(WALK_RETRIED, 2, 2, -6, 2);
	cr_expect_eq(pcs[1], 100);
	EXPECT(WALK_RETRIED, 2, 5, -6, -6, -5, -6, 2);
	cr_expect_eq(pcs[4], 400);
	EXPECT(WALK_FAILED, -6, 5, -6, -5, -5, -5, -5);
	frame[1][0] = 0;
	EXPECT(WALK_FAILED, -6, 3, -6, -5, -5);
}

Test(walk, keeps_the_first_failure)
{
	EXPECT(WALK_FAILED, -5, 4, -5, -3, -6, -1);
	EXPECT(WALK_FAILED, -5, 4, -5, 0, 0, 0);
}

Test(walk, survives_faults_when_it_is_repeated)
{
	EXPECT(WALK_RETRIED, 2, 2, FAULT, 2);
	EXPECT(WALK_RETRIED, 2, 5, FAULT, -5, -5, FAULT, 2);
	EXPECT(WALK_FAULT, 0, 8, FAULT, -5, -5, FAULT, -6, -6, -6, FAULT);
	cr_expect_eq(pcs[7], 400, "the last caller");
	EXPECT(WALK_RETRIED, 2, 3, -5, FAULT, 2);
	EXPECT(WALK_FAILED, -5, 4, -5, FAULT, FAULT, FAULT);
	EXPECT(WALK_FAILED, -6, 2, -6, FAULT);
}

Test(walk, survives_a_stack_that_is_not_there)
{
	struct machine machine = { .pc = 1, .sp = (uintptr_t)nothing, .fp = 7 };

	machine_set(&context, &machine);
	EXPECT(WALK_FAILED, -5, 2, -5, -5);
	EXPECT(WALK_FAILED, -6, 1, -6);
}

Test(walk, is_not_repeated_without_the_guard)
{
	walk.is_guarded = false;
	note(0);
	EXPECT(WALK_FAILED, -3, 1, -3);
	EXPECT(WALK_FAILED, -5, 1, -5);
}

#endif

/* --- up the stack ---------------------------------------------------------------- */

Test(walk, is_repeated_up_the_stack_at_last)
{
	static uintptr_t high[40] = { 5001, 1, 5002 };	/* and no more of it */
	struct machine machine = machine_of(&context);

	walk.anchor = anchor;
	for (int i = 0; i < FRAMES; i++)
		frames[i].bytecode = 0;
	machine.sp = (uintptr_t)high;
	machine_set(&context, &machine);
	EXPECT(WALK_RETRIED, 2, 5, -5, -5, -5, -5, 2);
	cr_expect_eq(pcs[4], 5001);
	EXPECT(WALK_RETRIED, 2, 6, -5, -5, -5, -5, -5, 2);
	cr_expect_eq(pcs[5], 5002);
	EXPECT(WALK_FAILED, -5, 6, -5, -5, -5, -5, -5, -5);
	frames[0].bytecode = -1;
	EXPECT(WALK_RETRIED, 2, 6, -5, -5, -5, -5, 1, 2);
	EXPECT(WALK_RETRIED, 1, 2, -5, 1);
}
