/*
 * gc.h - GarbageCollection, YoungGarbageCollection, OldGarbageCollection, GCPhasePause,
 * GCHeapSummary: of the pauses that the JVM tells of, with what its counters say of them.
 *
 * What is seen is put down (hotspot/gcmarks.h); later gc_observer makes collections of
 * it (hotspot/gccycles.h), and events of these. The JVM calls these functions while all
 * threads stand still: they take no lock, allocate nothing, and ask nothing of it.
 */
#ifndef AGENT_GC_H
#define AGENT_GC_H

#include "agent/agent.h"

void gc_started(struct agent *agent);
void gc_finished(struct agent *agent);

#endif
