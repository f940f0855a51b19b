/*
 * testdata.c - writes the sample recordings: testdata FOLDER.
 *
 * They land in FOLDER/testdata and, as seeds of the fuzz targets, in
 * FOLDER/tests/fuzz/corpus. testdata/README says what each is good for. Not run by
 * the build: the files are part of the sources, and running it must not change them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shop.h"
#include "testdata.h"

void sample_finish(struct writer *writer)
{
	struct err err;

	if (writer_close(writer, &err))
		return;
	fprintf(stderr, "testdata: %s\n", err.text);
	exit(1);
}

void sample_begin(struct writer *writer, const struct schema_type *types,
		  int64_t seconds)
{
	struct header header = shop_header(seconds);

	schema_clear(&writer->schema);
	writer_describe(writer, make_jdk_types);
	writer_describe(writer, types);
	writer->now = header.start_ticks;
	writer_open(writer, &header);
}

static void basic(struct writer *writer)
{
	writer->schema.gmt_offset = 3600000;
	writer->schema.dst = 3600000;
	sample_begin(writer, shop_types, 0);
	shop_constants(writer);
	shop_events(writer, SHOP_TICK);
}

/* A chunk with two sales: what most of the odd and bad files begin with. */
static void small(struct writer *writer, int64_t seconds)
{
	int64_t tick = SHOP_TICK + seconds * SHOP_SECOND;

	sample_begin(writer, shop_sale_types, seconds);
	shop_sale(writer, tick + 100, 2000000, MAIN_THREAD, MAIN_STACK, "tea");
	shop_sale(writer, tick + 200, 3000000, CLERK_THREAD, SELL_STACK, "coffee");
	shop_constants(writer);
}

static void two_chunks(struct writer *writer)
{
	small(writer, 0);
	writer->header.flags = HEADER_COMPRESSED;
	sample_finish(writer);
	sample_begin(writer, shop_later_types, 10);
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK + 11 * SHOP_SECOND), LONG(5000000),
	      KEY(CLERK_THREAD), KEY(SELL_STACK), TEXT("cake"), DOUBLE(3.5), INT(2),
	      BOOLEAN(true), LONG(7), FLOAT(0.25));
	EVENT(writer, "shop.Refund", LONG(SHOP_TICK + 12 * SHOP_SECOND), KEY(MAIN_THREAD),
	      TEXT("cake"), TEXT("stale"));
	shop_constants(writer);
}

/* The types that version 1 calls otherwise. */
static const struct schema_type version_1_types[] = {
	TYPE("com.oracle.jfr.types.Symbol", NULL, .is_simple = true,
	     FIELDS(FIELD("string", STRING))),
	TYPE("com.oracle.jfr.types.ThreadGroup", NULL,
	     FIELDS(FIELD("parent", "com.oracle.jfr.types.ThreadGroup", POOLED),
		    FIELD("name", STRING))),
	TYPE("java.lang.Thread", NULL,
	     FIELDS(FIELD("osName", STRING), FIELD("osThreadId", "long"),
		    FIELD("javaName", STRING), FIELD("javaThreadId", "long"),
		    FIELD("group", "com.oracle.jfr.types.ThreadGroup", POOLED))),
	TYPE("com.oracle.jfr.types.ClassLoader", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("name", "com.oracle.jfr.types.Symbol", POOLED))),
	TYPE("java.lang.Class", NULL,
	     FIELDS(FIELD("classLoader", "com.oracle.jfr.types.ClassLoader", POOLED),
		    FIELD("name", "com.oracle.jfr.types.Symbol", POOLED),
		    FIELD("modifiers", "int"))),
	TYPE("com.oracle.jfr.types.Method", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("name", "com.oracle.jfr.types.Symbol", POOLED),
		    FIELD("descriptor", "com.oracle.jfr.types.Symbol", POOLED),
		    FIELD("modifiers", "int"), FIELD("hidden", "boolean"))),
	TYPE("com.oracle.jfr.types.FrameType", NULL, .is_simple = true,
	     FIELDS(FIELD("description", STRING))),
	TYPE("com.oracle.jfr.types.StackFrame", NULL,
	     FIELDS(FIELD("method", "com.oracle.jfr.types.Method", POOLED),
		    FIELD("lineNumber", "int"), FIELD("bytecodeIndex", "int"),
		    FIELD("type", "com.oracle.jfr.types.FrameType", POOLED))),
	TYPE("com.oracle.jfr.types.StackTrace", NULL,
	     FIELDS(FIELD("truncated", "boolean"),
		    FIELD("frames", "com.oracle.jfr.types.StackFrame", ARRAY))),
	TYPE("com.oracle.jdk.ThreadSleep", EVENT_TYPE,
	     FIELDS(START, DURATION, THREAD,
		    FIELD("stackTrace", "com.oracle.jfr.types.StackTrace", POOLED),
		    FIELD("time", "long", NOTES(NOTE("jdk.jfr.Timespan", "MILLISECONDS")))),
	     NOTES(NOTE("jdk.jfr.Label", "Java Thread Sleep"))),
	TYPES_END,
};

