#include <criterion/criterion.h>

#include "render/chain.h"
#include "show.h"

#define TIME "  startTime = 00:00:00.000 (1970-01-01)\n"

static const struct schema_type types[] = {
	TYPE("jdk.types.OldObject", NULL,
	     FIELDS(FIELD("address", "long"), FIELD("type", "java.lang.Class", POOLED),
		    FIELD("description", "java.lang.String"),
		    FIELD("referrer", "jdk.types.Reference", POOLED))),
	TYPE("jdk.types.Reference", NULL,
	     FIELDS(FIELD("array", "jdk.types.OldObjectArray", POOLED),
		    FIELD("field", "jdk.types.OldObjectField", POOLED),
		    FIELD("object", "jdk.types.OldObject", POOLED),
		    FIELD("skip", "int"))),
	TYPE("jdk.types.OldObjectArray", NULL,
	     FIELDS(FIELD("size", "int"), FIELD("index", "int"))),
	TYPE("jdk.types.OldObjectField", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("modifiers", "short"))),
	TYPE("test.Sample", "jdk.jfr.Event",
	     FIELDS(START, FIELD("object", "jdk.types.OldObject", POOLED),
		    FIELD("arrayElements", "int"))),
	TYPE("test.Held", "jdk.jfr.Event",
	     FIELDS(START, FIELD("by", "jdk.types.Reference", POOLED),
		    FIELD("arrayElements", "int"))),
	TYPE("test.NoSize", "jdk.jfr.Event",
	     FIELDS(START, FIELD("object", "jdk.types.OldObject", POOLED))),
	TYPES_END,
};

enum { NONE = 99 };

static void make_begin_all(struct made *made)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, types);
	POOL(writer, "jdk.types.Symbol");
	CONSTANT(writer, 1, TEXT("a/Leak"));
	CONSTANT(writer, 2, TEXT("[I"));
	CONSTANT(writer, 3, TEXT("[[La/Leak;"));
	POOL(writer, "java.lang.Class");
	for (int i = 1; i <= 3; i++)
		CONSTANT(writer, (uint64_t)i, KEY(0), KEY(i), KEY(0), INT(0),
			 BOOLEAN(0));
	POOL(writer, "jdk.types.OldObjectArray");
	CONSTANT(writer, 1, INT(30), INT(7));
	POOL(writer, "jdk.types.OldObjectField");
	CONSTANT(writer, 1, TEXT("held"), SHORT(0));
}

/* An object of class 1, 2 or 3, and the reference to it with the same key. */
static void add_object(struct made *made, uint64_t key, int class,
		       const char *description, int64_t referrer)
{
	POOL(&made->writer, "jdk.types.OldObject");
	writer_constant(&made->writer, key);
	make_values(&made->writer.buf, VALUES(LONG(4096), KEY(class)));
	encode_string(&made->writer.buf, str_of(description));
	encode_long(&made->writer.buf, referrer);
}

static void add_reference(struct made *made, uint64_t key, int array, int field,
			  int64_t object, int skip)
{
	POOL(&made->writer, "jdk.types.Reference");
	CONSTANT(&made->writer, key, KEY(array), KEY(field), KEY(object), INT(skip));
}

static void add_sample(struct made *made, int64_t object, int size)
{
	EVENT(&made->writer, "test.Sample", LONG(0), KEY(object), INT(size));
}

Test(chain, leads_from_the_object_to_its_root)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_object(&made, 1, 2, NULL, 1);
	add_reference(&made, 1, 1, NONE, 2, 0);
	add_object(&made, 2, 3, NULL, 2);
	add_reference(&made, 2, NONE, 1, 3, 12);
	add_object(&made, 3, 1, "Class Name: \"x\"", NONE);
	add_sample(&made, 1, 400);
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.Sample {\n" TIME "  object =  [\n"
	      "    int[400]\n"
	      "    [7] : a.Leak[30][]\n"
	      "    ...\n"
	      "    held : a.Leak Class Name: \"x\"\n"
	      "  ]\n"
	      "  arrayElements = 400\n}\n\n",
	      0);
	make_clear(&made);
}

/* The text depends on the event: it is not kept with the constant. */
Test(chain, has_the_size_that_its_event_tells)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_object(&made, 1, 2, NULL, NONE);
	add_sample(&made, 1, 400);
	add_sample(&made, 1, 0);
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.Sample {\n" TIME "  object =  [\n    int[400]\n  ]\n"
	      "  arrayElements = 400\n}\n\n"
	      "test.Sample {\n" TIME "  object =  [\n    int[]\n  ]\n"
	      "  arrayElements = 0\n}\n\n",
	      0);
	make_clear(&made);
}

