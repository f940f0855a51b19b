#include "agent/observers.h"

#include <stddef.h>

#include "host/observers.h"

const struct observer *const observers[] = {
	&jvm_observer,
	&operatingsystem_observer,
	&processor_observer,
	&load_observer,
	&thread_load_observer,
	&memory_observer,
	&processes_observer,
	&libraries_observer,
	&properties_observer,
	&environment_observer,
	&threads_observer,
	&thread_statistics_observer,
	&class_loading_observer,
	&gc_observer,
	&gc_configuration_observer,
	&thread_dump_observer,
	NULL,
};