static void version_1_constants(struct writer *writer)
{
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 1, TEXT("main"), LONG(17), TEXT("main"), LONG(1), KEY(1));
	POOL(writer, "com.oracle.jfr.types.ThreadGroup");
	CONSTANT(writer, 1, KEY(0), TEXT("main"));
	POOL(writer, "com.oracle.jfr.types.StackTrace");
	CONSTANT(writer, 1, BOOLEAN(false), COUNT(1), KEY(1), INT(5), INT(0), KEY(0));
	POOL(writer, "com.oracle.jfr.types.Method");
	CONSTANT(writer, 1, KEY(1), KEY(2), KEY(3), INT(9), BOOLEAN(false));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 1, KEY(1), KEY(1), INT(1));
	POOL(writer, "com.oracle.jfr.types.ClassLoader");
	CONSTANT(writer, 1, KEY(1), KEY(4));
	POOL(writer, "com.oracle.jfr.types.Symbol");
	CONSTANT(writer, 1, TEXT("old/Shop"));
	CONSTANT(writer, 2, TEXT("main"));
	CONSTANT(writer, 3, TEXT("([Ljava/lang/String;)V"));
	CONSTANT(writer, 4, TEXT("app"));
	POOL(writer, "com.oracle.jfr.types.FrameType");
	CONSTANT(writer, 0, TEXT("Interpreted"));
}

static void version_1(struct writer *writer)
{
	struct header header = shop_header(0);

	header.major = 1;
	header.minor = 0;
	header.flags = HEADER_COMPRESSED;
	writer_describe(writer, version_1_types);
	writer_open(writer, &header);
	EVENT(writer, "com.oracle.jdk.ThreadSleep", LONG(SHOP_TICK + 1000), LONG(20000000),
	      KEY(1), KEY(1), LONG(20));
	version_1_constants(writer);
}

static void version_2(struct writer *writer)
{
	small(writer, 0);
	writer->header.minor = 0;
	writer->header.state = 0;
	writer->header.flags = HEADER_COMPRESSED;
}

#define REFERENCE "jdk.types.Reference"
#define OLD_OBJECT "jdk.types.OldObject"

