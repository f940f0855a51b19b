#include "agent/sources.h"

#include <stddef.h>

#include "host/sources.h"

const struct source *const sources[] = {
	&jvm_source,
	&operatingsystem_source,
	&processor_source,
	&load_source,
	&thread_load_source,
	&memory_source,
	&processes_source,
	&libraries_source,
	&properties_source,
	&environment_source,
	&threads_source,
	&thread_statistics_source,
	&class_loading_source,
	&gc_source,
	&gc_configuration_source,
	&thread_dump_source,
	NULL,
};
