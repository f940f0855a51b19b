#include <criterion/criterion.h>
#include <string.h>

#include "counters.h"
#include "hotspot/perfdata.h"
#include "vmtables.h"

Test(perfdata, finds_counters)
{
	struct counters counters;
	struct perfdata perf;
	const int64_t *count;
	char *value;

	counters_begin(&counters);
	value = counters_add(&counters, "a", 'J', 0, 8);
	counters_add(&counters, "a.text", 'B', 10, 10);
	counters_set(counters_add(&counters, "a.count", 'J', 0, 8), INT64_MIN);
	cr_assert(perfdata_in(&perf, counters.bytes, sizeof(counters.bytes)));
	count = perfdata_counter(&perf, "a");
	cr_assert_eq((const void *)count, value);
	cr_expect_eq(perfdata_read(count), 0);
	counters_set(value, 77);
	cr_expect_eq(perfdata_read(count), 77);
	cr_expect_eq(perfdata_read(perfdata_counter(&perf, "a.count")), INT64_MIN);
	cr_expect_null(perfdata_counter(&perf, "a.text"));
	cr_expect_null(perfdata_counter(&perf, "a."));
	cr_expect_eq(perfdata_read(NULL), 0);
	cr_expect_eq(perfdata_read_or(NULL, -1), -1);
}

Test(perfdata, finds_what_was_added_later)
{
	struct counters counters;
	struct perfdata perf;

	counters_begin(&counters);
	cr_assert(perfdata_in(&perf, counters.bytes, sizeof(counters.bytes)));
	cr_expect_null(perfdata_counter(&perf, "late"));
	counters_set(counters_add(&counters, "late", 'J', 0, 8), 3);
	cr_expect_eq(perfdata_read(perfdata_counter(&perf, "late")), 3);
}

Test(perfdata, copies_texts)
{
	struct counters counters;
	struct perfdata perf;
	struct perfdata_text text;
	char to[11], small[3];
	char *value;

	counters_begin(&counters);
	value = counters_add(&counters, "a.text", 'B', 10, 10);
	counters_add(&counters, "a.count", 'J', 0, 8);
	cr_assert(perfdata_in(&perf, counters.bytes, sizeof(counters.bytes)));
	text = perfdata_text(&perf, "a.text");
	cr_expect_eq(perfdata_copy(text, to, sizeof(to)).size, 0);
	strcpy(value, "some");
	cr_expect_eq(perfdata_copy(text, to, sizeof(to)).size, 4);
	cr_expect_str_eq(to, "some");
	cr_expect_eq(perfdata_copy(text, small, sizeof(small)).size, 2);
	cr_expect_str_eq(small, "so");
	memcpy(value, "0123456789", 10);	/* no end */
	cr_expect_eq(perfdata_copy(text, to, sizeof(to)).size, 10);
	cr_expect_str_eq(to, "0123456789");
	text = perfdata_text(&perf, "a.count");
	cr_expect_null(text.bytes);
	cr_expect_eq(perfdata_copy(text, to, sizeof(to)).size, 0);
	cr_expect_str_eq(to, "");
}

Test(perfdata, comes_one_by_one)
{
	static const char *const names[] = { "a.count", "a.text", "b.count" };
	struct perfdata_entry entry = { 0 };
	struct counters counters;
	struct perfdata perf;

	counters_fill(&counters);
	cr_assert(perfdata_in(&perf, counters.bytes, sizeof(counters.bytes)));
	for (size_t i = 0; i < 3; i++) {
		cr_assert(perfdata_next(&perf, &entry));
		cr_expect_str_eq(entry.name, names[i]);
		cr_expect_eq(entry.type, i == 1 ? 'B' : 'J');
		cr_expect_eq(entry.size, i == 1 ? 10 : 8);
	}
	cr_expect_not(perfdata_next(&perf, &entry));
	cr_expect_not(perfdata_next(&perf, &entry));
}

Test(perfdata, must_be_of_this_machine_and_version)
{
	struct counters counters;
	struct perfdata perf;

	for (size_t i = 0; i < 6; i++) {
		counters_fill(&counters);
		counters.bytes[i] ^= 1;
		cr_expect_not(
			perfdata_in(&perf, counters.bytes, sizeof(counters.bytes)),
			"byte %zu", i);
		cr_expect_null(perfdata_counter(&perf, "a.count"));
	}
	counters_fill(&counters);
	cr_expect_not(perfdata_in(&perf, counters.bytes, 31));
	cr_expect_not(
		perfdata_in(&perf, counters.bytes + 4, sizeof(counters.bytes) - 4));
	cr_expect(perfdata_in(&perf, counters.bytes, 32));
	cr_expect_null(perfdata_counter(&perf, "a.count"));
}