static const struct schema_type old_object_types[] = {
	TYPE("jdk.types.OldObjectArray", NULL,
	     FIELDS(FIELD("size", "int"), FIELD("index", "int"))),
	TYPE("jdk.types.OldObjectField", NULL,
	     FIELDS(FIELD("name", STRING), FIELD("modifiers", "short"))),
	TYPE(REFERENCE, NULL,
	     FIELDS(FIELD("array", "jdk.types.OldObjectArray", POOLED),
		    FIELD("field", "jdk.types.OldObjectField", POOLED),
		    FIELD("object", OLD_OBJECT, POOLED), FIELD("skip", "int"))),
	TYPE(OLD_OBJECT, NULL,
	     FIELDS(FIELD("address", "long", NOTES(MARK("jdk.jfr.MemoryAddress"))),
		    FIELD("type", "java.lang.Class", POOLED), FIELD("description", STRING),
		    FIELD("referrer", REFERENCE, POOLED))),
	TYPE("jdk.types.OldObjectRootSystem", NULL, .is_simple = true,
	     FIELDS(FIELD("system", STRING))),
	TYPE("jdk.types.OldObjectRootType", NULL, .is_simple = true,
	     FIELDS(FIELD("type", STRING))),
	TYPE("jdk.types.OldObjectGcRoot", NULL,
	     FIELDS(FIELD("description", STRING),
		    FIELD("system", "jdk.types.OldObjectRootSystem", POOLED),
		    FIELD("type", "jdk.types.OldObjectRootType", POOLED))),
	TYPE("jdk.OldObjectSample", EVENT_TYPE,
	     FIELDS(START, DURATION, THREAD, STACK, FIELD("allocationTime", "long", TICKS),
		    FIELD("objectSize", "long", NOTES(NOTE("jdk.jfr.DataAmount", "BYTES"))),
		    FIELD("object", OLD_OBJECT, POOLED), FIELD("arrayElements", "int"),
		    FIELD("root", "jdk.types.OldObjectGcRoot", POOLED)),
	     NOTES(NOTE("jdk.jfr.Label", "Old Object Sample"))),
	TYPES_END,
};

/* An array in an array, which two steps further a static field of a class holds. */
static void old_objects(struct writer *writer)
{
	sample_begin(writer, old_object_types, 0);
	EVENT(writer, "jdk.OldObjectSample", LONG(SHOP_TICK + 5), LONG(0), KEY(MAIN_THREAD),
	      KEY(MAIN_STACK), LONG(SHOP_TICK + 1), LONG(4096), KEY(1), INT(400), KEY(1));
	EVENT(writer, "jdk.OldObjectSample", LONG(SHOP_TICK + 5), LONG(0), KEY(MAIN_THREAD),
	      KEY(0), LONG(SHOP_TICK + 2), LONG(24), KEY(4), INT(INT32_MIN), KEY(0));
	POOL(writer, OLD_OBJECT);
	CONSTANT(writer, 1, LONG(0x7f001000), KEY(GRID_CLASS), NO_TEXT, KEY(1));
	CONSTANT(writer, 2, LONG(0x7f002000), KEY(GRID_CLASS), NO_TEXT, KEY(2));
	CONSTANT(writer, 3, LONG(0x7f003000), KEY(SHOP_CLASS), TEXT("Class Name: Shop"),
		 KEY(0));
	CONSTANT(writer, 4, LONG(0x7f004000), KEY(STRING_CLASS), NO_TEXT, KEY(0));
	POOL(writer, REFERENCE);
	CONSTANT(writer, 1, KEY(1), KEY(0), KEY(2), INT(0));
	CONSTANT(writer, 2, KEY(0), KEY(1), KEY(3), INT(2));
	POOL(writer, "jdk.types.OldObjectArray");
	CONSTANT(writer, 1, INT(3), INT(0));
	POOL(writer, "jdk.types.OldObjectField");
	CONSTANT(writer, 1, TEXT("leaks"), SHORT(8));
	POOL(writer, "jdk.types.OldObjectGcRoot");
	CONSTANT(writer, 1, TEXT("Shop::main"), KEY(1), KEY(0));
	POOL(writer, "jdk.types.OldObjectRootSystem");
	CONSTANT(writer, 1, TEXT("Class Loader Data"));
	POOL(writer, "jdk.types.OldObjectRootType");
	CONSTANT(writer, 0, TEXT("<unknown>"));
	shop_constants(writer);
}

