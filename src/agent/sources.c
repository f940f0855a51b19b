#include "agent/sources.h"

#include <stddef.h>

#include "host/sources.h"

const struct source *const sources[] = {
	&source_jvm,
	&source_operating_system,
	&source_processor,
	&source_processor_load,
	&source_thread_load,
	&source_memory,
	&source_processes,
	&source_libraries,
	&source_properties,
	&source_environment,
	&source_threads,
	&source_thread_statistics,
	&source_class_loading,
	&source_gc,
	&source_gc_configuration,
	&source_thread_dump,
	NULL,
};
