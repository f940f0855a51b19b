/*
 * sources.h - all sources of events: those of the JVM, and those of the system.
 *
 * To add one: a file with a struct source, its name here, a row in the table.
 */
#ifndef AGENT_SOURCES_H
#define AGENT_SOURCES_H

#include "engine/source.h"

/* Ends with NULL. */
extern const struct source *const sources[];

/* Of this folder. */
extern const struct source source_class_loading;	/* ClassLoadingStatistics */
extern const struct source source_gc;			/* GarbageCollection and so on */
extern const struct source source_gc_configuration;	/* GCConfiguration, GCHeap... */
extern const struct source source_jvm;			/* JVMInformation */
extern const struct source source_properties;		/* InitialSystemProperty */
extern const struct source source_thread_dump;		/* ThreadDump */
extern const struct source source_thread_load;		/* ThreadCPULoad */
extern const struct source source_thread_statistics;	/* JavaThreadStatistics */
extern const struct source source_threads;		/* ThreadStart, ThreadEnd ... */

#endif
