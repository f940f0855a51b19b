/*
 * control.h - the thread on which an agent listens, and does what it is asked (control/
 * request.h): one after the other.
 *
 * A daemon thread of the JVM ("cjfr control"), as retransforming needs one; it must be gone
 * before the JVM ends, and never holds that up. It listens in `folder`, which is locked as
 * long as the agent is there. Only the same user and root are heard; who says nothing
 * for 10 seconds is not heard any more; others wait meanwhile.
 *
 * It knows no recorder: what a request does is in its table of verbs, in
 * agent/requests.c.
 */
#ifndef AGENT_CONTROL_H
#define AGENT_CONTROL_H

#include <stdbool.h>

#include "agent/jvm.h"
#include "base/err.h"

struct agent;

/* Starts to listen; the socket is there when it returns. ERR_SYSTEM. */
bool control_start(struct agent *agent, JNIEnv *jni, const char *folder, struct err *err);

/* It hears nobody any more, and the socket is gone. Not on its own thread. Waits at most so many nanoseconds;
 * false: it is still at work. */
bool control_end(struct agent *agent, int64_t patience);

#endif
