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
extern const struct source class_loading_source;	/* ClassLoadingStatistics */
extern const struct source gc_source;			/* GarbageCollection and so on */
extern const struct source gc_configuration_source;	/* GCConfiguration, GCHeap... */
extern const struct source jvm_source;			/* JVMInformation */
extern const struct source properties_source;		/* InitialSystemProperty */
extern const struct source thread_dump_source;		/* ThreadDump */
extern const struct source thread_load_source;		/* ThreadCPULoad */
extern const struct source thread_statistics_source;	/* JavaThreadStatistics */
extern const struct source threads_source;		/* ThreadStart, ThreadEnd ... */

#endif
