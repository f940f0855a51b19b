/*
 * methodtrace.h - calls of traced methods, each an event.
 */
#ifndef AGENT_METHODTRACE_H
#define AGENT_METHODTRACE_H

#include <jni.h>
#include <stdint.h>

#include "agent/agent.h"

/* Before there are probes that trace: stacks will be asked for. */
void methodtrace_begin(struct agent *agent);

/*
 * A traced call that took as long as the threshold ends: struct runtime_calls. A call that
 * ends while such an event is being made is ours, and makes none.
 */
void methodtrace_traced(JNIEnv *jni, int64_t start, int64_t end, uint32_t id,
			int64_t java_tid);

/* The number of a method may be given to another one from now on. Any thread. */
void methodtrace_forget(void);

#endif
