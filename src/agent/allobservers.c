#include "agent/allobservers.h"

#include <stddef.h>

#include "host/hostobservers.h"

const struct observer *const all_observers[] = {
	&jvminfo_observer,
	&operatingsystem_observer,
	&processor_observer,
	&load_observer,
	&threadload_observer,
	&memory_observer,
	&processes_observer,
	&libraries_observer,
	&properties_observer,
	&environment_observer,
	&javathreads_observer,
	&threadstatistics_observer,
	&classstatistics_observer,
	&gc_observer,
	&gcconfiguration_observer,
	&threaddump_observer,
	&sampler_observer,
	&methodtiming_observer,
	NULL,
};
