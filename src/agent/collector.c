#include "agent/collector.h"

#include <stddef.h>
#include <string.h>

#include "host/vmstructs.h"

/* The first whose flag is on; the last has none, and is what is left. */
static const struct collector collectors[] = {
	{ "UseG1GC", "G1New", "G1Old", "G1Full", true },
	{ "ZGenerational", "ZGC Minor", "ZGC Major", "ZGC Major", false },
	{ "UseZGC", "N/A", "Z", "Z", false },
	{ "UseShenandoahGC", "N/A", "Shenandoah", "Shenandoah", false },
	{ "UseEpsilonGC", "N/A", "N/A", "N/A", false },
	{ "UseConcMarkSweepGC", "ParNew", "ConcurrentMarkSweep", "SerialOld",
	  false },
	{ "UseParallelOldGC", "ParallelScavenge", "ParallelOld", "ParallelOld", false },
	{ "UseParallelGC", "ParallelScavenge", "ParallelOld", "ParallelOld", false },
	{ NULL, "DefNew", "SerialOld", "SerialOld", false },
};

/* From 24 on ZGC has generations, and no flag for that; but another that needs them. */
static bool is_used(const struct vmflags *flags, const struct collector *collector)
{
	bool has_generations;
	uint64_t threshold;

	if (strcmp(collector->flag, "ZGenerational") != 0)
		return vmflags_is_on(flags, collector->flag);
	if (!vmflags_boolean(flags, "ZGenerational", &has_generations))
		has_generations = vmflags_number(flags, "ZTenuringThreshold",
						 &threshold);
	return vmflags_is_on(flags, "UseZGC") && has_generations;
}

const struct collector *collector_used(const struct vmflags *flags)
{
	const struct collector *collector = collectors;

	while (collector->flag && !is_used(flags, collector))
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
	if (calls[2] > 0 || calls[3] > 0)
		return (struct gcname){ str_of(collector->old), false, true };
	return (struct gcname){ { NULL, 0 }, false, false };
}

/* Objects of the JVM ---------------------------------------------------------- */

/* A field in an object; NULL if there is no object, or no such field. */
static const void *field_at(const struct vmstructs *structs, const void *object,
			    const char *type, const char *name)
{
	struct vmstructs_field field;

	if (!object || !vmstructs_field(structs, type, name, &field))
		return NULL;
	return (const char *)object + field.offset;
}

static const void *follow(const void *pointer)
{
	return pointer ? *(const void *const *)pointer : NULL;
}

static const void *heap_of(const struct vmstructs *structs)
{
	return follow(vmstructs_static(structs, "Universe", "_collectedHeap"));
}

struct gcrange collector_heap(void)
{
	const uint64_t *start, *words;
	struct vmstructs structs;
	const void *reserved;

	if (!vmstructs_find(&structs, NULL))
		return (struct gcrange){ 0, 0 };
	reserved = field_at(&structs, heap_of(&structs), "CollectedHeap", "_reserved");
	start = field_at(&structs, reserved, "MemRegion", "_start");
	words = field_at(&structs, reserved, "MemRegion", "_word_size");
	if (!start || !words)
		return (struct gcrange){ 0, 0 };
	return (struct gcrange){ *start, *words * sizeof(void *) };
}

/*
 * From the heap to the young generation to its space: the names that versions have had. In
 * 8 a heap has its generations in a row, the young one first.
 */
static const struct path {
	const char *flag, *heap, *generation, *young, *space, *bottom;
} paths[] = {
	{ "UseSerialGC", "SerialHeap", "_young_gen", "DefNewGeneration",
	  "ContiguousSpace", "ContiguousSpace" },
	{ "UseSerialGC", "GenCollectedHeap", "_young_gen", "DefNewGeneration",
	  "ContiguousSpace", "Space" },
	{ "UseSerialGC", "GenCollectedHeap", "_gens", "DefNewGeneration",
	  "ContiguousSpace", "Space" },
	{ "UseConcMarkSweepGC", "GenCollectedHeap", "_young_gen", "DefNewGeneration",
	  "ContiguousSpace", "Space" },
	{ "UseConcMarkSweepGC", "GenCollectedHeap", "_gens", "DefNewGeneration",
	  "ContiguousSpace", "Space" },
	{ "UseParallelGC", "ParallelScavengeHeap", "_young_gen", "PSYoungGen",
	  "MutableSpace", "MutableSpace" },
	{ "UseParallelGC", "ParallelScavengeHeap", "_young_gen", "PSYoungGen",
	  "MutableSpace", "ImmutableSpace" },
};

static bool follow_path(const struct vmstructs *structs, const struct path *path,
			struct gceden *eden)
{
	const void *young, *space;

	young = vmstructs_static(structs, path->heap, path->generation);
	if (!young)
		young = field_at(structs, heap_of(structs), path->heap, path->generation);
	space = follow(field_at(structs, follow(young), path->young, "_eden_space"));
	eden->top = field_at(structs, space, path->space, "_top");
	eden->bottom = field_at(structs, space, path->bottom, "_bottom");
	return eden->top && eden->bottom;
}

bool collector_eden(struct gceden *eden)
{
	struct vmstructs structs;
	struct vmflags flags;

	if (!vmstructs_find(&structs, NULL) || !vmflags_find(&flags, NULL))
		return false;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		if (vmflags_is_on(&flags, paths[i].flag) &&
		    follow_path(&structs, &paths[i], eden))
			return true;
	}
	return false;
}
