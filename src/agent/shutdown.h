/*
 * shutdown.h - Shutdown: the JVM ends, and why.
 *
 * No observer: it comes before they stop. Told if it is wanted and recording is on; if
 * there is no room it is lost, and counted.
 */
#ifndef AGENT_SHUTDOWN_H
#define AGENT_SHUTDOWN_H

#include "agent/agent.h"

/* On the thread that ends the JVM, in VMDeath. */
void shutdown_tell(struct agent *agent, JNIEnv *jni);

#endif
