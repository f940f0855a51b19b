/*
 * before.h - the handler that had a signal before ours.
 */
#ifndef SAMPLER_BEFORE_H
#define SAMPLER_BEFORE_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct before {
	struct sigaction action;
	bool is_masked;			/* ours blocks all that it wants blocked */
	atomic_bool is_spent;		/* it was there for one signal only */
};

/*
 * Calls it as the system would have. False: there is none, or none any more
 * (SIG_DFL), or it is SIG_IGN. Async-signal-safe.
 */
bool before_call(struct before *before, int signal, siginfo_t *info, void *context);

#endif
