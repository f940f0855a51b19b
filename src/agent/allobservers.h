/*
 * allobservers.h - all observers: those of the JVM, and those of the system.
 *
 * To add one: a file with a struct observer, named after the file; its name here, a
 * row in the table. Three make events without a row: engine/self, for each chunk,
 * shutdown, and methodtrace.
 */
#ifndef AGENT_ALLOBSERVERS_H
#define AGENT_ALLOBSERVERS_H

#include "engine/observer.h"

/* Ends with NULL. */
extern const struct observer *const all_observers[];

/* Of this folder. */
extern const struct observer classstatistics_observer;	/* ClassLoadingStatistics */
extern const struct observer gc_observer;		/* GarbageCollection ... */
extern const struct observer gcconfiguration_observer;	/* GCConfiguration ... */
extern const struct observer javathreads_observer;	/* ThreadStart, ThreadEnd ... */
extern const struct observer jvminfo_observer;		/* JVMInformation */
extern const struct observer methodtiming_observer;	/* MethodTiming ... */
extern const struct observer properties_observer;	/* InitialSystemProperty */
extern const struct observer sampler_observer;		/* ExecutionSample ... */
extern const struct observer threaddump_observer;	/* ThreadDump */
extern const struct observer threadload_observer;	/* ThreadCPULoad */
extern const struct observer threadstatistics_observer;	/* JavaThreadStatistics */

#endif