/* An object that holds itself, a thread group in itself, two objects in each other. */
static void circles(struct writer *writer)
{
	sample_begin(writer, old_object_types, 0);
	for (int i = 1; i <= 2; i++)
		EVENT(writer, "jdk.OldObjectSample", LONG(SHOP_TICK + i), LONG(0), KEY(50),
		      KEY(0), LONG(SHOP_TICK + 1), LONG(24), KEY(i), INT(INT32_MIN), KEY(0));
	POOL(writer, OLD_OBJECT);
	CONSTANT(writer, 1, LONG(0x1000), KEY(STRING_CLASS), NO_TEXT, KEY(1));
	CONSTANT(writer, 2, LONG(0x2000), KEY(SHOP_CLASS), NO_TEXT, KEY(2));
	CONSTANT(writer, 3, LONG(0x3000), KEY(CLERK_CLASS), NO_TEXT, KEY(3));
	POOL(writer, REFERENCE);
	CONSTANT(writer, 1, KEY(0), KEY(1), KEY(1), INT(0));
	CONSTANT(writer, 2, KEY(0), KEY(1), KEY(3), INT(0));
	CONSTANT(writer, 3, KEY(0), KEY(1), KEY(2), INT(0));
	POOL(writer, "jdk.types.OldObjectField");
	CONSTANT(writer, 1, TEXT("next"), SHORT(2));
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 50, TEXT("circle"), LONG(1), TEXT("circle"), LONG(1), KEY(50),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, 50, KEY(50), TEXT("in itself"));
	shop_constants(writer);
}

void sample_checkpoint(struct writer *writer, const struct make_value *values)
{
	int64_t before;

	writer_end(writer);
	before = writer->header.checkpoint_at;
	writer->header.checkpoint_at = (int64_t)writer_position(writer);
	before -= writer->header.checkpoint_at;
	writer_event(writer, EVENT_CHECKPOINT);
	make_values(&writer->buf, VALUES(LONG(0), LONG(0), LONG(before), BYTE(0)));
	make_values(&writer->buf, values);
	writer_end(writer);
}

static void empty_pool(struct writer *writer)
{
	small(writer, 0);
	sample_checkpoint(writer,
		       VALUES(COUNT(1), LONG(writer_type(writer, SYMBOL)), COUNT(0)));
}

static void unknown_pool_type(struct writer *writer)
{
	small(writer, 0);
	sample_checkpoint(writer,
			  VALUES(COUNT(1), LONG(4242), COUNT(1), KEY(1), TEXT("x")));
}

static void missing_constants(struct writer *writer)
{
	sample_begin(writer, shop_types, 0);
	shop_sale(writer, SHOP_TICK, 5, 77, 78, "no thread, no stack");
	EVENT(writer, "shop.Delivery", LONG(SHOP_TICK), TEXT_KEY(77), NO_TEXT, INT(0),
	      BYTE(0), KEY(77), KEY(77), KEY(77), KEY(77), KEY(77), KEY(77), KEY(77),
	      COUNT(1), KEY(77), INT(3), INT(4), KEY(77));
	shop_sale(writer, SHOP_TICK, 5, MAIN_THREAD, MAIN_STACK, "all is there");
	shop_constants(writer);
}

static void frame_without_method(struct writer *writer)
{
	sample_begin(writer, shop_types, 0);
	shop_sale(writer, SHOP_TICK, 5, MAIN_THREAD, 500, "frames of all kinds");
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 500, BOOLEAN(false), COUNT(4), KEY(MAIN_METHOD), INT(1), INT(1),
		 KEY(0), KEY(0), INT(2), INT(2), KEY(0), KEY(999), INT(3), INT(3), KEY(0),
		 KEY(998), INT(4), INT(4), KEY(0));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 998, KEY(0), KEY(0), KEY(0), INT(0), BOOLEAN(false));
	shop_constants(writer);
}

/* The second run began an hour later, but its ticks start over. */
static void two_runs(struct writer *writer)
{
	struct header header = shop_header(3600);

	small(writer, 0);
	sample_finish(writer);
	small(writer, 0);
	header.chunk_size = 0;
	header.metadata_at = 0;
	header.checkpoint_at = writer->header.checkpoint_at;
	header.start_ticks = SHOP_TICK;
	header.state = writer->header.state;
	writer->header = header;
}

