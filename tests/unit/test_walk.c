#include <criterion/criterion.h>
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
static uintptr_t pcs[5];
static uintptr_t noted[5];	/* where it was said to have left Java */

static volatile char *nothing;
static uintptr_t stack[] = { 1000, 2000, 3000 };
static uintptr_t frame[4][2];	/* each leads to the next, and the last to nothing */
static ucontext_t context;
static struct walk_frame frames[FRAMES];
static struct walk walk = { .is_guarded = true };

/* What the thread noted when it left Java: in the JVM's structure of it. */
#define CODE 5000
static struct {
	uintptr_t sp, fp, pc;
} left;

static void jvm(struct walk_trace *trace, int32_t depth, void *at)
{
	int32_t answer = answers[asked];

	cr_expect_eq(depth, FRAMES);
	noted[asked] = left.pc;
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
	walk.anchor = (struct anchor){
		.is_known = true,
		.sp_at = 0,
		.fp_at = sizeof(uintptr_t),
		.pc_at = 2 * sizeof(uintptr_t),
		.code = CODE,
		.code_end = CODE + 100,
	};
}

TestSuite(walk, .init = begin);

/* Ends so, with that count, after that many questions; the registers are as before. */
static void expect(const int32_t *of, enum walk_end expected, int32_t count, int questions)
{
	struct walk_trace trace = { .env = &trace, .count = 99, .frames = frames };
	struct machine before = machine_of(&context), after;

	answers = of;
	asked = 0;
	cr_expect_eq(walk_stack(&walk, &trace, FRAMES, (uintptr_t)&left, &context),
		     expected);
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
	EXPECT(WALK_FAULT, 0, 1, FAULT);
	EXPECT(WALK_DONE, 1, 1, 1);
}

/* Java, a stub, the JVM's own code: the stub's address is right below what is noted. */
static void leave_Java(void)
{
	static uintptr_t of[] = { CODE, 0, CODE + 1, 0, CODE + 2 };

	left.sp = (uintptr_t)&of[1];
	left.fp = (uintptr_t)&of[3];
	left.pc = 0;
}

/* Afterwards the JVM finds what it has noted. */
static void expect_note(void)
{
	uintptr_t sp = left.sp, fp = left.fp;

	leave_Java();
	cr_expect_eq(left.sp, sp);
	cr_expect_eq(left.fp, fp);
	cr_expect_eq(left.pc, 0);
}

Test(walk, is_repeated_from_where_Java_was_left)
{
	leave_Java();
	EXPECT(WALK_RETRIED, 2, 2, -3, 2);
	cr_expect_eq(noted[0], 0);
	cr_expect_eq(noted[1], CODE);
	EXPECT(WALK_RETRIED, 2, 3, -3, -4, 2);
	cr_expect_eq(noted[2], CODE + 1);
	EXPECT(WALK_RETRIED, 2, 4, -3, -4, FAULT, 2);
	cr_expect_eq(noted[3], CODE + 2);
	EXPECT(WALK_FAILED, -3, 4, -3, -4, -4, -4);
	expect_note();
}

/* A method without a place in it may be anything that is on the stack. */
Test(walk, does_not_take_what_was_guessed_for_more)
{
	leave_Java();
	frames[0].bytecode = -1;
	EXPECT(WALK_RETRIED, 1, 2, -3, 1);
	EXPECT(WALK_FAILED, -3, 4, -3, -4, 1, 1);
	EXPECT(WALK_RETRIED, 2, 3, -3, -4, 2);
	frames[0].bytecode = 0;
	EXPECT(WALK_RETRIED, 1, 3, -3, -4, 1);
	expect_note();
}

Test(walk, is_not_repeated_where_others_may_look)
{
	leave_Java();
	left.pc = CODE;
	EXPECT(WALK_FAILED, -3, 1, -3);
	left.sp = 0;
	EXPECT(WALK_FAILED, -3, 1, -3);
	leave_Java();
	walk.is_guarded = false;
	EXPECT(WALK_FAILED, -3, 1, -3);
}

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
	EXPECT(WALK_FAILED, -5, 1, -5);
}

#endif
