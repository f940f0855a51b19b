#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/now.h"
#include "sampler/machine.h"

#define PATIENCE 60		/* seconds; what is waited for comes at once */

static bool is_known;		/* on this processor */
static ucontext_t any;

static void look(void)
{
	getcontext(&any);
	is_known = machine_of(&any).sp != 0;
}

TestSuite(machine, .init = look);

static struct machine seen;

static void see(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	seen = machine_of(context);
}

static void handle(void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
}

Test(machine, has_the_registers_of_the_interrupted_thread)
{
	char here;

	if (!is_known)
		cr_skip_test("not this processor");
	handle(see);
	raise(SIGUSR1);
	cr_expect_neq(seen.pc, 0);
	cr_expect_leq(seen.sp, (uintptr_t)&here);
	cr_expect_geq(seen.sp + 100000, (uintptr_t)&here);
}

Test(machine, is_set_and_read_again)
{
	struct machine machine = { .pc = 100, .sp = 200, .fp = 300 }, again;

	if (!is_known)
		cr_skip_test("not this processor");
	machine_set(&any, &machine);
	again = machine_of(&any);
	cr_expect_eq(again.pc, 100);
	cr_expect_eq(again.sp, 200);
	cr_expect_eq(again.fp, 300);
}

/* The same words for all: where one returns to by a register, it holds the first. */
Test(machine, goes_to_the_caller)
{
	uintptr_t stack[] = { 1000, 2000, 3000 };
	const struct machine start = {
		.pc = 1,
		.sp = (uintptr_t)stack,
		.fp = (uintptr_t)stack,
		.link = stack[0],
	};
	struct machine machine = start;

	if (!is_known) {
		cr_expect_not(machine_go(&machine, MACHINE_BEGAN));
		return;
	}
	cr_assert(machine_go(&machine, MACHINE_BEGAN));
	cr_expect_eq(machine.pc, 1000);
	cr_expect_eq(machine.fp, start.fp);
	cr_expect_leq(machine.sp - start.sp, sizeof(stack[0]));
	for (int i = 0; i < 2; i++) {
		machine = start;
		cr_assert(machine_go(&machine, i ? MACHINE_FRAMED : MACHINE_PUSHED));
		cr_expect_eq(machine.fp, 1000);
		cr_expect_eq(machine.pc, 2000);
		cr_expect_eq(machine.sp, (uintptr_t)(stack + 2));
	}
}

Test(machine, leads_out_of_frames_one_after_the_other)
{
	uintptr_t outer[] = { 7, 3000 }, inner[] = { (uintptr_t)outer, 2000 };
	struct machine machine = { .pc = 1, .sp = 8, .fp = (uintptr_t)inner };

	if (!is_known)
		cr_skip_test("not this processor");
	cr_assert(machine_go(&machine, MACHINE_FRAMED));
	cr_assert(machine_go(&machine, MACHINE_FRAMED));
	cr_expect_eq(machine.pc, 3000);
	cr_expect_eq(machine.fp, 7);
	cr_expect_eq(machine.sp, (uintptr_t)(outer + 2));
}

Test(machine, goes_on_in_the_same_frame)
{
	struct machine machine = { .pc = 1000, .sp = 8, .fp = 16 };

	if (!is_known)
		cr_skip_test("not this processor");
	cr_assert(machine_go(&machine, MACHINE_ENTERED));
	cr_expect_gt(machine.pc, 1000);
	cr_expect_eq(machine.sp, 8);
	cr_expect_eq(machine.fp, 16);
}

/* --- threads that wait -------------------------------------------------------- */

static atomic_int blocked, running;
static atomic_bool is_over;
static int pipe_of[2];

static void judge(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	atomic_fetch_add(machine_is_blocked(context) ? &blocked : &running, 1);
}

static void *read_pipe(void *unused)
{
	char byte;

	return read(pipe_of[0], &byte, 1) == 1 ? unused : NULL;
}

