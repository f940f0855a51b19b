#include "host/proc.h"
#include "host/sources.h"

static void tell(struct recorder *recorder, struct batch *batch)
{
	struct proc_memory memory;

	(void)recorder;
	if (!proc_memory(&memory))
		return;
	batch_begin(batch, EVENT_PHYSICAL_MEMORY);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, (int64_t)memory.total);
	encode_long(&batch->buf, (int64_t)(memory.total - memory.available));
	batch_end(batch);
}

const struct source memory_source = {
	.name = "memory",
	.periodic = (const struct periodic[]){ { EVENT_PHYSICAL_MEMORY, tell }, { 0 } },
};
