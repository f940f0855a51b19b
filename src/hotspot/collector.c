#include "hotspot/collector.h"

#include <stddef.h>

/* From 24 on ZGC has generations, and no flag for that; but another that needs them. */
static bool has_generations(const struct vmflags *flags)
{
	bool has_them;
	uint64_t threshold;

	return vmflags_boolean(flags, "ZGenerational", &has_them)
		       ? has_them
		       : vmflags_number(flags, "ZTenuringThreshold", &threshold);
}

/* The first whose flag is on; the last has none, and is what is left. */
static const struct collector collectors[] = {
	{ "UseG1GC", "G1New", "G1Old", "G1Full", true, NULL },
	{ "UseZGC", "ZGC Minor", "ZGC Major", "ZGC Major", false, has_generations },
	{ "UseZGC", "N/A", "Z", "Z", false, NULL },
	{ "UseShenandoahGC", "N/A", "Shenandoah", "Shenandoah", false, NULL },
	{ "UseEpsilonGC", "N/A", "N/A", "N/A", false, NULL },
	{ "UseConcMarkSweepGC", "ParNew", "ConcurrentMarkSweep", "SerialOld", false, NULL },
	{ "UseParallelOldGC", "ParallelScavenge", "ParallelOld", "ParallelOld", false,
	  NULL },
	{ "UseParallelGC", "ParallelScavenge", "ParallelOld", "ParallelOld", false, NULL },
	{ NULL, "DefNew", "SerialOld", "SerialOld", false, NULL },
};

static bool is_used(const struct vmflags *flags, const struct collector *collector)
{
	return vmflags_is_on(flags, collector->flag) &&
	       (!collector->is_chosen || collector->is_chosen(flags));
}

const struct collector *collector_used(const struct vmflags *flags)
{
	const struct collector *collector = collectors;

	while (collector->flag && !is_used(flags, collector))
		collector++;
	return collector;
}

struct gcname collector_name(const struct collector *collector,
			     const int64_t calls[COLLECTOR_COUNTERS])
{
	if (calls[COLLECTOR_FULL] > 0)
		return (struct gcname){ str_of(collector->full), false, true };
	if (calls[COLLECTOR_YOUNG] > 0)
		return (struct gcname){ str_of(collector->young), true, false };
	if (calls[COLLECTOR_CONCURRENT] > 0 || calls[COLLECTOR_OTHER] > 0)
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

static const void *heap_of(const struct vmstructs *structs)
{
	return vmstructs_pointer(vmstructs_static(structs, "Universe", "_collectedHeap"));
}

struct gcrange collector_heap(const struct vmstructs *structs)
{
	const uint64_t *start, *words;
	const void *reserved;

	reserved = field_at(structs, heap_of(structs), "CollectedHeap", "_reserved");
	start = field_at(structs, reserved, "MemRegion", "_start");
	words = field_at(structs, reserved, "MemRegion", "_word_size");
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
	space = vmstructs_pointer(field_at(structs, vmstructs_pointer(young), path->young, "_eden_space"));
	eden->top = field_at(structs, space, path->space, "_top");
	eden->bottom = field_at(structs, space, path->bottom, "_bottom");
	return eden->top && eden->bottom;
}

bool collector_eden(const struct vmstructs *structs, const struct vmflags *flags,
		    struct gceden *eden)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		if (vmflags_is_on(flags, paths[i].flag) &&
		    follow_path(structs, &paths[i], eden))
			return true;
	}
	return false;
}