static void *sleep_long(void *unused)
{
	const struct timespec time = { .tv_sec = 3600 };

	while (!atomic_load(&is_over))
		nanosleep(&time, NULL);
	return unused;
}

static void *compute(void *unused)
{
	volatile unsigned number = 1;

	atomic_fetch_add(&running, 1);
	while (!atomic_load_explicit(&is_over, memory_order_relaxed))
		number = number * 3 + 1;
	return unused;
}

/* Sends signals until the counter has that value. */
static bool send_until(pthread_t thread, atomic_int *counter, int wanted)
{
	const struct timespec pause = { .tv_nsec = MILLISECOND };
	int64_t end = now_ticks() + PATIENCE * SECOND;

	while (atomic_load(counter) < wanted && now_ticks() < end) {
		pthread_kill(thread, SIGUSR1);
		nanosleep(&pause, NULL);
	}
	return atomic_load(counter) >= wanted;
}

static pthread_t start(void *(*what)(void *))
{
	pthread_t thread;

	handle(judge);
	cr_assert_eq(pipe(pipe_of), 0);
	cr_assert_eq(pthread_create(&thread, NULL, what, NULL), 0);
	return thread;
}

Test(machine, is_blocked_in_a_call_that_is_made_again)
{
	pthread_t thread = start(read_pipe);

	if (!is_known)
		cr_skip_test("not this processor");
	cr_expect(send_until(thread, &blocked, 5));
	cr_assert_eq(write(pipe_of[1], "x", 1), 1);
	pthread_join(thread, NULL);
}

Test(machine, is_blocked_in_a_call_that_is_given_up)
{
	pthread_t thread = start(sleep_long);

	if (!is_known)
		cr_skip_test("not this processor");
	cr_expect(send_until(thread, &blocked, 5));
	atomic_store(&is_over, true);
	while (pthread_tryjoin_np(thread, NULL) != 0)
		pthread_kill(thread, SIGUSR1);
}

Test(machine, is_not_blocked_while_it_computes)
{
	pthread_t thread = start(compute);

	while (!atomic_load(&running))
		continue;
	cr_expect(send_until(thread, &running, 20));
	cr_expect_eq(atomic_load(&blocked), 0);
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
}

static struct machine above, beneath;

static void see_beneath(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	above = machine_of(context);
	beneath = machine_of(machine_beneath(context));
}

/* Both signals are let in at once: the system begins with the handler of SIGUSR1. */
Test(machine, finds_what_a_handler_has_interrupted_that_has_not_begun)
{
	struct sigaction action = { .sa_sigaction = see_beneath,
				    .sa_flags = SA_SIGINFO };
	sigset_t both;

#ifndef __x86_64__
	cr_skip_test("not this processor");
#endif
	handle(see);
	cr_assert_eq(sigaction(SIGUSR2, &action, NULL), 0);
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	sigprocmask(SIG_BLOCK, &both, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	sigprocmask(SIG_UNBLOCK, &both, NULL);
	if (above.pc != (uintptr_t)see)
		cr_skip_test("the system calls handlers in another order");
	cr_expect_eq(beneath.pc, seen.pc);
	cr_expect_eq(beneath.sp, seen.sp);
}

Test(machine, finds_the_thread_itself_beneath_a_handler)
{
	struct sigaction action = { .sa_sigaction = see_beneath,
				    .sa_flags = SA_SIGINFO };

	cr_assert_eq(sigaction(SIGUSR2, &action, NULL), 0);
	raise(SIGUSR2);
	cr_expect_eq(beneath.pc, above.pc);
	cr_expect_eq(beneath.sp, above.sp);
}

/* There is no address in front of it, and none at the end of the stack. */
Test(machine, finds_nothing_beneath_a_context_that_is_a_copy)
{
	static struct {
		uintptr_t none;
		ucontext_t context;
	} copy;
	static uintptr_t stack[2];
	struct machine machine = { .sp = (uintptr_t)stack };

	machine_set(&copy.context, &machine);
	cr_expect_eq(machine_beneath(&copy.context), &copy.context);
}
