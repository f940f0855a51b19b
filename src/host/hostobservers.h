/*
 * hostobservers.h - the events that need no JVM: rows for the agent's table.
 *
 * What cannot be found out is not told. Values of variables and command lines are told
 * without their secrets (host/secret.h), unless the orders want them.
 */
#ifndef HOST_HOSTOBSERVERS_H
#define HOST_HOSTOBSERVERS_H

#include "engine/observer.h"

extern const struct observer operatingsystem_observer;	/* OSInformation */
extern const struct observer processor_observer;	/* CPUInformation */
extern const struct observer load_observer;		/* CPULoad */
extern const struct observer memory_observer;		/* PhysicalMemory */
extern const struct observer processes_observer;	/* SystemProcess */
extern const struct observer libraries_observer;	/* NativeLibrary */
extern const struct observer environment_observer;	/* InitialEnvironmentVariable */

#endif
