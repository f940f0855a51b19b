#include "agent/collector.h"

#include <stddef.h>

#include "host/vmstructs.h"

/* The first whose flag is on; the last has none, and is what is left. */
static const struct collector collectors[] = {
	{ "UseG1GC", "G1New", "G1Old", "G1Full" },
	{ "UseZGC", "ZGC Minor", "ZGC Major", "ZGC Major" },
	{ "UseShenandoahGC", "N/A", "Shenandoah", "Shenandoah" },
	{ "UseEpsilonGC", "N/A", "N/A", "N/A" },
	{ "UseConcMarkSweepGC", "ParNew", "ConcurrentMarkSweep", "SerialOld" },
	{ "UseParallelOldGC", "ParallelScavenge", "ParallelOld", "ParallelOld" },
	{ "UseParallelGC", "ParallelScavenge", "ParallelOld", "ParallelOld" },
	{ NULL, "DefNew", "SerialOld", "SerialOld" },
};

const struct collector *collector_used(const struct vmflags *flags)
{
	const struct collector *collector = collectors;

	while (collector->flag && !vmflags_is_on(flags, collector->flag))
		collector++;
	return collector;
}

/* The JVM counts young collections first, then full ones, then concurrent ones. */
struct gcname collector_of(const int64_t *calls)
{
	const struct collector *collector;
	struct vmflags flags = { 0 };

	vmflags_find(&flags, NULL);
	collector = collector_used(&flags);
	if (calls[1] > 0)
		return (struct gcname){ str_of(collector->full), false, true };
	if (calls[0] > 0)
		return (struct gcname){ str_of(collector->young), true, false };
	return (struct gcname){ str_of(collector->old), false, true };
}

struct gcrange collector_heap(void)
{
	struct vmstructs structs;
	struct vmstructs_field reserved, start, words;
	const void *heap;
	const char *at;

	if (!vmstructs_find(&structs, NULL) ||
	    !vmstructs_field(&structs, "CollectedHeap", "_reserved", &reserved) ||
	    !vmstructs_field(&structs, "MemRegion", "_start", &start) ||
	    !vmstructs_field(&structs, "MemRegion", "_word_size", &words))
		return (struct gcrange){ 0, 0 };
	heap = vmstructs_static(&structs, "Universe", "_collectedHeap");
	at = heap ? *(const char *const *)heap : NULL;
	if (!at)
		return (struct gcrange){ 0, 0 };
	at += reserved.offset;
	return (struct gcrange){
		*(const uint64_t *)(at + start.offset),
		*(const uint64_t *)(at + words.offset) * sizeof(void *),
	};
}
