/*
 * life.h - the life of the agent.
 *
 *	off ──life_load──> loaded ──life_begin──> live ──life_end──> ending ──> over
 *	 │                                        │ ^                   ^
 *	 └──life_attach──> idle ──life_start── opening                  │
 *	 ^                  ^ │                   │                     │
 *	 │                  │ └───────────────────┼──────life_end───────┤
 *	 │                  └──life_rest── closing┤                     │
 *	 │                                        │                     │
 *	 └──life_left── leaving <──life_leave─────┴── closing ──> stuck ┘
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
 * agent. life_start, life_rest and life_leave are the control thread's.
 */
#ifndef AGENT_LIFE_H
#define AGENT_LIFE_H

#include "agent/agent.h"
#include "agent/settle.h"

/* By whom the agent is called: the JVM, and its own thread that listens. They stay. */
struct life_doors {
	const struct compat_callbacks *callbacks;
	const struct control_calls *calls;
};

void life_load(JavaVM *vm, const char *options, const struct life_doors *doors);
void life_begin(JNIEnv *jni);
void life_end(JNIEnv *jni);

/* True if that is what the options say; gives what doorcode.h has. */
bool life_attach(JavaVM *vm, const char *options, const struct life_doors *doors,
		 int *code);

/* As recorder_begin; orders are taken over in any case. */
bool life_start(struct agent *agent, JNIEnv *jni, struct orders *orders, uint64_t *id,
		struct buf *notes, struct err *err);

/*
 * If there is no recording any more, the engine is closed, until the next: then nothing of
 * it burdens the JVM. One that was launched lives in a folder of its own from then on.
 */
void life_rest(struct agent *agent, JNIEnv *jni);

/*
 * Recordings become files; what is told of that goes to `tell`. False: the JVM goes down,
 * which does the same. True: all is gone, but for the thread that this is, which calls
 * life_left when it is gone, too; or what some thread may still use stays.
 */
bool life_leave(struct agent *agent, JNIEnv *jni, settle_tell *tell, void *context,
		struct err *err);
void life_left(struct agent *agent);

#endif
