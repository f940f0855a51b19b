#include "agent/agent.h"
#include "agent/allobservers.h"

#define WORD 8
#define YOUNG_SIZE 1363144	/* NewSize and OldSize of a 64-bit JVM */
#define OLD_SIZE 5452595
#define GIGABYTE (UINT64_C(1) << 30)

/* 0 if the JVM has no such flag. */
static int64_t number(const struct vmflags *flags, const char *name)
{
	uint64_t value;

	return vmflags_number(flags, name, &value) ? (int64_t)value : 0;
}

static void encode_name(struct batch *batch, struct recorder *recorder,
			enum pool_id pool, const char *text)
{
	encode_long(&batch->buf, (int64_t)constants_string(recorder->constants, pool,
							   str_of(text)));
}

/* True if the JVM was given an option that begins so. */
static bool has_option(const struct hotspot *hotspot, const char *prefix)
{
	struct vmstructs_texts arguments = vmstructs_texts(
		&hotspot->structs, "Arguments", "_jvm_args_array", "_num_jvm_args");

	for (size_t i = 0; i < arguments.count; i++) {
		const char *argument = arguments.items[i];

		if (argument && strncmp(argument, prefix, strlen(prefix)) == 0)
			return true;
	}
	return false;
}

/* Unless somebody sets it, there is no target, whatever the flag says. */
static int64_t pause_target(const struct hotspot *hotspot)
{
	return has_option(hotspot, "-XX:MaxGCPauseMillis=")
		       ? number(&hotspot->flags, "MaxGCPauseMillis")
		       : EVENT_NO_TIME;
}

/*
 * 8 and 11 have no flag for that. -Xms is the least and what it begins with; without it,
 * the least that the generations begin with, which are flags that the JVM changes later.
 */
static int64_t min_size(const struct hotspot *hotspot)
{
	const struct vmflags *flags = &hotspot->flags;
	int64_t initial = number(flags, "InitialHeapSize");
	int64_t young = YOUNG_SIZE, old = OLD_SIZE;
	uint64_t size;

	if (vmflags_number(flags, "MinHeapSize", &size))
		return (int64_t)size;
	if (has_option(hotspot, "-Xms"))
		return initial;
	if (has_option(hotspot, "-Xmn") || has_option(hotspot, "-XX:NewSize="))
		young = number(flags, "NewSize");
	if (has_option(hotspot, "-XX:OldSize="))
		old = number(flags, "OldSize");
	young = (young + old) / WORD * WORD;
	return young < initial ? young : initial;
}

static void tell_collectors(struct recorder *recorder, struct batch *batch)
{
	const struct hotspot *hotspot = &agent_of(recorder)->jvm.hotspot;
	const struct collector *collector = hotspot->collector;
	const struct vmflags *flags = &hotspot->flags;

	if (!flags->count)
		return;
	batch_begin(batch, EVENT_GC_CONFIGURATION);
	encode_long(&batch->buf, batch->now);
	encode_name(batch, recorder, POOL_GC_NAME, collector->young);
	encode_name(batch, recorder, POOL_GC_NAME, collector->old);
	encode_int(&batch->buf, (int32_t)number(flags, "ParallelGCThreads"));
	encode_int(&batch->buf, (int32_t)number(flags, "ConcGCThreads"));
	encode_boolean(&batch->buf,
		       vmflags_is_on(flags, "UseDynamicNumberOfGCThreads"));
	encode_boolean(&batch->buf,
		       vmflags_is_on(flags, "ExplicitGCInvokesConcurrent"));
	encode_boolean(&batch->buf, vmflags_is_on(flags, "DisableExplicitGC"));
	encode_long(&batch->buf, pause_target(hotspot));
	encode_int(&batch->buf, (int32_t)number(flags, "GCTimeRatio"));
	batch_end(batch);
}

/* A static of the JVM that was moved: where it is now, or where it was. */
static const void *either(const struct vmstructs *structs, const char *type,
			  const char *old_type, const char *field)
{
	const void *at = vmstructs_static(structs, type, field);

	return at ? at : vmstructs_static(structs, old_type, field);
}

/* The JVM's words for how 32 bits become an address; NULL: not known. */
static const char *mode_of(const struct hotspot *hotspot)
{
	const struct vmstructs *structs = &hotspot->structs;
	const void *base, *shift;
	uint64_t from;

	if (!vmflags_is_on(&hotspot->flags, "UseCompressedOops"))
		return "32-bit";
	base = either(structs, "CompressedOops", "Universe", "_narrow_oop._base");
	shift = either(structs, "CompressedOops", "Universe", "_narrow_oop._shift");
	if (!base)
		base = vmstructs_static(structs, "CompressedOops", "_base");
	if (!shift)
		shift = vmstructs_static(structs, "CompressedOops", "_shift");
	if (!base || !shift)
		return NULL;
	from = *(const uint64_t *)base;
	if (from == 0)
		return *(const int *)shift == 0 ? "32-bit" : "Zero based";
	return from % (32 * GIGABYTE) == 0 ? "Non-zero disjoint base"
					   : "Non-zero based";
}

static void tell_heap(struct recorder *recorder, struct batch *batch)
{
	const struct hotspot *hotspot = &agent_of(recorder)->jvm.hotspot;
	const struct vmflags *flags = &hotspot->flags;
	bool is_compressed = vmflags_is_on(flags, "UseCompressedOops");
	const char *mode = mode_of(hotspot);

	if (!flags->count)
		return;
	batch_begin(batch, EVENT_GC_HEAP_CONFIGURATION);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, min_size(hotspot));
	encode_long(&batch->buf, number(flags, "MaxHeapSize"));
	encode_long(&batch->buf, number(flags, "InitialHeapSize"));
	encode_boolean(&batch->buf, is_compressed);
	if (mode)
		encode_name(batch, recorder, POOL_NARROW_OOP_MODE, mode);
	else
		encode_long(&batch->buf, 0);
	encode_long(&batch->buf, number(flags, "ObjectAlignmentInBytes"));
	encode_byte(&batch->buf, is_compressed ? 32 : 64);
	batch_end(batch);
}

const struct observer gcconfiguration_observer = {
	.name = "collectors",
	.periodic = (const struct periodic[]){
		{ EVENT_GC_CONFIGURATION, tell_collectors },
		{ EVENT_GC_HEAP_CONFIGURATION, tell_heap },
		{ 0 },
	},
};
