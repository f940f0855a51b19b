#include <criterion/criterion.h>

#include "jfr/metadata.h"
#include "make.h"

/* Metadata read from a picture, or from types described. */
struct sample {
	struct metadata metadata;
	struct arena arena;
	struct err err;
	struct buf buf;
};

static bool read(struct sample *sample)
{
	return metadata_read(&sample->metadata, make_cursor(&sample->buf).at,
			     sample->buf.size, &sample->arena, &sample->err);
}

static bool read_picture(struct sample *sample, const char *picture)
{
	make_metadata(&sample->buf, picture);
	return read(sample);
}

static void clear(struct sample *sample)
{
	metadata_clear(&sample->metadata);
	arena_clear(&sample->arena);
	buf_clear(&sample->buf);
}

static const struct type *named(const struct sample *sample, const char *name)
{
	for (size_t i = 0; i < sample->metadata.type_count; i++) {
		if (str_is(sample->metadata.types[i].name, str_of(name)))
			return &sample->metadata.types[i];
	}
	cr_assert_fail("no type %s", name);
	return NULL;
}

Test(metadata, knows_types_by_their_ids)
{
	struct sample sample = { 0 };

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=long id=2\n"
					"  class name=a.E id=3 superType=jdk.jfr.Event\n"
					"  class name=a.S id=70000 simpleType=true\n"
					"  class name=a.C id=5 superType=jdk.jfr.SettingControl\n"
					"  class name=a.F id=900719925474099 superType=jdk.jfr.Event\n"
					"  class name=a.N id=-3\n"));
	cr_expect_eq(sample.metadata.type_count, 6);
	cr_expect_eq(metadata_type(&sample.metadata, 2)->primitive, OP_LONG);
	cr_expect(metadata_type(&sample.metadata, 3)->is_event);
	cr_expect(metadata_type(&sample.metadata, 70000)->is_simple);
	cr_expect(metadata_type(&sample.metadata, 5)->is_setting);
	cr_expect(str_is(metadata_type(&sample.metadata, -3)->name, STR("a.N")));
	cr_expect_null(metadata_type(&sample.metadata, 4));
	cr_expect_eq(metadata_event(&sample.metadata, 3), named(&sample, "a.E"));
	cr_expect_eq(metadata_event(&sample.metadata, 900719925474099), named(&sample, "a.F"));
	cr_expect_null(metadata_event(&sample.metadata, 2));
	cr_expect_null(metadata_event(&sample.metadata, 70000));
	cr_expect_null(metadata_event(&sample.metadata, UINT64_MAX));
	clear(&sample);
}

Test(metadata, takes_the_frames_of_the_format_for_no_events)
{
	struct sample sample = { 0 };

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=a.Zero id=0 superType=jdk.jfr.Event\n"
					"  class name=a.One id=1 superType=jdk.jfr.Event\n"));
	cr_expect_null(metadata_event(&sample.metadata, 0));
	cr_expect_null(metadata_event(&sample.metadata, 1));
	clear(&sample);
}

Test(metadata, lets_the_first_type_of_an_id_count)
{
	struct sample sample = { 0 };

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=first id=7\n"
					"  class name=second id=7\n"));
	cr_expect(str_is(metadata_type(&sample.metadata, 7)->name, STR("first")));
	cr_expect_eq(sample.metadata.type_count, 2);
	clear(&sample);
}

Test(metadata, shows_nothing_of_simple_types_that_are_no_plain_value)
{
	struct sample sample = { 0 };
	const struct type *user;

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=int id=2\n"
					"  class name=a.Key id=3 simpleType=true\n"
					"   field name=x class=2 constantPool=true\n"
					"  class name=a.Many id=4 simpleType=true\n"
					"   field name=x class=2 dimension=1\n"
					"  class name=a.OfKey id=5 simpleType=true\n"
					"   field name=x class=3\n"
					"  class name=a.Lost id=6 simpleType=true\n"
					"   field name=x class=99\n"
					"  class name=a.Two id=7 simpleType=true\n"
					"   field name=x class=2\n"
					"   field name=y class=2 dimension=1\n"
					"  class name=a.User id=8\n"
					"   field name=a class=3\n"
					"   field name=b class=4 constantPool=true\n"
					"   field name=c class=5\n"
					"   field name=d class=6\n"
					"   field name=e class=7 dimension=1\n"));
	user = named(&sample, "a.User");
	cr_expect_null(named(&sample, "a.Key")->shown);
	cr_expect_null(user->fields[0].shown);
	cr_expect_null(user->fields[1].shown);
	cr_expect_null(user->fields[2].shown);
	cr_expect_null(user->fields[3].shown);
	cr_expect_eq(user->fields[4].shown, metadata_type(&sample.metadata, 2));
	cr_expect_eq(user->shown, user);
	clear(&sample);
}

