/*
 * invain.h - classes of which no method can have a probe, where a filter names one: that
 * is noted, with the reason. The hook leaves such classes alone, so the JVM is asked.
 */
#ifndef AGENT_INVAIN_H
#define AGENT_INVAIN_H

#include "agent/agent.h"

/* A class that is linked; nothing is done with others than those. Runs no code of Java's. */
void invain_note(struct agent *agent, JNIEnv *jni, jclass type);

#endif
