/*
 * guard.h - calls that may read what is not there, and come back all the same.
 *
 * SIGSEGV and SIGBUS go to a handler of ours, which ends a guarded call of that thread;
 * all others are passed to the handler that was there before: the JVM lives on such
 * signals. Installed once, it stays.
 */
#ifndef SAMPLER_GUARD_H
#define SAMPLER_GUARD_H

#include <stdbool.h>

#include "base/err.h"

/* ERR_SYSTEM. May be called again. */
bool guard_install(struct err *err);

/*
 * Calls `what`. False: it touched memory that is not there, and was left at that point;
 * what it holds then is never released. Without guard_install it just calls. The
 * calling thread is in no other guarded call. Async-signal-safe, if `what` is.
 */
bool guard_call(void (*what)(void *context), void *context);

/*
 * For a signal handler, before it makes such calls: lets faults in that the thread had
 * blocked, as the process would be killed by them. `context` is its ucontext_t; when it
 * returns they are blocked again.
 */
void guard_let_in(const void *context);

#endif
