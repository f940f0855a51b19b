/*
 * shutdown.h - Shutdown: the JVM ends, and why.
 */
#ifndef AGENT_SHUTDOWN_H
#define AGENT_SHUTDOWN_H

#include "agent/agent.h"

/* On the thread that ends the JVM. */
void shutdown_tell(struct agent *agent, JNIEnv *jni);

#endif
