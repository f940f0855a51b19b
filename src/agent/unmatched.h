/*
 * unmatched.h - filters that selected no method, told with what may have been meant.
 */
#ifndef AGENT_UNMATCHED_H
#define AGENT_UNMATCHED_H

#include "agent/jvm.h"

struct agent;

/* A warning for each. At the recording's end, before the JVM's. */
void unmatched_tell(struct agent *agent, JNIEnv *jni);

#endif
