/*
 * sampler.h - the observer of what threads execute: samples, and how sampling goes.
 *
 * It ties the JVM-free sampler (sampler/pulse.h) to this JVM: which threads are sampled
 * (sampled.h), what the JVM has to be told so that stacks can be walked, and what it
 * cost. It works while one of jdk.ExecutionSample and jdk.NativeMethodSample is wanted
 * by a period; the shorter one is that of its timers.
 *
 * What follows does nothing while there is no sampling. Threads and classes are told of
 * in callbacks of JVMTI.
 */
#ifndef AGENT_SAMPLER_H
#define AGENT_SAMPLER_H

#include "agent/agent.h"

/* A thread of Java's that has a record; the calling one. */
void sampler_thread_started(JNIEnv *jni, jthread thread, const struct thread *self);

/* A thread that had a record is gone, or is about to go; the record is gone. */
void sampler_thread_ended(pid_t tid, uint64_t key);

/*
 * The JVM goes down: no tick is answered any more, and no thread has a timer, nor when the
 * observer starts later, or is just starting: then from the end of that on. Any thread; may
 * be called again. The observer's stop still tells what the sampler did.
 */
void sampler_halt(struct agent *agent);

/*
 * After it has stopped, or halted, and before the store is closed: what is left of it goes;
 * it can be started by another agent. False: a handler still uses it, and the store.
 */
bool sampler_let_go(void);

/* A class is ready: its methods get their numbers now, and maybe their names. */
void sampler_class_prepared(struct agent *agent, JNIEnv *jni, jclass type);

/* For who asks how it goes: nanoseconds between samples; 0: there are none now. */
int64_t sampler_interval(const struct agent *agent);

/* CPU time that threads of the JVM spent in the handler so far: nanoseconds. */
int64_t sampler_handler_time(void);

#endif
