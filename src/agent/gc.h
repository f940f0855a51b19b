/*
 * gc.h - GarbageCollection, YoungGarbageCollection, OldGarbageCollection, GCPhasePause,
 * GCHeapSummary: each pause that the JVM tells of, with what its counters say of it.
 *
 * What is seen is put down (hotspot/gcmarks.h); gc_observer makes events of it later.
 * The JVM calls these while all threads stand still: they take no lock, allocate
 * nothing, and ask nothing of it.
 */
#ifndef AGENT_GC_H
#define AGENT_GC_H

#include "agent/agent.h"

void gc_started(struct agent *agent);
void gc_finished(struct agent *agent);

#endif
