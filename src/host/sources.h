/*
 * sources.h - the events that need no JVM: rows for the agent's table of sources.
 */
#ifndef HOST_SOURCES_H
#define HOST_SOURCES_H

#include "engine/source.h"

extern const struct source source_operating_system;	/* OSInformation */
extern const struct source source_processor;		/* CPUInformation */
extern const struct source source_processor_load;	/* CPULoad */
extern const struct source source_memory;		/* PhysicalMemory */
extern const struct source source_processes;		/* SystemProcess */
extern const struct source source_libraries;		/* NativeLibrary */
extern const struct source source_environment;		/* InitialEnvironmentVariable */

#endif
