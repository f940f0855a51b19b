/*
 * engine.h - the recorder in this JVM, with all that its events need: opened, made to
 * hear what the JVM tells, stopped, and closed again.
 *
 * On the thread that has the agent for itself (life.c).
 */
#ifndef AGENT_ENGINE_H
#define AGENT_ENGINE_H

#include "agent/agent.h"

/* By the agent's orders. ERR_USAGE, ERR_SYSTEM, and then there is nothing to close. */
bool engine_open(struct agent *agent, struct err *err);

/*
 * What the engine needs of the JVM is asked for, and what settings of the orders take that
 * can be had early only. What later recordings take, their observers ask for. ERR_USAGE: a
 * setting that cannot be.
 */
bool engine_want(struct agent *agent, const struct orders *orders, struct err *err);

/* Events that the engine itself needs; observers enable others. ERR_SYSTEM. */
bool engine_hear(struct agent *agent, struct err *err);

/* No event is enabled any more. */
void engine_hear_nothing(struct agent *agent);

/* All that lives gets to be known. The JVM is up. */
void engine_meet(struct agent *agent, JNIEnv *jni);

/* As recorder_begin. */
bool engine_begin(struct agent *agent, struct orders *orders, uint64_t *id,
		  struct buf *notes, struct err *err);

/* No recording goes on, and no thread of ours. False: the flusher is stuck. */
bool engine_stop(struct agent *agent);

/*
 * After that, where no event is heard and nobody finds the agent any more: waits for those
 * who did, and all goes, also what the JVM has of it. False: some thread is still inside,
 * and all stays. What is left in the repository stays, too.
 */
bool engine_close(struct agent *agent, JNIEnv *jni);

/*
 * What a recording that failed could not write goes with us, if it is in memory. In a
 * file others find it (salvage.h): then its repository is to stay.
 */
bool engine_is_for_others(const struct agent *agent);

/* The engine has ended too early: a parent is told. `agent` is a struct agent. */
void engine_failed(void *agent, const char *text);

#endif