Test(metadata, takes_no_event_for_a_simple_type)
{
	struct sample sample = { 0 };
	const struct type *event;

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=long id=2\n"
					"  class name=a.E id=3 simpleType=true"
					" superType=jdk.jfr.Event\n"
					"   field name=startTime class=2\n"
					"   field name=x class=2\n"));
	event = named(&sample, "a.E");
	cr_expect_not(event->is_simple);
	cr_expect_eq(event->shown, event);
	cr_expect_eq(metadata_event(&sample.metadata, 3), event);
	clear(&sample);
}

Test(metadata, reads_fields)
{
	struct sample sample = { 0 };
	const struct type *type;

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=long id=2\n"
					"  class name=a.S id=3\n"
					"   field name=plain class=2\n"
					"   field name=many class=2 dimension=1\n"
					"   field name=key class=3 constantPool=true\n"
					"   field name=lost class=99\n"
					"   field class=2 dimension=0\n"));
	type = metadata_type(&sample.metadata, 3);
	cr_assert_eq(type->field_count, 5);
	cr_expect_eq(type_field(type, "plain"), &type->fields[0]);
	cr_expect_not(type->fields[0].array || type->fields[0].pooled);
	cr_expect(type->fields[1].array);
	cr_expect(type->fields[2].pooled);
	cr_expect_eq(type->fields[2].type, type);
	cr_expect_null(type->fields[3].type);
	cr_expect_null(type->fields[3].shown);
	cr_expect(str_is(type->fields[4].name, STR("")));
	cr_expect_not(type->fields[4].array);
	cr_expect_null(type_field(type, "none"));
	clear(&sample);
}

Test(metadata, sees_through_simple_types_but_not_in_circles)
{
	struct sample sample = { 0 };

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=java.lang.String id=2\n"
					"  class name=a.Inner id=3 simpleType=true\n"
					"   field name=x class=2\n"
					"  class name=a.Outer id=4 simpleType=true\n"
					"   field name=x class=3\n"
					"   field name=ignored class=9\n"
					"  class name=a.Ring id=5 simpleType=true\n"
					"   field name=x class=5\n"
					"  class name=a.Empty id=6 simpleType=true\n"
					"  class name=a.User id=7\n"
					"   field name=x class=4\n"
					"   field name=y class=5\n"
					"   field name=z class=6\n"));
	cr_expect_eq(named(&sample, "a.User")->fields[0].shown, sample.metadata.string);
	cr_expect_null(named(&sample, "a.User")->fields[1].shown);
	cr_expect_eq(named(&sample, "a.User")->fields[2].shown, named(&sample, "a.Empty"));
	clear(&sample);
}

Test(metadata, reads_annotations)
{
	struct sample sample = { 0 };
	const struct annotation *annotation;
	const struct type *type;
	struct str *elements;
	size_t count;

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=jdk.jfr.Category id=2\n"
					"  class name=jdk.jfr.Label id=4\n"
					"  class name=a.E id=3\n"
					"   annotation class=2 value-0=Java value-1=GC other-0=x\n"
					"   annotation class=99 value=lost\n"
					"   field name=f class=2\n"
					"    annotation class=4 value=Text\n"));
	type = named(&sample, "a.E");
	cr_expect_eq(type->annotation_count, 1);
	annotation = type_annotation(type, "jdk.jfr.Category");
	elements = annotation_elements(annotation, STR("value"), &count);
	cr_assert_eq(count, 2);
	cr_expect(str_is(elements[0], STR("Java")));
	cr_expect(str_is(elements[1], STR("GC")));
	free(elements);
	free(annotation_elements(NULL, STR("value"), &count));
	cr_expect_eq(count, 0);
	cr_expect_null(type_annotation(type, "jdk.jfr.Label"));
	annotation = field_annotation(&type->fields[0], "jdk.jfr.Label");
	cr_expect(str_is(annotation_member(annotation, STR("value")), STR("Text")));
	cr_expect_null(annotation_member(annotation, STR("none")).bytes);
	cr_expect_null(annotation_member(NULL, STR("value")).bytes);
	clear(&sample);
}

