#include <criterion/criterion.h>
#include <pthread.h>

#include "sampler/before.h"

static int heard;
static siginfo_t *heard_info;
static void *heard_context;
static bool was_blocked;

static bool is_blocked(int signal)
{
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	return sigismember(&mask, signal);
}

static void hear(int signal, siginfo_t *info, void *context)
{
	heard += signal == SIGPROF;
	heard_info = info;
	heard_context = context;
	was_blocked = is_blocked(SIGUSR1);
}

static void hear_plainly(int signal)
{
	heard += signal == SIGPROF;
}

static siginfo_t info;
static int place;

static bool call(struct before *before)
{
	return before_call(before, SIGPROF, &info, &place);
}

static struct before full(int flags)
{
	struct before before = {
		.action.sa_sigaction = hear,
		.action.sa_flags = SA_SIGINFO | flags,
	};

	sigaddset(&before.action.sa_mask, SIGUSR1);
	return before;
}

Test(before, is_called)
{
	struct before before = full(0);

	cr_expect(call(&before));
	cr_expect(call(&before));
	cr_expect_eq(heard, 2);
	cr_expect_eq(heard_info, &info);
	cr_expect_eq(heard_context, &place);
}

Test(before, may_be_a_plain_handler)
{
	struct before before = { .action.sa_handler = hear_plainly };

	cr_expect(call(&before));
	cr_expect_eq(heard, 1);
}

Test(before, may_be_none)
{
	struct before before = { .action.sa_handler = SIG_DFL };

	cr_expect_not(call(&before));
	before.action.sa_handler = SIG_IGN;
	cr_expect_not(call(&before));
}

Test(before, has_its_signals_blocked_while_it_runs)
{
	struct before before = full(0);

	cr_expect(call(&before));
	cr_expect(was_blocked);
	cr_expect_not(is_blocked(SIGUSR1));
	before.is_masked = true;
	cr_expect(call(&before));
	cr_expect_not(was_blocked, "the system has done it, where it is to be done");
}

Test(before, may_be_there_for_one_signal)
{
	struct before before = full(SA_RESETHAND);

	cr_expect(call(&before));
	cr_expect_not(call(&before));
	cr_expect_not(call(&before));
	cr_expect_eq(heard, 1);
}
