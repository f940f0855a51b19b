#include "host/cgroup.h"
#include "host/proc.h"
#include "host/hostobservers.h"

/* As seen from inside a container, if it may have less than the machine has. */
static void tell_memory(struct recorder *recorder, struct batch *batch)
{
	struct cgroup_memory container;
	struct proc_memory memory;
	uint64_t used;

	(void)recorder;
	if (!proc_memory(&memory))
		return;
	used = memory.total - memory.available;
	if (cgroup_memory(&container) && container.limit < memory.total) {
		memory.total = container.limit;
		used = container.used < memory.total ? container.used : memory.total;
	}
	batch_begin(batch, EVENT_PHYSICAL_MEMORY);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, (int64_t)memory.total);
	encode_long(&batch->buf, (int64_t)used);
	batch_end(batch);
}

const struct observer memory_observer = {
	.name = "memory",
	.periodic = (const struct periodic[]){
		{ EVENT_PHYSICAL_MEMORY, tell_memory },
		{ 0 },
	},
};