static void expect_elements(const struct annotation *annotation, const char *member,
			    const char *wanted)
{
	struct buf joined = { 0 };
	struct str *elements;
	size_t count;

	elements = annotation_elements(annotation, str_of(member), &count);
	cr_assert_not_null(elements);
	for (size_t i = 0; i < count; i++) {
		buf_str(&joined, elements[i]);
		buf_byte(&joined, ';');
	}
	cr_expect(str_is((struct str){ joined.bytes, joined.size }, str_of(wanted)),
		  "%s: %.*s", member, (int)joined.size, joined.bytes);
	buf_clear(&joined);
	free(elements);
}

Test(metadata, gives_the_elements_of_a_member_in_order)
{
	struct sample sample = { 0 };
	const struct annotation *annotation;

	cr_assert(read_picture(&sample,
			       "root\n"
			       " metadata\n"
			       "  class name=a.A id=2\n"
			       "  class name=a.E id=3\n"
			       "   annotation class=2 back-1=b back-0=a gap-0=a gap-2=c"
			       " late-1=b single=x twice-0=a twice-0=b odd-=a odd-x=b"
			       " odd-0x=c odd-0000000000=d far-99999999=a more-0=a"
			       " more-01=b more=c\n"));
	annotation = type_annotation(named(&sample, "a.E"), "a.A");
	expect_elements(annotation, "back", "a;b;");
	expect_elements(annotation, "gap", "a;");
	expect_elements(annotation, "late", "");
	expect_elements(annotation, "single", "");
	expect_elements(annotation, "twice", "b;");
	expect_elements(annotation, "odd", "");
	expect_elements(annotation, "far", "");
	expect_elements(annotation, "more", "a;b;");
	expect_elements(annotation, "mor", "");
	expect_elements(annotation, "none", "");
	expect_elements(NULL, "none", "");
	clear(&sample);
}

/* How fields are declared, and what that makes of their numbers. */
static const struct {
	struct schema_field field;
	enum unit unit;
} units[] = {
	{ FIELD("a", "long"), UNIT_NONE },
	{ FIELD("a", "long", SPAN), UNIT_TIMESPAN_TICKS },
	{ FIELD("a", "int", NOTES(NOTE("jdk.jfr.Timespan", "NANOSECONDS"))),
	  UNIT_TIMESPAN_NANOS },
	{ FIELD("a", "short", NOTES(NOTE("jdk.jfr.Timespan", "MICROSECONDS"))),
	  UNIT_TIMESPAN_MICROS },
	{ FIELD("a", "byte", NOTES(NOTE("jdk.jfr.Timespan", "MILLISECONDS"))),
	  UNIT_TIMESPAN_MILLIS },
	{ FIELD("a", "long", NOTES(NOTE("jdk.jfr.Timespan", "SECONDS"))),
	  UNIT_TIMESPAN_SECONDS },
	{ FIELD("a", "long", NOTES(NOTE("jdk.jfr.Timespan", "YEARS"))), UNIT_NONE },
	{ FIELD("a", "double", SPAN), UNIT_NONE },
	{ FIELD("a", "java.lang.String", SPAN), UNIT_NONE },
	{ FIELD("a", "long", TICKS), UNIT_TIMESTAMP_TICKS },
	{ FIELD("a", "long", NOTES(NOTE("jdk.jfr.Timestamp", "MILLISECONDS_SINCE_EPOCH"))),
	  UNIT_TIMESTAMP_MILLIS },
	{ FIELD("a", "long", NOTES(NOTE("jdk.jfr.Timestamp", "TOCKS"))), UNIT_NONE },
	{ FIELD("a", "float", NOTES(MARK("jdk.jfr.Percentage"))), UNIT_PERCENTAGE },
	{ FIELD("a", "java.lang.String", NOTES(MARK("jdk.jfr.Percentage"))), UNIT_NONE },
	{ FIELD("a", "long", NOTES(NOTE("jdk.jfr.DataAmount", "BYTES"))), UNIT_BYTES },
	{ FIELD("a", "long", NOTES(NOTE("jdk.jfr.DataAmount", "BITS"))), UNIT_BITS },
	{ FIELD("a", "long",
		NOTES(NOTE("jdk.jfr.DataAmount", "BYTES"), MARK("jdk.jfr.Frequency"))),
	  UNIT_BYTES_PER_SECOND },
	{ FIELD("a", "long",
		NOTES(MARK("jdk.jfr.Frequency"), NOTE("jdk.jfr.DataAmount", "BITS"))),
	  UNIT_BITS_PER_SECOND },
	{ FIELD("a", "long", NOTES(MARK("jdk.jfr.MemoryAddress"))), UNIT_ADDRESS },
	{ FIELD("a", "double", NOTES(MARK("jdk.jfr.Frequency"))), UNIT_FREQUENCY },
	{ FIELD("a", "char", NOTES(MARK("jdk.jfr.Frequency"))), UNIT_NONE },
	{ FIELD("a", "boolean", NOTES(MARK("jdk.jfr.BooleanFlag"))), UNIT_NONE },
};

