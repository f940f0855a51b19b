/*
 * orphans.h - classes whose methods have numbers, between an agent that leaves the JVM and
 * the next.
 *
 * A call that began with a probe ends with it, also when nobody listens any more: its
 * number must not become another method's. So what is known of classes with numbers stays,
 * with weak references instead of keys, which are an agent's own; the next agent gives
 * them keys of its own. Numbers of classes that are gone by then are free.
 */
#ifndef AGENT_ORPHANS_H
#define AGENT_ORPHANS_H

#include "agent/agent.h"

/* The agent's table is nobody's from now on. */
void orphans_leave(struct agent *agent, JNIEnv *jni);

/*
 * The table that was left, with the keys that the agent gives. NULL: none was. Before
 * anything is timed.
 */
struct probed *orphans_adopt(struct agent *agent, JNIEnv *jni);

#endif
