#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sampler/guard.h"

#define PAGE ((size_t)4096)

/* A page that is not there, and one of a file that ends before it. */
static char *nothing, *behind_end;

static void map_pages(void)
{
	FILE *file = tmpfile();

	cr_assert_not_null(file);
	nothing = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	behind_end = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fileno(file), 0);
	cr_assert(nothing != MAP_FAILED && behind_end != MAP_FAILED);
	fclose(file);
}

TestSuite(guard, .init = map_pages);

static void count(void *context)
{
	++*(int *)context;
}

static void touch(void *context)
{
	*(volatile char *)context;
}

static bool is_blocked(int signal)
{
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	return sigismember(&mask, signal);
}

static void install(void)
{
	struct err err = { 0 };

	cr_assert(guard_install(&err), "%s", err.text);
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = flags };

	sigfillset(&action.sa_mask);
	cr_assert_eq(sigaction(signal, &action, NULL), 0);
}

Test(guard, calls)
{
	int calls = 0;

	cr_expect(guard_call(count, &calls), "without being installed, too");
	install();
	cr_expect(guard_call(count, &calls));
	cr_expect_eq(calls, 2);
}

Test(guard, ends_a_call_that_touches_what_is_not_there)
{
	int calls = 0;

	install();
	for (int i = 0; i < 1000; i++) {
		cr_assert_not(guard_call(touch, nothing));
		cr_assert_not(guard_call(touch, behind_end));
	}
	cr_expect(guard_call(count, &calls));
}

/* The handler before had all others blocked, as HotSpot's has. */
static void never(int signal, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	cr_assert(false, "signal %d came", signal);
}

Test(guard, leaves_the_signals_that_are_blocked_as_they_were)
{
	sigset_t mask;

	handle(SIGSEGV, never, SA_SIGINFO);
	install();
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	cr_assert_not(guard_call(touch, nothing));
	cr_expect(is_blocked(SIGUSR2));
	cr_expect_not(is_blocked(SIGSEGV));
	cr_expect_not(is_blocked(SIGBUS));
	cr_expect_not(is_blocked(SIGUSR1));
}

Test(guard, keeps_flags_and_mask_of_the_handler_before)
{
	struct sigaction action;

	handle(SIGSEGV, never, SA_SIGINFO | SA_RESTART);
	install();
	cr_assert_eq(sigaction(SIGSEGV, NULL, &action), 0);
	cr_expect_neq(action.sa_sigaction, never);
	cr_expect(action.sa_flags & SA_SIGINFO && action.sa_flags & SA_RESTART);
	cr_expect_not(action.sa_flags & (SA_ONSTACK | SA_NODEFER));
	cr_expect(sigismember(&action.sa_mask, SIGUSR1));
}

/* In a handler, of which the thread had blocked faults, and all else. */
static volatile int faults_in_handler;

static void fault_twice(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	guard_let_in(context);
	for (int i = 0; i < 2; i++)
		faults_in_handler += !guard_call(touch, nothing);
}

Test(guard, works_in_signal_handlers)
{
	struct sigaction action = { .sa_sigaction = fault_twice,
				    .sa_flags = SA_SIGINFO };
	sigset_t mask;

	install();
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 10; i++)
		raise(SIGUSR1);
	cr_expect_eq(faults_in_handler, 20);
	sigfillset(&mask);
	sigdelset(&mask, SIGUSR1);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	for (int i = 0; i < 10; i++)
		raise(SIGUSR1);
	cr_expect_eq(faults_in_handler, 40);
	cr_expect(is_blocked(SIGSEGV), "again");
}

static void *fault_often(void *unused)
{
	(void)unused;
	for (int i = 0; i < 10000; i++) {
		int calls = 0;

		if (guard_call(touch, nothing) || !guard_call(count, &calls) || !calls)
			return unused;
	}
	return (void *)1;
}

Test(guard, is_each_threads_own)
{
	pthread_t threads[8];
	void *is_good;

	install();
	for (int i = 0; i < 8; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, fault_often, NULL), 0);
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], &is_good);
		cr_expect_not_null(is_good);
	}
}

/* --- who had the signals before ----------------------------------------------- */

static volatile int mended, heard;

static void mend(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (signal == SIGSEGV && info->si_code > 0 && info->si_addr == nothing)
		mprotect(nothing, PAGE, PROT_READ);
	mended++;
}

static void mend_plainly(int signal)
{
	mprotect(nothing, PAGE, PROT_READ);
	mended += signal == SIGSEGV;
}

Test(guard, passes_on_faults_of_others)
{
	handle(SIGSEGV, mend, SA_SIGINFO);
	install();
	install();
	cr_assert_not(guard_call(touch, nothing));
	cr_expect_eq(mended, 0);
	touch(nothing);
	cr_expect_eq(mended, 1);
	cr_expect(guard_call(touch, nothing));
}

Test(guard, passes_on_to_plain_handlers)
{
	cr_assert_neq(signal(SIGSEGV, mend_plainly), SIG_ERR);
	install();
	touch(nothing);
	cr_expect_eq(mended, 1);
}

static void hear(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	heard += info->si_code <= 0;
}

static void raise_fault(void *context)
{
	(void)context;
	raise(SIGSEGV);
	raise(SIGBUS);
}

Test(guard, passes_on_what_is_sent)
{
	handle(SIGSEGV, hear, SA_SIGINFO);
	handle(SIGBUS, hear, SA_SIGINFO);
	install();
	cr_expect(guard_call(raise_fault, NULL), "no fault");
	cr_expect_eq(heard, 2);
}

/* What kills a process in which those have the signal; 0: nothing did. */
static int killer(void (*before)(int), bool is_sent)
{
	struct rlimit no_core = { 0, 0 };
	pid_t child = fork();
	int status;

	cr_assert_geq(child, 0);
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &no_core);
		signal(SIGSEGV, before);
		if (!guard_install(NULL))
			_exit(1);
		if (is_sent)
			raise(SIGSEGV);
		else
			touch(nothing);
		_exit(0);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

Test(guard, lets_the_system_do_what_it_did_before, .timeout = 60)
{
	cr_expect_eq(killer(SIG_DFL, false), SIGSEGV);
	cr_expect_eq(killer(SIG_DFL, true), SIGSEGV);
	cr_expect_eq(killer(SIG_IGN, false), SIGSEGV);
	cr_expect_eq(killer(SIG_IGN, true), 0);
}

/* A handler that is there for one signal only: the next one kills. */
Test(guard, lets_a_handler_go_that_was_there_for_once, .signal = SIGSEGV)
{
	struct rlimit no_core = { 0, 0 };

	setrlimit(RLIMIT_CORE, &no_core);
	handle(SIGSEGV, mend, SA_SIGINFO | SA_RESETHAND);
	install();
	touch(nothing);
	cr_assert_eq(mended, 1);
	cr_assert_not(guard_call(touch, behind_end));
	raise(SIGSEGV);
	cr_assert(false, "it lives on");
}