/* Where the second entry is broken, the first is still found, and nothing behind it. */
static void expect_end(struct counters *counters, const char *what)
{
	struct perfdata perf;

	cr_assert(perfdata_in(&perf, counters->bytes, sizeof(counters->bytes)));
	cr_expect_not_null(perfdata_counter(&perf, "a.count"), "%s", what);
	cr_expect_null(perfdata_text(&perf, "a.text").bytes, "%s", what);
	cr_expect_null(perfdata_counter(&perf, "b.count"), "%s", what);
}

Test(perfdata, ends_where_an_entry_makes_no_sense)
{
	static const struct {
		const char *what;
		size_t member;
		uint32_t number;
	} cases[] = {
		{ "no length", offsetof(struct counters_entry, length), 0 },
		{ "too short", offsetof(struct counters_entry, length), 19 },
		{ "too long", offsetof(struct counters_entry, length), 1024 },
		{ "huge", offsetof(struct counters_entry, length), UINT32_MAX },
		{ "name in front", offsetof(struct counters_entry, name_at), 19 },
		{ "name outside", offsetof(struct counters_entry, name_at), 48 },
		{ "name far outside", offsetof(struct counters_entry, name_at),
		  UINT32_MAX },
		{ "value outside", offsetof(struct counters_entry, value_at), 49 },
		{ "value too long", offsetof(struct counters_entry, vector), 17 },
		{ "value huge", offsetof(struct counters_entry, vector), UINT32_MAX },
	};
	struct counters counters;
	size_t second = COUNTERS_FIRST + 40;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		counters_fill(&counters);
		memcpy(counters.bytes + second + cases[i].member, &cases[i].number, 4);
		expect_end(&counters, cases[i].what);
	}
	counters_fill(&counters);
	memset(counters.bytes + second + sizeof(struct counters_entry), 'x', 28);
	expect_end(&counters, "name without end");
}

Test(perfdata, has_no_counters_off_their_place)
{
	struct counters counters;
	struct perfdata perf;
	uint32_t odd = 28;

	counters_fill(&counters);
	memcpy(counters.bytes + COUNTERS_FIRST +
		       offsetof(struct counters_entry, value_at),
	       &odd, 4);
	cr_assert(perfdata_in(&perf, counters.bytes, sizeof(counters.bytes)));
	cr_expect_null(perfdata_counter(&perf, "a.count"));
	cr_expect_not_null(perfdata_counter(&perf, "b.count"));
}

static struct counters shared;
static const char *start = shared.bytes, *end = shared.bytes + sizeof(shared.bytes);
static int32_t is_ready = 1;

static const struct vmstructs *found(void)
{
	static struct vmstructs structs;

	structs = vmtables_structs();
	return &structs;
}

static const struct vmtables_field fields[] = {
	{ "PerfMemory", "_start", "char*", 1, 0, &start },
	{ "PerfMemory", "_end", "char*", 1, 0, &end },
	{ "PerfMemory", "_initialized", "int", 1, 0, &is_ready },
	{ NULL, NULL, NULL, 0, 0, NULL },
};

static const struct vmtables_type types[] = { { NULL, NULL, 0, 0, 0, 0 } };

Test(perfdata, is_where_the_jvm_says)
{
	struct perfdata perf;

	counters_fill(&shared);
	vmtables_set(fields, types);
	cr_assert(perfdata_find(&perf, found()));
	cr_expect_eq(perf.size, sizeof(shared.bytes));
	cr_expect_eq(perfdata_read(perfdata_counter(&perf, "b.count")), -1);
	is_ready = 0;
	cr_expect_not(perfdata_find(&perf, found()));
	cr_expect_null(perfdata_counter(&perf, "b.count"));
	is_ready = 1;
	start = NULL;
	cr_expect_not(perfdata_find(&perf, found()));
	start = end;
	cr_expect_not(perfdata_find(&perf, found()));
}

Test(perfdata, is_nowhere_outside_a_jvm)
{
	struct perfdata perf;
	struct perfdata_entry entry = { 0 };

	cr_expect_not(perfdata_find(&perf, &(struct vmstructs){ 0 }));
	cr_expect_null(perfdata_counter(&perf, "a.count"));
	cr_expect_not(perfdata_next(&perf, &entry));
}
