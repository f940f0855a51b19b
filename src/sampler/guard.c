#include "sampler/guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <ucontext.h>

#include "sampler/before.h"

/* Where the guarded call of this thread goes when it fails; NULL: there is none. */
static __thread sigjmp_buf *volatile landing;

/* The signals, and who had them before. */
static struct fault {
	int signal;
	struct before before;
} faults[] = {
	{ .signal = SIGSEGV },
	{ .signal = SIGBUS },
};

#define FAULTS (sizeof(faults) / sizeof(faults[0]))

static atomic_bool is_installed;

/*
 * The system ends the process, as it would have without us: a fault when the
 * instruction is tried again, a signal that was sent when it is let in again.
 */
static void end_by(int signal, bool is_sent)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };

	sigaction(signal, &action, NULL);
	if (is_sent)
		raise(signal);
}

static void pass_on(struct fault *fault, siginfo_t *info, void *context)
{
	bool is_sent = info->si_code <= 0;

	if (before_call(&fault->before, fault->signal, info, context) ||
	    (fault->before.action.sa_handler == SIG_IGN && is_sent))
		return;
	end_by(fault->signal, is_sent);
}

/* Signals are blocked again as they were when the fault happened. */
static void on_fault(int signal, siginfo_t *info, void *context)
{
	sigjmp_buf *target = landing;

	if (target && info->si_code > 0) {
		landing = NULL;
		pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask,
				NULL);
		siglongjmp(*target, 1);
	}
	for (size_t i = 0; i < FAULTS; i++) {
		if (faults[i].signal == signal)
			pass_on(&faults[i], info, context);
	}
}

/* Flags and mask stay: the handler before may count on them. */
static bool install(struct fault *fault, struct err *err)
{
	struct sigaction action;

	if (sigaction(fault->signal, NULL, &action) != 0)
		return err_system(err, "cannot look at the handler of signal %d",
				  fault->signal);
	if (action.sa_sigaction == on_fault)
		return true;
	fault->before.action = action;
	fault->before.is_masked = true;
	action.sa_flags |= SA_SIGINFO;
	action.sa_flags &= ~(int)SA_RESETHAND;
	action.sa_sigaction = on_fault;
	if (sigaction(fault->signal, &action, NULL) != 0)
		return err_system(err, "cannot handle signal %d", fault->signal);
	return true;
}

bool guard_install(struct err *err)
{
	if (atomic_exchange(&is_installed, true))
		return true;
	for (size_t i = 0; i < FAULTS; i++) {
		if (!install(&faults[i], err)) {
			atomic_store(&is_installed, false);
			return false;
		}
	}
	return true;
}

bool guard_call(void (*what)(void *context), void *context)
{
	sigjmp_buf here;

	if (sigsetjmp(here, 0) != 0)
		return false;
	landing = &here;
	atomic_signal_fence(memory_order_seq_cst);
	what(context);
	atomic_signal_fence(memory_order_seq_cst);
	landing = NULL;
	return true;
}

void guard_let_in(const void *context)
{
	const sigset_t *blocked = &((const ucontext_t *)context)->uc_sigmask;
	bool is_any = false;
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < FAULTS; i++) {
		sigaddset(&mask, faults[i].signal);
		is_any = is_any || sigismember(blocked, faults[i].signal);
	}
	if (is_any)
		pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
}
