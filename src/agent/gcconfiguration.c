#include "agent/agent.h"
#include "agent/collector.h"
#include "agent/observers.h"
#include "host/vmflags.h"
#include "host/vmstructs.h"

#define MISSING INT64_MIN
#define GIGABYTE (UINT64_C(1) << 30)

/* 0 if the JVM has no such flag. */
static int64_t number(const struct vmflags *flags, const char *name)
{
	uint64_t value;

	return vmflags_number(flags, name, &value) ? (int64_t)value : 0;
}

static void encode_name(struct batch *batch, struct recorder *recorder, enum pool_id pool,
			const char *text)
{
	encode_long(&batch->buf, (int64_t)constants_string(recorder->constants, pool,
							   str_of(text)));
}

/* Unless somebody sets it, there is no target, whatever the flag says. */
static int64_t pause_target(const struct vmflags *flags)
{
	struct vmstructs structs;
	const void *list, *count;

	if (!vmstructs_find(&structs, NULL))
		return MISSING;
	list = vmstructs_static(&structs, "Arguments", "_jvm_args_array");
	count = vmstructs_static(&structs, "Arguments", "_num_jvm_args");
	for (int i = 0; list && count && i < *(const int *)count; i++) {
		const char *argument = (*(char **const *)list)[i];

		if (argument && strstr(argument, "-XX:MaxGCPauseMillis="))
			return number(flags, "MaxGCPauseMillis");
	}
	return MISSING;
}

static void tell(struct recorder *recorder, struct batch *batch)
{
	const struct collector *collector;
	struct vmflags flags;

	if (!vmflags_find(&flags, NULL))
		return;
	collector = collector_used(&flags);
	batch_begin(batch, EVENT_GC_CONFIGURATION);
	encode_long(&batch->buf, batch->now);
	encode_name(batch, recorder, POOL_GC_NAME, collector->young);
	encode_name(batch, recorder, POOL_GC_NAME, collector->old);
	encode_int(&batch->buf, (int32_t)number(&flags, "ParallelGCThreads"));
	encode_int(&batch->buf, (int32_t)number(&flags, "ConcGCThreads"));
	encode_boolean(&batch->buf, vmflags_is_on(&flags, "UseDynamicNumberOfGCThreads"));
	encode_boolean(&batch->buf, vmflags_is_on(&flags, "ExplicitGCInvokesConcurrent"));
	encode_boolean(&batch->buf, vmflags_is_on(&flags, "DisableExplicitGC"));
	encode_long(&batch->buf, pause_target(&flags));
	encode_int(&batch->buf, (int32_t)number(&flags, "GCTimeRatio"));
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
static const char *mode_of(const struct vmflags *flags)
{
	struct vmstructs structs;
	const void *base, *shift;
	uint64_t from;

	if (!vmflags_is_on(flags, "UseCompressedOops"))
		return "32-bit";
	if (!vmstructs_find(&structs, NULL))
		return NULL;
	base = either(&structs, "CompressedOops", "Universe", "_narrow_oop._base");
	shift = either(&structs, "CompressedOops", "Universe", "_narrow_oop._shift");
	if (!base)
		base = vmstructs_static(&structs, "CompressedOops", "_base");
	if (!shift)
		shift = vmstructs_static(&structs, "CompressedOops", "_shift");
	if (!base || !shift)
		return NULL;
	from = *(const uint64_t *)base;
	if (from == 0)
		return *(const int *)shift == 0 ? "32-bit" : "Zero based";
	return from % (32 * GIGABYTE) == 0 ? "Non-zero disjoint base" : "Non-zero based";
}

static void tell_heap(struct recorder *recorder, struct batch *batch)
{
	struct vmflags flags;
	bool is_compressed;
	const char *mode;

	if (!vmflags_find(&flags, NULL))
		return;
	is_compressed = vmflags_is_on(&flags, "UseCompressedOops");
	mode = mode_of(&flags);
	batch_begin(batch, EVENT_GC_HEAP_CONFIGURATION);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, number(&flags, "MinHeapSize"));
	encode_long(&batch->buf, number(&flags, "MaxHeapSize"));
	encode_long(&batch->buf, number(&flags, "InitialHeapSize"));
	encode_boolean(&batch->buf, is_compressed);
	if (mode)
		encode_name(batch, recorder, POOL_NARROW_OOP_MODE, mode);
	else
		encode_long(&batch->buf, 0);
	encode_long(&batch->buf, number(&flags, "ObjectAlignmentInBytes"));
	encode_byte(&batch->buf, is_compressed ? 32 : 64);
	batch_end(batch);
}

static const struct periodic periodic[] = {
	{ EVENT_GC_CONFIGURATION, tell },
	{ EVENT_GC_HEAP_CONFIGURATION, tell_heap },
	{ 0, NULL },
};

const struct observer gc_configuration_observer = {
	.name = "collectors",
	.periodic = periodic,
};