static struct buf described(const struct schema_type *types)
{
	struct writer writer = { 0 };
	struct buf bytes = { 0 };

	writer_describe(&writer, types);
	writer_open(&writer, NULL);
	writer_metadata(&writer);
	buf_add(&bytes, writer.buf.bytes + HEADER_SIZE, writer.buf.size - HEADER_SIZE);
	writer_clear(&writer);
	return bytes;
}

Test(metadata, understands_units)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const struct schema_field fields[] = { units[i].field, { .name = NULL } };
		const struct schema_type types[] = {
			{ .name = "a.T", .fields = fields },
			TYPES_END,
		};
		struct sample sample = { .buf = described(types) };

		cr_assert(read(&sample), "%s", sample.err.text);
		cr_expect_eq(named(&sample, "a.T")->fields[0].unit, units[i].unit,
			     "case %zu: %d", i, named(&sample, "a.T")->fields[0].unit);
		clear(&sample);
	}
}

Test(metadata, understands_marks)
{
	struct sample sample = { .buf = described(TYPES(
		TYPE("a.T", NULL,
		     FIELDS(FIELD("u", "int", NOTES(MARK("jdk.jfr.Unsigned"))),
			    FIELD("v", "double", NOTES(MARK("jdk.jfr.Unsigned"))),
			    FIELD("w", "long", NOTES(MARK("jdk.jfr.Contextual"))),
			    FIELD("c", "char", NOTES(MARK("jdk.jfr.Unsigned"))))))) };
	const struct field *fields;

	cr_assert(read(&sample), "%s", sample.err.text);
	fields = named(&sample, "a.T")->fields;
	cr_expect(fields[0].is_unsigned);
	cr_expect(fields[0].has_content_type);
	cr_expect_not(fields[1].is_unsigned);
	cr_expect(fields[2].is_contextual);
	cr_expect_not(fields[2].has_content_type);
	cr_expect_not(fields[3].is_unsigned);
	clear(&sample);
}

