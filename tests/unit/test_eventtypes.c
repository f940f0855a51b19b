#include <criterion/criterion.h>

#include "everytype.h"
#include "fault.h"
#include "jfr/eventtypes.h"
#include "make.h"

static struct arena arena;

static struct metadata metadata_of_ours(void)
{
	struct metadata metadata;
	struct err err = { 0 };

	cr_assert(eventtypes_metadata(&metadata, &arena, &err), "%s", err.text);
	return metadata;
}

static void forget(struct metadata *metadata)
{
	metadata_clear(metadata);
	arena_clear(&arena);
}

Test(eventtypes, have_their_numbers)
{
	struct metadata metadata = metadata_of_ours();
	int64_t id = EVENT_FIRST;

	for (size_t i = 0; eventtypes[i].name; i++) {
		const struct schema_type *row = &eventtypes[i];
		const struct type *type = metadata_type(&metadata, row->id);

		cr_assert(type && str_is(type->name, str_of(row->name)), "%s", row->name);
		cr_expect_eq(type->is_event, i < EVENT_COUNT);
		if (i == EVENT_COUNT)
			id = POOL_FIRST;
		if (i < EVENT_COUNT + POOL_COUNT) {
			cr_expect_eq(row->id, id++, "%s", row->name);
			cr_expect_not(type->program.is_broken, "%s", row->name);
		}
	}
	cr_expect_eq(id, POOL_END);
	forget(&metadata);
}

Test(eventtypes, are_found)
{
	cr_expect_str_eq(eventtype_of(EVENT_CPU_LOAD)->name, "jdk.CPULoad");
	for (int id = EVENT_FIRST; id < EVENT_END; id++) {
		const struct schema_type *type = eventtype_of((enum event_id)id);

		cr_expect_eq(type->id, id);
		cr_expect_eq(eventtype_find(str_of(type->name)), type);
	}
	cr_expect_null(eventtype_find(STR("jdk.CPULoa")));
	cr_expect_null(eventtype_find(STR("java.lang.Thread")));
	cr_expect_null(eventtype_find((struct str){ NULL, 0 }));
}

Test(eventtypes, say_what_can_be_set)
{
	const struct schema_type *load = eventtype_of(EVENT_CPU_LOAD);

	cr_expect_str_eq(eventtype_default(load, "enabled"), "false");
	cr_expect_str_eq(eventtype_default(load, "period"), "everyChunk");
	cr_expect_null(eventtype_default(load, "threshold"));
	cr_expect_null(eventtype_default(load, "perio"));
	cr_expect_str_eq(eventtype_default(eventtype_of(EVENT_THREAD_START), "stackTrace"),
			 "true");
	cr_expect_str_eq(eventtype_default(eventtype_of(EVENT_GC_PHASE_PAUSE), "threshold"),
			 "0 ns");
}

/*
 * What has a threshold lasts; what has stack traces has a place for them. Samples, which
 * are taken periodically, always have one.
 */
Test(eventtypes, have_the_fields_that_their_settings_need)
{
	struct metadata metadata = metadata_of_ours();

	for (int id = EVENT_FIRST; id < EVENT_END; id++) {
		const struct schema_type *row = eventtype_of((enum event_id)id);
		const struct type *type = metadata_event(&metadata, (uint64_t)id);

		cr_assert_not_null(type);
		cr_expect(type->has_plain_ticks, "%s", row->name);
		cr_expect_not_null(eventtype_default(row, "enabled"), "%s", row->name);
		cr_expect_eq(!eventtype_default(row, "threshold"), !type->duration, "%s",
			     row->name);
		cr_expect_eq(!eventtype_default(row, "stackTrace") &&
				     !(type->stack && eventtype_default(row, "period")),
			     !type->stack, "%s", row->name);
		cr_expect_not_null(type_annotation(type, "jdk.jfr.Label"), "%s", row->name);
		cr_expect_not_null(type_annotation(type, "jdk.jfr.Category"), "%s",
				   row->name);
	}
	forget(&metadata);
}

static void check_values(struct made *made, size_t index)
{
	struct event event = make_nth(made, index);
	struct value values[64];

	cr_assert(event.type && event.type->program.count <= 64);
	cr_assert(make_decode(made, index, values), "%zu", index);
	cr_expect_eq(event.type->id, EVENT_FIRST + (int64_t)index);
	for (size_t i = 0; i < event.type->field_count; i++) {
		const struct field *field = &event.type->fields[i];

		if (field->type->primitive == OP_STRING)
			cr_expect(str_is(values[field->slot].text, field->name));
	}
}

Test(eventtypes, of_each_an_event_is_written_and_read)
{
	struct made made = { 0 };

	cr_assert(everytype_write(&made.writer));
	cr_assert(make_open(&made), "%s", made.err.text);
	for (size_t i = 0; i < EVENT_COUNT; i++)
		check_values(&made, i);
	cr_expect_null(make_nth(&made, EVENT_COUNT).type);
	cr_expect(str_is(make_text(&made, "jdk.types.GCCause", 1), STR("cause")));
	cr_expect(str_is(make_text(&made, "jdk.types.NarrowOopMode", 1), STR("mode")));
	cr_expect(damage_is_none(&made.damage));
	make_clear(&made);
}

Test(eventtypes, survive_without_memory)
{
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		struct metadata metadata;
		struct err err = { 0 };

		fault_at(n);
		is_good = eventtypes_metadata(&metadata, &arena, &err);
		cr_expect_eq(is_good, !fault_happened());
		cr_expect(is_good || err.kind == ERR_MEMORY);
		fault_at(0);
		forget(&metadata);
	}
}
