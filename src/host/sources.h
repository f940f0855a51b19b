/*
 * sources.h - the events that need no JVM: rows for the agent's table of sources.
 *
 * What cannot be found out is not told. Values of variables and command lines are told
 * without their secrets (host/secret.h), unless the orders want them.
 */
#ifndef HOST_SOURCES_H
#define HOST_SOURCES_H

#include "engine/source.h"

extern const struct source operatingsystem_source;	/* OSInformation */
extern const struct source processor_source;		/* CPUInformation */
extern const struct source load_source;			/* CPULoad */
extern const struct source memory_source;		/* PhysicalMemory */
extern const struct source processes_source;		/* SystemProcess */
extern const struct source libraries_source;		/* NativeLibrary */
extern const struct source environment_source;		/* InitialEnvironmentVariable */

#endif