static void unknown_event(struct writer *writer)
{
	small(writer, 0);
	writer_event(writer, 4242);
	make_values(&writer->buf, VALUES(LONG(SHOP_TICK), TEXT("nobody knows me")));
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

static const struct schema_type array_types[] = {
	TYPE("odd.Point", NULL, FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPE("odd.Shape", NULL,
	     FIELDS(FIELD("name", STRING), FIELD("points", "odd.Point", ARRAY))),
	TYPE("odd.Arrays", EVENT_TYPE,
	     FIELDS(START, FIELD("numbers", "int", ARRAY), FIELD("texts", STRING, ARRAY),
		    FIELD("reals", "double", ARRAY), FIELD("flags", "boolean", ARRAY),
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
	      COUNT(4), TEXT("a"), NO_TEXT, TEXT(""), TEXT_KEY(1), COUNT(2), DOUBLE(0.5),
	      DOUBLE(__builtin_nan("")), COUNT(2), BOOLEAN(1), BOOLEAN(0), COUNT(2),
	      LONG(1500), LONG(INT64_MIN), COUNT(3), KEY(GRID_CLASS), KEY(0),
	      KEY(SHOP_CLASS));
	EVENT(writer, "odd.Arrays", LONG(SHOP_TICK), COUNT(0), COUNT(0), COUNT(0), COUNT(0),
	      COUNT(0), COUNT(0));
	shop_constants(writer);
}

static void array_of_structs(struct writer *writer)
{
	sample_begin(writer, array_types, 0);
	EVENT(writer, "odd.Shapes", LONG(SHOP_TICK), COUNT(2), INT(1), INT(2), INT(-3),
	      INT(4), COUNT(2), TEXT("line"), COUNT(2), INT(0), INT(0), INT(9), INT(9),
	      TEXT("nothing"), COUNT(0));
}

static void negative_keys(struct writer *writer)
{
	sample_begin(writer, shop_types, 0);
	shop_sale(writer, SHOP_TICK, 5, UINT64_MAX, (uint64_t)INT64_MIN, "negative keys");
	shop_sale(writer, SHOP_TICK, 6, 1ull << 40, MAIN_STACK, "a large key");
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, UINT64_MAX, TEXT("minus one"), LONG(1), TEXT("minus one"), LONG(1),
		 KEY(0), BOOLEAN(false));
	CONSTANT(writer, 1ull << 40, TEXT("large"), LONG(2), TEXT("large"), LONG(2), KEY(0),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, (uint64_t)INT64_MIN, BOOLEAN(false), COUNT(1), KEY(MAIN_METHOD),
		 INT(1), INT(1), KEY(0));
	shop_constants(writer);
}

static void duplicate_keys(struct writer *writer)
{
	sample_begin(writer, shop_types, 0);
	shop_sale(writer, SHOP_TICK, 5, 50, 0, "by the thread of the oldest checkpoint");
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "oldest", "middle", "newest" };

		POOL(writer, "java.lang.Thread");
		writer_constant(writer, 50);
		encode_string(&writer->buf, str_of(names[i]));
		make_values(&writer->buf, VALUES(LONG(1), TEXT_AS(STRING_LATIN1, "x"),
						 LONG(i + 1), KEY(0), BOOLEAN(false)));
		writer_end(writer);
	}
	shop_constants(writer);
}

static const struct schema_type simple_types[] = {
	TYPE("odd.Pooled", NULL, .is_simple = true, FIELDS(FIELD("name", SYMBOL, POOLED))),
	TYPE("odd.Array", NULL, .is_simple = true, FIELDS(FIELD("all", "int", ARRAY))),
	TYPE("odd.Two", NULL, .is_simple = true,
	     FIELDS(FIELD("first", "int"), FIELD("second", STRING))),
	TYPE("odd.Fields", EVENT_TYPE,
	     FIELDS(START, FIELD("pooled", "odd.Pooled"),
		    FIELD("pooledKey", "odd.Pooled", POOLED), FIELD("array", "odd.Array"),
		    FIELD("arrayKey", "odd.Array", POOLED), FIELD("two", "odd.Two"),
		    FIELD("twoKey", "odd.Two", POOLED),
		    FIELD("twos", "odd.Two", ARRAY), FIELD("end", STRING))),
	TYPE("odd.Simple", EVENT_TYPE, .is_simple = true,
	     FIELDS(START, THREAD, FIELD("x", "int"))),
	TYPES_END,
};

