#include "sampler/before.h"

static void call(const struct sigaction *action, int signal, siginfo_t *info,
		 void *context)
{
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(signal, info, context);
	else
		action->sa_handler(signal);
}

bool before_call(struct before *before, int signal, siginfo_t *info, void *context)
{
	const struct sigaction *action = &before->action;
	sigset_t mask;

	if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN)
		return false;
	if (action->sa_flags & SA_RESETHAND && atomic_exchange(&before->is_spent, true))
		return false;
	if (before->is_masked) {
		call(action, signal, info, context);
		return true;
	}
	pthread_sigmask(SIG_BLOCK, &action->sa_mask, &mask);
	call(action, signal, info, context);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return true;
}
