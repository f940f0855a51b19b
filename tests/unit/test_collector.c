#include <criterion/criterion.h>

#include "hotspot/hotspot.h"
#include "vmtables.h"

/* In a process that is no JVM: all there is to be known is what the counters say. */

Test(collector, is_the_serial_one_without_flags)
{
	struct vmflags flags = { 0 };

	cr_expect_str_eq(collector_used(&flags)->young, "DefNew");
	cr_expect_str_eq(collector_used(&flags)->old, "SerialOld");
}

Test(collector, is_named_after_the_counter_that_went_up)
{
	const struct collector *serial = collector_used(&(struct vmflags){ 0 });
	struct gcname young = collector_name(serial, (const int64_t[]){ 1, 0, 0, 0 });
	struct gcname full = collector_name(serial, (const int64_t[]){ 1, 1, 0, 0 });
	struct gcname none = collector_name(serial, (const int64_t[]){ 0, 0, 0, 0 });

	cr_expect(young.is_young && !young.is_old);
	cr_expect(str_is(young.text, STR("DefNew")));
	cr_expect(full.is_old && !full.is_young, "a young one that failed");
	cr_expect_null(young.cycle, "all threads stand still");
	cr_expect_not(none.is_young || none.is_old);
	cr_expect_null(none.text.bytes);
	cr_expect_null(collector_name(serial, NULL).text.bytes, "without counters");
}

Test(collector, tells_the_pauses_of_cycles_by_its_counters)
{
	const struct collector_cycle old = { .follows = true };
	const struct collector_cycle all = { .is_all = true };
	struct collector some = { .young = "Y", .old = "O", .full = "F", .old_cycle = &old };
	struct collector two = { .young = "Y", .old = "O", .old_cycle = &all };
	const int64_t none[] = { 0, 0, 0, 0 }, young[] = { 1, 0, 0, 0 };
	const int64_t concurrent[] = { 0, 0, 1, 0 };

	cr_expect_eq(collector_name(&some, none).cycle, &old);
	cr_expect(str_is(collector_name(&some, concurrent).text, STR("O")));
	cr_expect_null(collector_name(&some, young).cycle);
	cr_assert_not_null(collector_name(&some, NULL).cycle, "it may be one");
	cr_expect_null(collector_name(&some, NULL).text.bytes);
	cr_expect(str_is(collector_name(&two, NULL).text, STR("O")), "there is no other");
	two.young_cycle = &old;
	cr_expect_eq(collector_name(&two, young).cycle, &old);
	cr_expect_eq(collector_name(&two, concurrent).cycle, &all);
	cr_expect_null(collector_name(&two, none).text.bytes);
}

Test(collector, knows_no_heap_without_a_jvm)
{
	struct hotspot none = { 0 };
	struct gceden eden;

	cr_expect_eq(collector_heap(&none.structs).start, 0);
	cr_expect_eq(collector_heap(&none.structs).size, 0);
	cr_expect_not(collector_eden(&none.structs, &none.flags, &eden));
}

/* A JVM with one flag, and a heap in which G1's number would be. */
static bool uses_g1;
static const struct old_flag {
	const char *type, *name;
	const void *address;
} all_flags[] = { { "bool", "UseG1GC", &uses_g1 }, { NULL, NULL, NULL } };
static const struct g1_heap {
	uint64_t other, used;
} heap = { 1, 2 };
static const void *first_flag = all_flags, *heap_address = &heap;
static const size_t flag_count = 2;

static const struct vmtables_field heap_fields[] = {
	{ "Flag", "_type", "const char*", 0, offsetof(struct old_flag, type), NULL },
	{ "Flag", "_name", "const char*", 0, offsetof(struct old_flag, name), NULL },
	{ "Flag", "_addr", NULL, 0, offsetof(struct old_flag, address), NULL },
	{ "Flag", "flags", "Flag*", 1, 0, &first_flag },
	{ "Flag", "numFlags", "size_t", 1, 0, &flag_count },
	{ "Universe", "_collectedHeap", "CollectedHeap*", 1, 0, &heap_address },
	{ "G1CollectedHeap", "_summary_bytes_used", "size_t", 0,
	  offsetof(struct g1_heap, used), NULL },
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static const struct vmtables_type heap_types[] = {
	{ "Flag", NULL, 0, 0, 0, sizeof(struct old_flag) },
	{ NULL, NULL, 0, 0, 0, 0 },
};

/* What lies there in the heap of another collector may be anything. */
Test(collector, asks_the_heap_of_g1_only_if_it_is_one)
{
	struct vmstructs structs;
	struct vmflags flags;

	vmtables_set(heap_fields, heap_types);
	structs = vmtables_structs();
	cr_assert(vmflags_find(&flags, &structs));
	cr_expect_null(collector_filled(&structs, &flags));
	uses_g1 = true;
	cr_expect_eq(collector_filled(&structs, &flags), &heap.used);
}

Test(collector, has_names_for_the_pauses_of_a_cycle)
{
	const struct collector_cycle three = { .names = { "begin", "again", "end" } };
	const struct collector_cycle two = { .names = { "begin", "end" } };
	const struct collector_cycle five = {
		.names = { "1", "2", "3", "4", "5" },
		.more = { "a", "b", "c", "d", "e", "f", "g", "h" },
	};
	const struct collector_cycle none = { .pauses = 0 };

	cr_expect_str_eq(collector_pause(&two, 0, 1), "begin");
	cr_expect_str_eq(collector_pause(&two, 1, 2), "end");
	cr_expect_str_eq(collector_pause(&three, 1, 3), "again");
	cr_expect_str_eq(collector_pause(&three, 2, 5), "again");
	cr_expect_str_eq(collector_pause(&three, 4, 5), "end");
	cr_expect_null(collector_pause(&three, 1, 2), "which one is missing?");
	cr_expect_str_eq(collector_pause(&five, 4, 5), "5");
	cr_expect_str_eq(collector_pause(&five, 3, 8), "d");
	cr_expect_null(collector_pause(&five, 0, 6));
	cr_expect_null(collector_pause(&none, 0, 1));
}