static void simple(struct writer *writer)
{
	sample_begin(writer, simple_types, 0);
	EVENT(writer, "odd.Fields", LONG(SHOP_TICK), KEY(1), KEY(1), COUNT(2), INT(1),
	      INT(2), KEY(1), INT(3), KEY(1), COUNT(2), INT(5), INT(6), TEXT("the end"));
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
	small(writer, 0);
	writer_describe(writer, wide_types);
	writer_event(writer, writer_type(writer, "odd.Wide"));
	encode_long(&writer->buf, SHOP_TICK);
	buf_fill(&writer->buf, 1, PROGRAM_VALUES_MAX);
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

/* A chunk as it is while the JVM runs: something behind what the header tells of. */
static void unfinished(struct writer *writer)
{
	struct err err;

	small(writer, 0);
	if (!writer_flush(writer, &err))
		exit(1);
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
	writer->is_open = false;
}

static void event_size_0(struct writer *writer)
{
	small(writer, 0);
	writer_end(writer);
	make_values(&writer->buf, VALUES(COUNT(0), COUNT(0), COUNT(0)));
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

static void event_too_short(struct writer *writer)
{
	small(writer, 0);
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK), LONG(5), KEY(1), KEY(1), TEXT("half"));
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

static void string(struct writer *writer)
{
	small(writer, 0);
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK), LONG(5), KEY(1), KEY(1), BYTE(9),
	      BYTES("a string of no known encoding"));
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK), LONG(5), KEY(1), KEY(1),
	      BYTE(STRING_UTF8), COUNT(INT32_MAX), BYTES("two gigabytes"));
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

static void checkpoint(struct writer *writer)
{
	small(writer, 0);
	sample_checkpoint(writer,
		       VALUES(COUNT(1), LONG(writer_type(writer, SYMBOL)), COUNT(1000),
			      KEY(900), TEXT("too few symbols")));
}

/*
 * The newest checkpoint lies within the one before it. No event is out of place: the
 * outer one ends where the inner one does. Both hold nothing: size, type, start,
 * duration, nine bytes of distance, kind, count of pools.
 */
static void checkpoints_overlap(struct writer *writer)
{
	int64_t size = 15, outer, before;

	small(writer, 0);
	writer_end(writer);
	outer = (int64_t)writer_position(writer);
	before = writer->header.checkpoint_at - outer;
	writer->header.checkpoint_at = outer + size;
	writer_event(writer, EVENT_CHECKPOINT);
	make_values(&writer->buf,
		    VALUES(LONG(0), LONG(0), LONG(before), BYTE(0), COUNT(0)));
	make_values(&writer->buf, VALUES(COUNT(size), LONG(EVENT_CHECKPOINT), LONG(0),
					 LONG(0), LONG(-size), BYTE(0), COUNT(0)));
}

/* The newest metadata refers to a string that its table does not have. */
static void metadata(struct writer *writer)
{
	small(writer, 0);
	writer_metadata(writer);
	writer->described = writer->schema.version;
	writer_end(writer);
	writer->header.metadata_at = (int64_t)writer_position(writer);
	writer_event(writer, EVENT_METADATA);
	make_values(&writer->buf, VALUES(LONG(0), LONG(0), LONG(9), COUNT(1), TEXT("root"),
					 COUNT(7), COUNT(0), COUNT(0)));
}

/* Metadata in front, constants behind: what is cut off at the end hurts least. */
static void front(struct writer *writer, int64_t seconds)
{
	int64_t tick = SHOP_TICK + seconds * SHOP_SECOND;

	sample_begin(writer, shop_sale_types, seconds);
	writer_metadata(writer);
	for (int i = 0; i < 40; i++)
		shop_sale(writer, tick + 100 * i, 2000000, MAIN_THREAD, MAIN_STACK, "tea");
	shop_constants(writer);
}

static void plain(struct writer *writer)
{
	front(writer, 0);
}

static void two_plain(struct writer *writer)
{
	front(writer, 0);
	sample_finish(writer);
	front(writer, 10);
}

static void three_small(struct writer *writer)
{
	for (int64_t seconds = 0; seconds <= 20; seconds += 10) {
		if (seconds)
			sample_finish(writer);
		small(writer, seconds);
	}
}

/* What is changed in the bytes of a whole recording. */
static void cut_in_half(struct buf *bytes)
{
	bytes->size /= 2;
}

