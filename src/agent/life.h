/*
 * life.h - the life of the agent.
 *
 *	off ──life_load──> loaded ──life_begin──> live ──life_end──> over
 *	 │                                        │ ^ 
 *	 └──life_attach──> idle ──life_start──────┼─┘
 *	 ^                                        │
 *	 └──life_left── leaving <──life_leave─────┘
 *
 *	life_load	at the JVM's start: orders, capabilities, the recorder; greets
 *			the parent that waits for it
 *	life_begin	the JVM is up: threads are scanned, the recording starts
 *	life_attach	into a JVM that is up: a folder, and a thread that listens there
 *	life_start	a recording, with the engine if there is none yet
 *	life_leave	all recordings end, and all that the agent has goes
 *	life_end	the JVM goes down: recordings are complete
 *
 * None fails for the JVM: what goes wrong is told to the parent, to who asks, or to the
 * log. A callback may come at any time, also after the end, and finds that there is no
 * agent. life_start, life_want and life_leave are the control thread's.
 */
#ifndef AGENT_LIFE_H
#define AGENT_LIFE_H

#include "agent/agent.h"

/* The callbacks are those the JVM gets; none comes before the agent is loaded. */
void life_load(JavaVM *vm, const char *options,
	       const struct compat_callbacks *callbacks);
void life_begin(JNIEnv *jni);
void life_end(JNIEnv *jni);

/* True if that is what the options say; gives what doorcode.h has. */
bool life_attach(JavaVM *vm, const char *options,
		 const struct compat_callbacks *callbacks, int *code);

/*
 * The agent, if it is loaded, and neither it nor the JVM is gone by now; else NULL. Who
 * uses it is inside (inside.h).
 */
struct agent *life_agent(void);

/* True if there is an engine, which may be over. */
bool life_has_engine(const struct agent *agent);

/* As recorder_begin; orders are taken over in any case. */
bool life_start(struct agent *agent, JNIEnv *jni, struct orders *orders, uint64_t *id,
		struct buf *notes, struct err *err);

/* What settings of the orders need of the JVM is asked for. ERR_USAGE: they cannot be. */
bool life_want(struct agent *agent, const struct orders *orders, struct err *err);

/*
 * Recordings become files; what is told of that goes to `tell`. False: the JVM goes down,
 * which does the same. True: all is gone, but for the thread that this is, which calls
 * life_left when it is gone, too; or what some thread may still use stays.
 */
bool life_leave(struct agent *agent, JNIEnv *jni, settle_tell *tell, void *context,
		struct err *err);
void life_left(struct agent *agent);

/* In a process that was forked off there is no agent. Async-signal-safe. */
void life_forget(void);

#endif
