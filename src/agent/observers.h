/*
 * observers.h - all observers: those of the JVM, and those of the system.
 *
 * To add one: a file with a struct observer, its name here, a row in the table.
 */
#ifndef AGENT_OBSERVERS_H
#define AGENT_OBSERVERS_H

#include "engine/observer.h"

/* Ends with NULL. */
extern const struct observer *const observers[];

/* Of this folder. */
extern const struct observer class_loading_observer;	/* ClassLoadingStatistics */
extern const struct observer gc_observer;		/* GarbageCollection and so on */
extern const struct observer gc_configuration_observer;	/* GCConfiguration, GCHeap... */
extern const struct observer jvm_observer;		/* JVMInformation */
extern const struct observer properties_observer;	/* InitialSystemProperty */
extern const struct observer thread_dump_observer;	/* ThreadDump */
extern const struct observer thread_load_observer;	/* ThreadCPULoad */
extern const struct observer thread_statistics_observer; /* JavaThreadStatistics */
extern const struct observer threads_observer;		/* ThreadStart, ThreadEnd ... */

#endif
