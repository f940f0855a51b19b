/*
 * gc.h - GarbageCollection, YoungGarbageCollection, OldGarbageCollection, GCPhasePause,
 * GCHeapSummary: each pause that the JVM tells of, with what its counters say of it.
 */
#ifndef AGENT_GC_H
#define AGENT_GC_H

#include "agent/agent.h"

/* While all threads stand still. */
void gc_started(struct agent *agent);
void gc_finished(struct agent *agent);

/* On the flusher's thread, or that which ends the recording: events of what was seen. */
void gc_hand_over(struct agent *agent);

#endif
