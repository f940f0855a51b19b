#include <criterion/criterion.h>

#include "jfr/schema.h"
#include "make.h"

Test(schema, declares_what_was_described)
{
	struct made made = { 0 };
	const struct annotation *note;
	const struct type *type;
	struct str *elements;
	size_t count;

	make_begin(&made, TYPES(
		TYPE("a.Control", "jdk.jfr.SettingControl"),
		TYPE("a.Name", NULL, .is_simple = true, FIELDS(FIELD("x", "java.lang.String"))),
		TYPE("a.E", "jdk.jfr.Event", .id = 500,
		     FIELDS(START, FIELD("names", "a.Name", POOLED, ARRAY)),
		     NOTES(NOTE("jdk.jfr.Label", "An E"), MARK("jdk.jfr.Experimental"),
			   NOTE_OF("a.Note", MEMBER("who", "me"), MEMBER("list-0", "1"),
				   MEMBER("list-1", "2"))),
		     SETTINGS(SETTING("enabled", "a.Control", "true")))));
	cr_assert(make_open(&made), "%s", made.err.text);
	type = metadata_event(&made.chunk.metadata, 500);
	cr_assert(type && str_is(type->name, STR("a.E")));
	cr_expect(type->fields[1].array && type->fields[1].pooled);
	cr_expect_eq(type->fields[0].unit, UNIT_TIMESTAMP_TICKS);
	cr_expect(type->fields[0].has_content_type);
	cr_expect_eq(type->annotation_count, 3);
	note = type_annotation(type, "a.Note");
	cr_expect(str_is(annotation_member(note, STR("who")), STR("me")));
	elements = annotation_elements(note, STR("list"), &count);
	cr_assert_eq(count, 2);
	cr_expect(str_is(elements[1], STR("2")));
	free(elements);
	cr_expect(make_type(&made, "a.Control")->is_setting);
	cr_expect(make_type(&made, "a.Name")->is_simple);
	make_clear(&made);
}

Test(schema, declares_annotation_types_from_their_use)
{
	struct made made = { 0 };
	const struct type *type;

	make_begin(&made, TYPES(
		TYPE("a.T", NULL,
		     NOTES(NOTE_OF("a.Note", MEMBER("who", "me"), MEMBER("list-0", "1"),
				   MEMBER("list-1", "2")), MARK("a.Mark")))));
	cr_assert(make_open(&made), "%s", made.err.text);
	type = make_type(&made, "a.Note");
	cr_expect(str_is(type->super, STR("java.lang.annotation.Annotation")));
	cr_assert_eq(type->field_count, 2);
	cr_expect(str_is(type->fields[0].name, STR("who")) && !type->fields[0].array);
	cr_expect(str_is(type->fields[1].name, STR("list")) && type->fields[1].array);
	cr_expect_eq(make_type(&made, "a.Mark")->field_count, 0);
	make_clear(&made);
}

Test(schema, gives_ids_that_stay)
{
	struct schema schema = { 0 };
	int64_t id;

	schema_add(&schema, TYPES(TYPE("a", NULL), TYPE("b", NULL, .id = 700), TYPE("c", NULL)));
	id = schema_id(&schema, "a");
	cr_expect_gt(id, 1);
	cr_expect_eq(schema_id(&schema, "b"), 700);
	cr_expect_eq(schema_id(&schema, "c"), 701);
	cr_expect_eq(schema_id(&schema, "d"), -1);
	schema_add(&schema, TYPES(TYPE("d", NULL)));
	cr_expect_eq(schema_id(&schema, "a"), id);
	cr_expect_eq(schema_id(&schema, "d"), 702);
	schema_clear(&schema);
}

Test(schema, names_the_type_that_is_missing)
{
	struct made made = { 0 };

	make_begin(&made, TYPES(TYPE("a.T", NULL, FIELDS(FIELD("x", "a.Missing")))));
	cr_expect_not(make_open(&made));
	cr_expect_str_eq(made.err.text, "the type a.Missing is used, but not described");
	make_clear(&made);
}

Test(schema, tells_the_zone)
{
	struct made made = { 0 };

	made.writer.schema.gmt_offset = -3600000;
	made.writer.schema.dst = 1800000;
	make_begin(&made, make_jdk_types);
	cr_assert(make_open(&made));
	cr_expect_eq(metadata_zone(&made.chunk.metadata), -1800);
	make_clear(&made);
}
