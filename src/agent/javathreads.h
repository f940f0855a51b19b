/*
 * javathreads.h - ThreadStart, ThreadEnd, VirtualThreadStart, VirtualThreadEnd.
 *
 * Called on the thread that starts or ends, which JVMTI tells us of: who started it, and
 * where, is not seen.
 */
#ifndef AGENT_JAVATHREADS_H
#define AGENT_JAVATHREADS_H

#include "agent/agent.h"

void javathreads_started(struct agent *agent, JNIEnv *jni, jthread thread);
void javathreads_ended(struct agent *agent, JNIEnv *jni, jthread thread);
void javathreads_virtual(struct agent *agent, JNIEnv *jni, jthread thread,
			 enum event_id event);

#endif
