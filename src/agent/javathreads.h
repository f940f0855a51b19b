/*
 * javathreads.h - ThreadStart, ThreadEnd, VirtualThreadStart, VirtualThreadEnd.
 *
 * Called on the thread that starts or ends, which JVMTI tells us of. Who started it,
 * and where, is seen by javathreads_starting: it stands before the JVM's own function
 * behind Thread.start, if the agent was there before the JVM bound that.
 *
 * Events that are not wanted are not told, nor those of the recorder's own thread; what
 * finds no room is lost, and counted. The records of threads are kept in any case.
 */
#ifndef AGENT_JAVATHREADS_H
#define AGENT_JAVATHREADS_H

#include "agent/agent.h"

/* The JVM's function that starts a thread of Java; NULL: it has none that we know. */
const void *javathreads_starter(void);

/*
 * The calling thread is about to start another. Gives the number of that, if what was
 * noted for it has to be forgotten (starts_take) should the start fail; else 0.
 */
int64_t javathreads_starting(struct agent *agent, JNIEnv *jni, jthread thread);

/* The calling thread, which has JNI and is alive, in the callbacks of JVMTI. */
void javathreads_started(struct agent *agent, JNIEnv *jni, jthread thread);
void javathreads_ended(struct agent *agent, JNIEnv *jni, jthread thread);

/* The calling carrier's virtual thread: EVENT_VIRTUAL_THREAD_START, _END. */
void javathreads_virtual(struct agent *agent, JNIEnv *jni, jthread thread,
			 enum event_id event);

#endif
