/*
 * life.h - the life of the agent.
 *
 *	life_load	at the JVM's start: orders, capabilities, the recorder; greets
 *			the parent that waits for it
 *	life_begin	the JVM is up: threads are scanned, the recording starts
 *	life_end	the JVM goes down: the recording is complete
 *
 * None fails for the JVM: what goes wrong is told to the parent, or to the log. A
 * callback may come at any time, also after life_end, and finds everything where it
 * was.
 */
#ifndef AGENT_LIFE_H
#define AGENT_LIFE_H

#include "agent/agent.h"

/* The callbacks are those the JVM gets; none comes before the agent is loaded. */
void life_load(JavaVM *vm, const char *options,
	       const struct compat_callbacks *callbacks);
void life_begin(JNIEnv *jni);
void life_end(JNIEnv *jni);

/* The agent, if it is loaded and the JVM does not go down yet; else NULL. */
struct agent *life_agent(void);

#endif
