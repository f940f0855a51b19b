/*
 * shapes.c - types as few recordings have them; for others see picture.c.
 */
#include <stdio.h>

#include "shop.h"
#include "samples/stall.h"

static const struct schema_type array_types[] = {
	TYPE("odd.Point", NULL, FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPE("odd.Shape", NULL,
	     FIELDS(FIELD("name", STRING), FIELD("points", "odd.Point", ARRAY))),
	TYPE("odd.Arrays", EVENT_TYPE,
	     FIELDS(START, FIELD("numbers", "int", ARRAY),
		    FIELD("texts", STRING, ARRAY), FIELD("reals", "double", ARRAY),
		    FIELD("flags", "boolean", ARRAY),
		    FIELD("spans", "long", ARRAY, SPAN),
		    FIELD("classes", "java.lang.Class", ARRAY, POOLED))),
	TYPE("odd.Shapes", EVENT_TYPE,
	     FIELDS(START, FIELD("points", "odd.Point", ARRAY),
		    FIELD("shapes", "odd.Shape", ARRAY))),
	TYPES_END,
};

static void array_of_primitives(struct writer *writer)
{
	sample_begin(writer, array_types, 0);
	EVENT(writer, "odd.Arrays", LONG(SHOP_TICK), COUNT(3), INT(1), INT(-2), INT(3),
	      COUNT(4), TEXT("a"), NO_TEXT, TEXT(""), TEXT_KEY(1), COUNT(2),
	      DOUBLE(0.5), DOUBLE(__builtin_nan("")), COUNT(2), BOOLEAN(1), BOOLEAN(0),
	      COUNT(2), LONG(1500), LONG(INT64_MIN), COUNT(3), KEY(GRID_CLASS), KEY(0),
	      KEY(SHOP_CLASS));
	EVENT(writer, "odd.Arrays", LONG(SHOP_TICK), COUNT(0), COUNT(0), COUNT(0),
	      COUNT(0), COUNT(0), COUNT(0));
	shop_constants(writer);
}

static void array_of_structs(struct writer *writer)
{
	sample_begin(writer, array_types, 0);
	EVENT(writer, "odd.Shapes", LONG(SHOP_TICK), COUNT(2), INT(1), INT(2), INT(-3),
	      INT(4), COUNT(2), TEXT("line"), COUNT(2), INT(0), INT(0), INT(9), INT(9),
	      TEXT("nothing"), COUNT(0));
}

static const struct schema_type simple_types[] = {
	TYPE("odd.Pooled", NULL, .is_simple = true,
	     FIELDS(FIELD("name", SYMBOL, POOLED))),
	TYPE("odd.Array", NULL, .is_simple = true, FIELDS(FIELD("all", "int", ARRAY))),
	TYPE("odd.Two", NULL, .is_simple = true,
	     FIELDS(FIELD("first", "int"), FIELD("second", STRING))),
	TYPE("odd.Fields", EVENT_TYPE,
	     FIELDS(START, FIELD("pooled", "odd.Pooled"),
		    FIELD("pooledKey", "odd.Pooled", POOLED),
		    FIELD("array", "odd.Array"), FIELD("arrayKey", "odd.Array", POOLED),
		    FIELD("two", "odd.Two"), FIELD("twoKey", "odd.Two", POOLED),
		    FIELD("twos", "odd.Two", ARRAY), FIELD("end", STRING))),
	TYPE("odd.Simple", EVENT_TYPE, .is_simple = true,
	     FIELDS(START, THREAD, FIELD("x", "int"))),
	TYPES_END,
};

static void simple(struct writer *writer)
{
	sample_begin(writer, simple_types, 0);
	EVENT(writer, "odd.Fields", LONG(SHOP_TICK), KEY(1), KEY(1), COUNT(2), INT(1),
	      INT(2), KEY(1), INT(3), KEY(1), COUNT(2), INT(5), INT(6),
	      TEXT("the end"));
	EVENT(writer, "odd.Simple", LONG(SHOP_TICK + 1), KEY(MAIN_THREAD), INT(7));
	POOL(writer, "odd.Pooled");
	CONSTANT(writer, 1, KEY(1));
	POOL(writer, "odd.Array");
	CONSTANT(writer, 1, COUNT(1), INT(8));
	POOL(writer, "odd.Two");
	CONSTANT(writer, 1, INT(4));
	shop_constants(writer);
}

/* Sixteen of a type. */
#define SIXTEEN(type)                                                          \
	FIELDS(FIELD("a", type), FIELD("b", type), FIELD("c", type),           \
	       FIELD("d", type), FIELD("e", type), FIELD("f", type),           \
	       FIELD("g", type), FIELD("h", type), FIELD("i", type),           \
	       FIELD("j", type), FIELD("k", type), FIELD("l", type),           \
	       FIELD("m", type), FIELD("n", type), FIELD("o", type),           \
	       FIELD("p", type))

static const struct schema_type wide_types[] = {
	TYPE("odd.Row", NULL, SIXTEEN("byte")),
	TYPE("odd.Table", NULL, SIXTEEN("odd.Row")),
	TYPE("odd.Book", NULL, SIXTEEN("odd.Table")),
	TYPE("odd.Wide", EVENT_TYPE, FIELDS(START, FIELD("book", "odd.Book"))),
	TYPES_END,
};

/* One value more than are decoded of one event. */
static void wide(struct writer *writer)
{
	sample_small(writer, 0);
	writer_describe(writer, wide_types);
	writer_event(writer, writer_type(writer, "odd.Wide"));
	encode_long(&writer->buf, SHOP_TICK);
	buf_fill(&writer->buf, 1, PROGRAM_VALUES_MAX);
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

static const struct schema_type bare_types[] = {
	TYPE("odd.Thing", NULL, FIELDS(FIELD("size", "int"), FIELD("name", STRING))),
	TYPE("odd.Bare", EVENT_TYPE,
	     FIELDS(START, THREAD, FIELD("x", "int"), FIELD("aLongName2", STRING),
		    FIELD("thing", "odd.Thing"), FIELD("$", "long"))),
	TYPE("Bare", EVENT_TYPE, FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

/* Nothing has a label or a category, and one type has no package. */
static void no_labels(struct writer *writer)
{
	sample_begin(writer, bare_types, 0);
	EVENT(writer, "odd.Bare", LONG(SHOP_TICK), KEY(MAIN_THREAD), INT(1),
	      TEXT("text"), INT(2), TEXT("name"), LONG(3));
	EVENT(writer, "Bare", LONG(SHOP_TICK + 1), INT(4));
	stall_constants(writer);
}

static const struct schema_type order_types[] = {
	TYPE("odd.StartLast", EVENT_TYPE,
	     FIELDS(STACK, FIELD("x", "int"), THREAD, DURATION, START)),
	TYPE("odd.NoStart", EVENT_TYPE, FIELDS(FIELD("x", "int"), THREAD)),
	TYPE("odd.NoFields", EVENT_TYPE),
	TYPES_END,
};

/* The fields that events have are in another order, or not there at all. */
static void start_last(struct writer *writer)
{
	sample_begin(writer, order_types, 0);
	EVENT(writer, "odd.StartLast", KEY(SELL_STACK), INT(1), KEY(MAIN_THREAD),
	      LONG(5), LONG(SHOP_TICK + 10));
	EVENT(writer, "odd.NoStart", INT(2), KEY(MAIN_THREAD));
	EVENT(writer, "odd.NoFields", BYTES(""));
	EVENT(writer, "odd.StartLast", KEY(MAIN_STACK), INT(3), KEY(CLERK_THREAD),
	      LONG(5), LONG(SHOP_TICK + 5));
	stall_constants(writer);
}

/* Events that everybody knows, with other fields than HotSpot gives them. */
static const struct schema_type known_types[] = {
	TYPE("jdk.ExecutionSample", EVENT_TYPE,
	     FIELDS(STACK, START, FIELD("state", "int"), FIELD("weight", "long"))),
	TYPE("jdk.GCHeapSummary", EVENT_TYPE, FIELDS(START, FIELD("gcId", STRING))),
	TYPE("jdk.CPULoad", EVENT_TYPE,
	     FIELDS(START, FIELD("jvmUser", "double"), FIELD("machineTotal", STRING))),
	TYPE("jdk.ThreadStart", EVENT_TYPE, FIELDS(START, FIELD("thread", "long"))),
	TYPES_END,
};

static void known_events(struct writer *writer)
{
	sample_begin(writer, known_types, 0);
	EVENT(writer, "jdk.ExecutionSample", KEY(SELL_STACK), LONG(SHOP_TICK), INT(5),
	      LONG(100));
	EVENT(writer, "jdk.GCHeapSummary", LONG(SHOP_TICK + 1), TEXT("seven"));
	EVENT(writer, "jdk.CPULoad", LONG(SHOP_TICK + 2), DOUBLE(0.5), TEXT("half"));
	EVENT(writer, "jdk.ThreadStart", LONG(SHOP_TICK + 3), LONG(31));
	stall_constants(writer);
}

enum { LEVELS = 60 };

/* Structs in structs, sixty of them. */
static void deep_struct(struct writer *writer)
{
	static char names[LEVELS + 1][16];
	static struct schema_field fields[LEVELS + 1][2];
	struct schema_type types[LEVELS + 2] = { 0 };

	for (int i = 0; i <= LEVELS; i++) {
		snprintf(names[i], sizeof(names[i]), "odd.Level%d", i);
		fields[i][0] = (struct schema_field)FIELD("x",
							  i ? names[i - 1] : "int");
		types[i] = (struct schema_type)TYPE(names[i], NULL,
						    .fields = fields[i]);
	}
	stall_open(writer, 0);
	writer_describe(writer, types);
	writer_describe(writer, TYPES(TYPE("odd.Deep", EVENT_TYPE,
					   FIELDS(START, FIELD("x", names[LEVELS])))));
	EVENT(writer, "odd.Deep", LONG(SHOP_TICK), INT(7));
	writer_metadata(writer);
	stall_end(writer);
}

const struct sample shape_samples[] = {
	{ "odd-array-of-primitives", .make = array_of_primitives },
	{ "odd-array-of-structs", .make = array_of_structs },
	{ "odd-simple-types", .make = simple },
	{ "odd-wide-event", .make = wide },
	{ "odd-no-labels", .make = no_labels },
	{ "odd-start-last", .make = start_last },
	{ "odd-known-events", .make = known_events },
	{ "odd-deep-struct", .make = deep_struct },
	{ .name = NULL },
};