static void cut_the_end(struct buf *bytes)
{
	bytes->size -= bytes->size / 4;
}

static void no_bytes(struct buf *bytes)
{
	bytes->size = 0;
}

static void other_magic(struct buf *bytes)
{
	memcpy(bytes->bytes, "FLX", 3);
}

static void old_version(struct buf *bytes)
{
	memcpy(bytes->bytes + 4, "\0\0\0\x09", 4);
}

static void size_0(struct buf *bytes)
{
	memset(bytes->bytes + 8, 0, 8);
}

/* In the second chunk, the place of the metadata. */
static void no_metadata(struct buf *bytes)
{
	struct header first;

	if (!header_read(&first, (unsigned char *)bytes->bytes, bytes->size, NULL))
		exit(1);
	make_number((unsigned char *)bytes->bytes + first.chunk_size, METADATA_AT, 0);
}

static void more_bytes(struct buf *bytes)
{
	buf_text(bytes, "and something that is no chunk");
}

static const struct {
	const char *name;
	void (*make)(struct writer *writer);
	void (*change)(struct buf *bytes);	/* NULL: nothing */
} files[] = {
	{ "good-basic", basic, NULL },
	{ "good-two-chunks", two_chunks, NULL },
	{ "good-v1", version_1, NULL },
	{ "good-v2", version_2, NULL },
	{ "good-old-objects", old_objects, NULL },
	{ "odd-empty-pool", empty_pool, NULL },
	{ "odd-missing-constants", missing_constants, NULL },
	{ "odd-frame-without-method", frame_without_method, NULL },
	{ "odd-unknown-pool-type", unknown_pool_type, NULL },
	{ "odd-two-runs", two_runs, NULL },
	{ "odd-unknown-event", unknown_event, NULL },
	{ "odd-array-of-primitives", array_of_primitives, NULL },
	{ "odd-array-of-structs", array_of_structs, NULL },
	{ "odd-negative-keys", negative_keys, NULL },
	{ "odd-duplicate-keys", duplicate_keys, NULL },
	{ "odd-circles", circles, NULL },
	{ "odd-simple-types", simple, NULL },
	{ "odd-wide-event", wide, NULL },
	{ "odd-unfinished", unfinished, NULL },
	{ "bad-truncated", plain, cut_in_half },
	{ "bad-magic", plain, other_magic },
	{ "bad-version-0.9", plain, old_version },
	{ "bad-empty", plain, no_bytes },
	{ "bad-chunk-size-0", plain, size_0 },
	{ "bad-event-size-0", event_size_0, NULL },
	{ "bad-event-too-short", event_too_short, NULL },
	{ "bad-second-chunk", two_plain, cut_the_end },
	{ "bad-chunk-between", three_small, no_metadata },
	{ "bad-metadata", metadata, NULL },
	{ "bad-checkpoint", checkpoint, NULL },
	{ "bad-checkpoints-overlap", checkpoints_overlap, NULL },
	{ "bad-string", string, NULL },
	{ "bad-trailing-bytes", plain, more_bytes },
};

void sample_save(const char *folder, const char *name, const struct buf *bytes)
{
	char path[4096];
	FILE *file;
	bool good;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	good = file && fwrite(bytes->bytes, 1, bytes->size, file) == bytes->size;
	if (file && fclose(file) == 0 && good)
		return;
	fprintf(stderr, "testdata: %s: %s\n", path, strerror(errno));
	exit(1);
}

static void write_recordings(const char *root)
{
	char folder[2048], name[64];

	snprintf(folder, sizeof(folder), "%s/testdata", root);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct writer writer = { 0 };

		files[i].make(&writer);
		if (writer.is_open)
			sample_finish(&writer);
		if (files[i].change)
			files[i].change(&writer.buf);
		snprintf(name, sizeof(name), "%s.jfr", files[i].name);
		sample_save(folder, name, &writer.buf);
		writer_clear(&writer);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: testdata FOLDER\n");
		return 2;
	}
	write_recordings(argv[1]);
	sample_seeds(argv[1]);
	return 0;
}