Test(metadata, knows_what_events_have)
{
	struct sample sample = { .buf = described(make_jdk_types) };
	struct sample events = { .buf = described(TYPES(
		TYPE("java.lang.Thread", NULL, FIELDS(FIELD("x", "int"))),
		TYPE("jdk.types.StackTrace", NULL, FIELDS(FIELD("x", "int"))),
		TYPE("a.All", "jdk.jfr.Event", FIELDS(START, DURATION, THREAD, STACK)),
		TYPE("a.None", "jdk.jfr.Event", FIELDS(FIELD("x", "int"))))) };
	const struct type *all, *none;

	cr_assert(read(&sample) && read(&events));
	cr_expect_eq(named(&sample, "java.lang.Thread")->role, TYPE_THREAD);
	cr_expect_eq(named(&sample, "jdk.types.ThreadGroup")->role, TYPE_THREAD_GROUP);
	cr_expect_eq(named(&sample, "java.lang.Class")->role, TYPE_CLASS);
	cr_expect_eq(named(&sample, "jdk.types.ClassLoader")->role, TYPE_CLASS_LOADER);
	cr_expect_eq(named(&sample, "jdk.types.Method")->role, TYPE_METHOD);
	cr_expect_eq(named(&sample, "jdk.types.StackTrace")->role, TYPE_STACK_TRACE);
	cr_expect_eq(named(&sample, "jdk.types.StackFrame")->role, TYPE_STACK_FRAME);
	cr_expect_eq(named(&sample, "jdk.types.Symbol")->role, TYPE_PLAIN);
	all = named(&events, "a.All");
	none = named(&events, "a.None");
	cr_expect(all->start == &all->fields[0] && all->duration == &all->fields[1]);
	cr_expect(all->thread == &all->fields[2] && all->stack == &all->fields[3]);
	cr_expect_not(none->start || none->duration || none->thread || none->stack);
	cr_expect(str_is(type_simple_name(all), STR("All")));
	clear(&sample);
	clear(&events);
}

Test(metadata, knows_the_names_of_version_1)
{
	struct sample sample = { 0 };

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class name=com.oracle.jfr.types.Method id=2\n"
					"  class name=com.oracle.jfr.types.StackTrace id=3\n"
					"  class name=com.oracle.Method id=4\n"
					"  class name=com.oracle.jfr.types.OldObject id=5\n"
					"  class name=jdk.types.OldObject id=6\n"));
	cr_expect_eq(metadata_type(&sample.metadata, 2)->role, TYPE_METHOD);
	cr_expect_eq(metadata_type(&sample.metadata, 3)->role, TYPE_STACK_TRACE);
	cr_expect_eq(metadata_type(&sample.metadata, 4)->role, TYPE_PLAIN);
	cr_expect_eq(metadata_type(&sample.metadata, 5)->role, TYPE_PLAIN);
	cr_expect_eq(metadata_type(&sample.metadata, 6)->role, TYPE_OLD_OBJECT);
	clear(&sample);
}

Test(metadata, tells_the_zone)
{
	static const struct {
		const char *region;
		int zone;
	} cases[] = {
		{ "root\n metadata\n", 0 },
		{ "root\n metadata\n region\n", 0 },
		{ "root\n metadata\n region gmtOffset=3600000 dst=3600000\n", 7200 },
		{ "root\n metadata\n region gmtOffset=-12600999\n", -12600 },
		{ "root\n metadata\n region gmtOffset=64800000\n", 64800 },
		{ "root\n metadata\n region gmtOffset=64801000\n", 0 },
		{ "root\n metadata\n region gmtOffset=9223372036854775807 dst=1\n", 0 },
		{ "root\n region gmtOffset=x dst=1000\n metadata\n", 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sample sample = { 0 };

		cr_assert(read_picture(&sample, cases[i].region));
		cr_expect_eq(metadata_zone(&sample.metadata), cases[i].zone, "case %zu", i);
		clear(&sample);
	}
}

Test(metadata, must_declare_types)
{
	struct sample sample = { 0 };

	cr_expect_not(read_picture(&sample, "root\n region\n"));
	cr_expect_str_eq(sample.err.text, "the metadata event declares no types");
	cr_expect_eq(sample.err.kind, ERR_FORMAT);
	clear(&sample);
}

Test(metadata, survives_types_without_name_or_id)
{
	struct sample sample = { 0 };

	cr_assert(read_picture(&sample, "root\n"
					" metadata\n"
					"  class\n"
					"  class name=a id=x superType=jdk.jfr.Event\n"
					"   field\n"
					"    annotation\n"));
	cr_expect_eq(sample.metadata.type_count, 2);
	cr_expect(str_is(sample.metadata.types[0].name, STR("")));
	cr_expect_null(metadata_event(&sample.metadata, 0));
	clear(&sample);
}
