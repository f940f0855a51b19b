/*
 * threadload.h - ThreadCPULoad: how much of the processors each thread of Java had.
 */
#ifndef AGENT_THREADLOAD_H
#define AGENT_THREADLOAD_H

#include "agent/agent.h"

/* The calling thread starts: it may have had some in another life. */
void threadload_first(struct agent *agent, const struct thread *self, int64_t now);

/* The calling thread ends: what it had since it was last told. */
void threadload_last(struct agent *agent, const struct thread *self);

#endif
