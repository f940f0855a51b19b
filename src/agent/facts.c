#include "agent/facts.h"

#include <unistd.h>

#include "agent/instrumenter.h"
#include "agent/phase.h"
#include "agent/sampler.h"
#include "config.h"

static void add_engine(struct agent *agent, struct engine_facts *facts)
{
	struct recorder *recorder = &agent->recorder;
	const struct spill_header *header = store_header(&recorder->store);

	facts->repository = str_of(recorder->repository.path);
	facts->events = spill_get(&header->events);
	store_lost(&recorder->store, &facts->lost_events, &facts->lost_bytes);
	facts->memory_size = (uint64_t)agent->orders.memory_size;
	facts->memory_used = spill_get(&header->slots) * header->slot_size +
			     spill_get(&header->blocks) * header->block_size;
	facts->cpu_flusher = (uint64_t)flusher_cpu_time(&agent->flusher);
	sampler_tell(facts);
	instrumenter_tell(agent, facts);
}

void facts_of_engine(struct agent *agent, struct engine_facts *facts)
{
	*facts = (struct engine_facts){
		.pid = getpid(),
		.version = str_of(PACKAGE_VERSION),
		.repository = str_of(agent->lodging.path),
		.attached = agent->arrived_nanos,
		.is_launched = agent->is_launched,
	};
	if (phase_has_engine())
		add_engine(agent, facts);
}