Test(chain, shows_what_is_known_where_something_is_missing)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_object(&made, 1, NONE, "unseen", 1);
	add_reference(&made, 1, NONE, NONE, NONE, 0);
	add_sample(&made, 1, 0);
	add_sample(&made, NONE, 0);
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.Sample {\n" TIME "  object =  [\n    \n     :   ]\n"
	      "  arrayElements = 0\n}\n\n"
	      "test.Sample {\n" TIME "  object = N/A\n  arrayElements = 0\n}\n\n",
	      0);
	make_clear(&made);
}

Test(chain, ends_where_a_field_is_missing)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_object(&made, 1, 1, NULL, 1);
	EVENT(&made.writer, "test.NoSize", LONG(0), KEY(1));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made, "test.NoSize {\n" TIME "  object =  [\n      ]\n}\n\n", 0);
	make_clear(&made);
}

/* The JDK ends it somewhere, too, depending on which of its constants it met first. */
Test(chain, ends_where_it_becomes_a_ring)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_object(&made, 1, 1, NULL, 1);
	add_reference(&made, 1, NONE, 1, 2, 0);
	add_object(&made, 2, 2, NULL, 2);
	add_reference(&made, 2, NONE, 1, 1, 0);
	add_sample(&made, 1, 0);
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.Sample {\n" TIME
	      "  object =  [\n    a.Leak\n    held : int[]\n    held : a.Leak\n  ]\n"
	      "  arrayElements = 0\n}\n\n",
	      0);
	make_clear(&made);
}

/* Nor is it kept with constants that hold the object. */
Test(chain, has_that_size_inside_of_other_constants)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_object(&made, 1, 2, NULL, NONE);
	add_reference(&made, 1, NONE, NONE, 1, 0);
	EVENT(&made.writer, "test.Held", LONG(0), KEY(1), INT(400));
	EVENT(&made.writer, "test.Held", LONG(0), KEY(1), INT(7));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.Held {\n" TIME
	      "  by = {\n    array = N/A\n    field = N/A\n"
	      "    object =  [\n      int[400]\n    ]\n    skip = 0\n  }\n"
	      "  arrayElements = 400\n}\n\n"
	      "test.Held {\n" TIME
	      "  by = {\n    array = N/A\n    field = N/A\n"
	      "    object =  [\n      int[7]\n    ]\n    skip = 0\n  }\n"
	      "  arrayElements = 7\n}\n\n",
	      0);
	make_clear(&made);
}

static const struct schema_type few[] = {
	TYPE("java.lang.Class", NULL, FIELDS(FIELD("name", "java.lang.String"))),
	TYPE("jdk.types.OldObject", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("description", "java.lang.String"),
		    FIELD("referrer", "jdk.types.Reference", POOLED))),
	TYPE("jdk.types.Reference", NULL,
	     FIELDS(FIELD("skip", "int"),
		    FIELD("array", "jdk.types.OldObjectField", POOLED),
		    FIELD("field", "jdk.types.OldObjectField", POOLED))),
	TYPE("jdk.types.OldObjectField", NULL, FIELDS(FIELD("modifiers", "short"))),
	TYPE("test.Sample", "jdk.jfr.Event",
	     FIELDS(START, FIELD("object", "jdk.types.OldObject", POOLED),
		    FIELD("arrayElements", "int"))),
	TYPES_END,
};

/* What is skipped is said before the holder turns out to have no name. */
Test(chain, ends_at_a_holder_that_has_no_name)
{
	struct made made = { 0 };

	make_begin(&made, few);
	POOL(&made.writer, "java.lang.Class");
	CONSTANT(&made.writer, 1, TEXT("a/Leak"));
	POOL(&made.writer, "jdk.types.OldObject");
	CONSTANT(&made.writer, 1, KEY(1), NO_TEXT, KEY(1));
	POOL(&made.writer, "jdk.types.Reference");
	CONSTANT(&made.writer, 1, INT(2), KEY(NONE), KEY(1));
	POOL(&made.writer, "jdk.types.OldObjectField");
	CONSTANT(&made.writer, 1, SHORT(0));
	add_sample(&made, 1, 0);
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.Sample {\n" TIME "  object =  [\n    a.Leak\n    ...\n  ]\n"
	      "  arrayElements = 0\n}\n\n",
	      0);
	make_clear(&made);
}
