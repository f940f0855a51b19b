#include <criterion/criterion.h>

#include "counters.h"
#include "hotspot/hotspot.h"
#include "vmtables.h"

/* A JVM that has a flag, a counter, and threads. */
struct flag {
	const void *address;
	const char *name;
	int32_t type;
};

static bool yes = true;
static const struct flag flags[] = { { &yes, "UseParallelGC", 0 } };
static const void *first = flags;
static size_t count = 1;
static struct counters counters;
static const void *perf_start, *perf_end;
static int32_t is_ready = 1;

static const struct vmtables_field fields[] = {
	{ "JVMFlag", "_type", "int", 0, offsetof(struct flag, type), NULL },
	{ "JVMFlag", "_name", "const char*", 0, offsetof(struct flag, name), NULL },
	{ "JVMFlag", "_addr", NULL, 0, offsetof(struct flag, address), NULL },
	{ "JVMFlag", "flags", "JVMFlag*", 1, 0, &first },
	{ "JVMFlag", "numFlags", "size_t", 1, 0, &count },
	{ "PerfMemory", "_start", "char*", 1, 0, &perf_start },
	{ "PerfMemory", "_end", "char*", 1, 0, &perf_end },
	{ "PerfMemory", "_initialized", "int", 1, 0, &is_ready },
	{ "OSThread", "_thread_id", "int", 0, 8, NULL },
	{ "Thread", "_osthread", "OSThread*", 0, 16, NULL },
	{ NULL, NULL, NULL, 0, 0, NULL },
};

static const struct vmtables_type types[] = {
	{ "JVMFlag", NULL, 0, 0, 0, sizeof(struct flag) },
	{ NULL, NULL, 0, 0, 0, 0 },
};

Test(hotspot, has_all_that_its_tables_lead_to)
{
	struct hotspot hotspot;

	counters_begin(&counters);
	counters_set(counters_add(&counters, "java.threads.live", 'J', 0, 8), 5);
	perf_start = counters.bytes;
	perf_end = counters.bytes + sizeof(counters.bytes);
	vmtables_set(fields, types);
	hotspot_find(&hotspot, vmtables_symbol);
	cr_expect(vmflags_is_on(&hotspot.flags, "UseParallelGC"));
	cr_expect_str_eq(hotspot.collector->young, "ParallelScavenge");
	cr_expect_eq(
		perfdata_read(perfdata_counter(&hotspot.perf, "java.threads.live")), 5);
	cr_expect(hotspot.osthread.is_known);
}

Test(hotspot, knows_nothing_of_what_is_none)
{
	struct hotspot hotspot;

	hotspot_find(&hotspot, NULL);
	cr_expect_eq(hotspot.flags.count, 0);
	cr_expect_null(hotspot.perf.bytes);
	cr_expect_not(hotspot.osthread.is_known);
	cr_expect_str_eq(hotspot.collector->young, "DefNew", "the one that is left");
}
