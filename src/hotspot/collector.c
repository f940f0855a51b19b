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

/* Up to 9, in which there was this flag, one thread does full collections. */
static bool has_full_serial(const struct vmflags *flags)
{
	bool value;

	return vmflags_boolean(flags, "UseParNewGC", &value);
}

/* Cycles of G1 end soon behind their second pause. */
static const struct collector_cycle g1 = {
	.follows = true,
	.pauses = 2,
	.names = { "Pause Remark", "Pause Cleanup" },
};
static const struct collector_cycle cms = {
	.frees_later = true,
	.pauses = 2,
	.names = { "Initial Mark", "Final Mark" },
	.first = "CMS Initial Mark",
	.cause = "CMS Concurrent Mark",
};
static const struct collector_cycle zgc = {
	.is_all = true,
	.frees_later = true,
	.names = { "Pause Mark Start", "Pause Mark End", "Pause Relocate Start" },
};
static const struct collector_cycle zgc_major = {
	.is_all = true,
	.frees_later = true,
	.names = { "Pause Mark Start (Major)", "Pause Mark End", "Pause Relocate Start",
		   "Pause Mark End", "Pause Relocate Start" },
	.more = { "Pause Mark Start", "Pause Mark End", "Pause Relocate Start",
		  "Pause Mark Start (Major)", "Pause Mark End", "Pause Relocate Start",
		  "Pause Mark End", "Pause Relocate Start" },
};
static const struct collector_cycle shenandoah = { .is_all = true, .frees_later = true };

/* One of some cycle. */
static const struct collector_cycle any = { .frees_later = true };

/* The first whose flag is on; the last has none, and is what is left. */
static const struct collector collectors[] = {
	{ "UseG1GC", "G1New", "G1Old", "SerialOld", .counts_before = true,
	  .old_cycle = &g1, .is_chosen = has_full_serial },
	{ "UseG1GC", "G1New", "G1Old", "G1Full", .counts_before = true, .old_cycle = &g1 },
	{ "UseZGC", "ZGC Minor", "ZGC Major", "ZGC Major", .young_cycle = &zgc,
	  .old_cycle = &zgc_major, .is_chosen = has_generations },
	{ "UseZGC", "N/A", "Z", "Z", .old_cycle = &zgc },
	{ "UseShenandoahGC", "N/A", "Shenandoah", "Shenandoah", .old_cycle = &shenandoah },
	{ "UseEpsilonGC", "N/A", "N/A", "N/A", .counts_before = false },
	{ "UseConcMarkSweepGC", "ParNew", "ConcurrentMarkSweep", "SerialOld",
	  .old_cycle = &cms },
	{ "UseParallelOldGC", "ParallelScavenge", "ParallelOld", "ParallelOld",
	  .sets_cause = true },
	{ "UseParallelGC", "ParallelScavenge", "ParallelOld", "ParallelOld",
	  .sets_cause = true },
	{ NULL, "DefNew", "SerialOld", "SerialOld", .counts_before = false },
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

/* All that collects is a cycle. */
static struct gcname name_cycle(const struct collector *collector, const int64_t *calls)
{
	struct gcname young = { str_of(collector->young), true, false,
				collector->young_cycle };
	struct gcname old = { str_of(collector->old), false, true, collector->old_cycle };

	if (!collector->young_cycle)
		return old;
	if (calls && calls[COLLECTOR_YOUNG] > 0)
		return young;
	if (calls && calls[COLLECTOR_CONCURRENT] > 0)
		return old;
	return (struct gcname){ { NULL, 0 }, false, false, &any };
}

struct gcname collector_name(const struct collector *collector, const int64_t *calls)
{
	const struct collector_cycle *cycle = collector->old_cycle;

	if (cycle && cycle->is_all)
		return name_cycle(collector, calls);
	if (!calls)
		return (struct gcname){ { NULL, 0 }, false, false, cycle ? &any : NULL };
	if (calls[COLLECTOR_FULL] > 0)
		return (struct gcname){ str_of(collector->full), false, true, NULL };
	if (calls[COLLECTOR_YOUNG] > 0)
		return (struct gcname){ str_of(collector->young), true, false, NULL };
	if (cycle)
		return (struct gcname){ str_of(collector->old), false, true, cycle };
	return (struct gcname){ { NULL, 0 }, false, false, NULL };
}

const char *collector_pause(const struct collector_cycle *cycle, unsigned i,
			    unsigned count)
{
	unsigned named = 0;

	while (named < COLLECTOR_NAMED && cycle->names[named])
		named++;
	if (cycle->more[0] && count == COLLECTOR_MORE)
		return cycle->more[i];
	if (count == named)
		return cycle->names[i];
	if (named == 0 || named == COLLECTOR_NAMED)
		return NULL;
	if (i == 0)
		return cycle->names[0];
	if (count < named)
		return NULL;
	return cycle->names[i == count - 1 ? named - 1 : 1];
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
	return vmstructs_pointer(
		vmstructs_static(structs, "Universe", "_collectedHeap"));
}

const uint32_t *collector_total(const struct vmstructs *structs)
{
	return field_at(structs, heap_of(structs), "CollectedHeap", "_total_collections");
}

/* Other heaps have something else at these places. In 8 it is in an object of its own. */
const uint64_t *collector_filled(const struct vmstructs *structs,
				 const struct vmflags *flags)
{
	static const char name[] = "_summary_bytes_used";
	const void *heap = vmflags_is_on(flags, "UseG1GC") ? heap_of(structs) : NULL;
	const void *allocator;
	const uint64_t *filled = field_at(structs, heap, "G1CollectedHeap", name);

	if (filled)
		return filled;
	allocator = field_at(structs, heap, "G1CollectedHeap", "_allocator");
	return field_at(structs, vmstructs_pointer(allocator), "G1Allocator", name);
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
 * From the heap to the young generation to its space: the names that versions have
 * had. In 8 a heap has its generations in a row, the young one first.
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
		young = field_at(structs, heap_of(structs), path->heap,
				 path->generation);
	space = vmstructs_pointer(field_at(structs, vmstructs_pointer(young),
					   path->young, "_eden_space"));
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
