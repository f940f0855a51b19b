#include "agent/agent.h"
#include "agent/allobservers.h"

static int64_t sum_of(const struct perfdata *perf, const char *one, const char *other)
{
	return perfdata_read(perfdata_counter(perf, one)) +
	       perfdata_read(perfdata_counter(perf, other));
}

/* Without counters nothing is known of classes that are gone, and nothing is said. */
static void tell_classes(struct recorder *recorder, struct batch *batch)
{
	const struct perfdata *perf = &agent_of(recorder)->jvm.hotspot.perf;

	if (!perfdata_counter(perf, "java.cls.loadedClasses"))
		return;
	batch_begin(batch, EVENT_CLASS_LOADING_STATISTICS);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, sum_of(perf, "java.cls.loadedClasses",
					"java.cls.sharedLoadedClasses"));
	encode_long(&batch->buf, sum_of(perf, "java.cls.unloadedClasses",
					"java.cls.sharedUnloadedClasses"));
	batch_end(batch);
}

const struct observer classstatistics_observer = {
	.name = "statistics of classes",
	.periodic = (const struct periodic[]){
		{ EVENT_CLASS_LOADING_STATISTICS, tell_classes },
		{ 0 },
	},
};
