#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>

#include "show.h"

#define LINE(type, values) "{\"v\":1,\"type\":\"" type "\",\"values\":{" values "}}\n"
#define ZERO "\"1970-01-01T00:00:00.000000000Z\""
#define TIME "\"startTime\":" ZERO

static const struct schema_type types[] = {
	TYPE("test.Point", NULL, FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPE("test.Bag", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("point", "test.Point"))),
	TYPE("test.Structs", "jdk.jfr.Event",
	     FIELDS(START, DURATION, FIELD("bag", "test.Bag"),
		    FIELD("pooled", "test.Bag", POOLED))),
	TYPE("test.Arrays", "jdk.jfr.Event",
	     FIELDS(START, FIELD("numbers", "int", ARRAY),
		    FIELD("points", "test.Point", ARRAY),
		    FIELD("bags", "test.Bag", POOLED, ARRAY),
		    FIELD("spans", "long", ARRAY, SPAN))),
	TYPE("test.Code", "jdk.jfr.Event",
	     FIELDS(FIELD("class", "java.lang.Class", POOLED),
		    FIELD("loader", "jdk.types.ClassLoader", POOLED),
		    FIELD("method", "jdk.types.Method", POOLED),
		    FIELD("group", "jdk.types.ThreadGroup", POOLED))),
	TYPE("test.Inline", "jdk.jfr.Event",
	     FIELDS(FIELD("class", "java.lang.Class"),
		    FIELD("group", "jdk.types.ThreadGroup"))),
	TYPE("test.Stack", "jdk.jfr.Event", FIELDS(START, THREAD, STACK)),
	TYPE("test.Link", NULL,
	     FIELDS(FIELD("x", "int"), FIELD("next", "test.Link", POOLED))),
	TYPE("test.OfLink", "jdk.jfr.Event", FIELDS(FIELD("link", "test.Link", POOLED))),
	TYPE("test.Nothing", "jdk.jfr.Event", FIELDS({ .name = NULL })),
	TYPES_END,
};

enum { NAME = 1, MAIN, ARRAY_OF_CLASS, SIGNATURE, ODD, BOOTSTRAP, APP };

static void make_code(struct writer *writer)
{
	POOL(writer, "jdk.types.Symbol");
	CONSTANT(writer, NAME, TEXT("java/util/Map$Entry"));
	CONSTANT(writer, MAIN, TEXT("main"));
	CONSTANT(writer, ARRAY_OF_CLASS, TEXT("[[Ljava/lang/String;"));
	CONSTANT(writer, SIGNATURE, TEXT("(I[[JLjava/util/Map$Entry;Z)V"));
	CONSTANT(writer, ODD, TEXT("a\"b\\\xed\xa0\xbd"));
	CONSTANT(writer, BOOTSTRAP, TEXT("bootstrap"));
	CONSTANT(writer, APP, TEXT("app"));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 1, KEY(1), KEY(NAME), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 2, KEY(1), KEY(ARRAY_OF_CLASS), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 3, KEY(1), KEY(ODD), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 4, KEY(1), KEY(0), KEY(0), INT(1), BOOLEAN(0));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, 1, KEY(0), KEY(BOOTSTRAP));
	CONSTANT(writer, 2, KEY(1), KEY(APP));
	CONSTANT(writer, 3, KEY(1), KEY(0));
	CONSTANT(writer, 4, KEY(0), KEY(APP));
	CONSTANT(writer, 5, KEY(1), KEY(BOOTSTRAP));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 1, KEY(1), KEY(MAIN), KEY(SIGNATURE), INT(1), BOOLEAN(0));
	CONSTANT(writer, 2, KEY(9), KEY(9), KEY(9), INT(1), BOOLEAN(0));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, 1, KEY(2), TEXT("main"));
	CONSTANT(writer, 2, KEY(0), NO_TEXT);
}

static void make_begin_all(struct made *made)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, types);
	make_code(writer);
	POOL(writer, "test.Bag");
	CONSTANT(writer, 1, NO_TEXT, INT(1), INT(2));
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 1, TEXT("os"), LONG(7), TEXT("main"), LONG(1), KEY(1),
		 BOOLEAN(0));
	POOL(writer, "jdk.types.FrameType");
	CONSTANT(writer, 1, TEXT("JIT"));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 1, BOOLEAN(0), COUNT(2), KEY(1), INT(5), INT(6), KEY(1), KEY(9),
		 INT(7), INT(8), KEY(9));
	CONSTANT(writer, 2, BOOLEAN(1), COUNT(0));
	POOL(writer, "test.Link");
	CONSTANT(writer, 1, INT(1), KEY(2));
	CONSTANT(writer, 2, INT(2), KEY(1));
}

static void expect(struct made *made, const char *wanted, int frames)
{
	cr_assert(make_bytes(made));
	SHOWS(made, wanted, .printer = &ndjson_printer, .frames = frames);
	SHOWS(made, wanted, .printer = &ndjson_printer, .frames = frames, .threads = 3);
	make_clear(made);
}

Test(ndjson, of_nothing_is_nothing)
{
	struct made made = { 0 };

	make_begin_all(&made);
	expect(&made, "", 0);
}

Test(ndjson, has_one_line_for_each_event)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Structs", LONG(0), LONG(5), TEXT("a\nb"), INT(7), INT(8),
	      KEY(1));
	EVENT(&made.writer, "test.Structs", LONG(0), LONG(0), TEXT("\u00e9"), INT(7), INT(8),
	      KEY(2));
	EVENT(&made.writer, "test.Nothing", { .kind = MAKE_END });
	expect(&made,
	       LINE("test.Structs",
		    TIME ",\"duration\":0,\"bag\":{\"name\":\"\u00e9\",\"point\":{\"x\":7,"
			 "\"y\":8}},\"pooled\":null")
	       LINE("test.Nothing", "")
	       LINE("test.Structs",
		    TIME ",\"duration\":5,\"bag\":{\"name\":\"a\\nb\",\"point\":{\"x\":7,"
			 "\"y\":8}},\"pooled\":{\"name\":null,\"point\":{\"x\":1,\"y\":2}}"),
	       0);
}

#define BAG "{\"name\":null,\"point\":{\"x\":1,\"y\":2}}"

Test(ndjson, has_arrays_of_all_kinds)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Arrays", LONG(0), COUNT(2), INT(7), INT(-8), COUNT(2),
	      INT(1), INT(2), INT(3), INT(4), COUNT(2), KEY(1), KEY(2), COUNT(2), LONG(5),
	      LONG(INT64_MIN));
	EVENT(&made.writer, "test.Arrays", LONG(0), COUNT(0), COUNT(0), COUNT(0), COUNT(0));
	expect(&made,
	       LINE("test.Arrays",
		    TIME ",\"numbers\":[7,-8],\"points\":[{\"x\":1,\"y\":2},{\"x\":3,"
			 "\"y\":4}],\"bags\":[" BAG ",null],\"spans\":[5,null]")
	       LINE("test.Arrays",
		    TIME ",\"numbers\":[],\"points\":[],\"bags\":[],\"spans\":[]"),
	       0);
}

#define CODE(class, loader, method, group)                                     \
	LINE("test.Code", "\"class\":" class ",\"loader\":" loader ",\"method\":" method \
	     ",\"group\":" group)

Test(ndjson, names_classes_loaders_methods_and_groups)
{
	static const int keys[][4] = { { 1, 1, 1, 1 }, { 2, 2, 2, 2 }, { 3, 3, 0, 0 },
				       { 4, 4, 0, 0 }, { 9, 5, 9, 9 }, { 1, 1, 1, 1 } };
	struct made made = { 0 };

	make_begin_all(&made);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		EVENT(&made.writer, "test.Code", KEY(keys[i][0]), KEY(keys[i][1]),
		      KEY(keys[i][2]), KEY(keys[i][3]));
#define FIRST                                                                  \
	CODE("\"java.util.Map$Entry\"", "null",                                \
	     "\"java.util.Map$Entry.main(int, long[][], Map$Entry, boolean)\"", \
	     "\"main\"")
	expect(&made,
	       FIRST CODE("\"java.lang.String[][]\"", "\"app\"", "\"<unknown>.null()\"",
			  "null")
	       CODE("\"a\\\"b\\\\?\"", "\"java.util.Map$Entry\"", "null", "null")
	       CODE("null", "\"app\"", "null", "null")
	       CODE("null", "\"bootstrap\"", "null", "null") FIRST,
	       0);
}

Test(ndjson, names_what_is_no_constant)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Inline", KEY(1), KEY(NAME), KEY(0), INT(1), BOOLEAN(0),
	      KEY(1), TEXT("in place"));
	expect(&made,
	       LINE("test.Inline",
		    "\"class\":\"java.util.Map$Entry\",\"group\":\"in place\""),
	       0);
}

#define THREAD_TEXT                                                            \
	"\"eventThread\":{\"osName\":\"os\",\"osThreadId\":7,\"javaName\":\"main\"," \
	"\"javaThreadId\":1,\"group\":\"main\",\"virtual\":false}"
#define FIRST_FRAME                                                            \
	"{\"method\":\"java.util.Map$Entry.main(int, long[][], Map$Entry, boolean)\"," \
	"\"lineNumber\":5,\"bytecodeIndex\":6,\"type\":\"JIT\"}"
#define SECOND_FRAME                                                           \
	"{\"method\":null,\"lineNumber\":7,\"bytecodeIndex\":8,\"type\":null}"
#define STACK_LINE(frames)                                                     \
	LINE("test.Stack", TIME "," THREAD_TEXT ",\"stackTrace\":{\"truncated\":false," \
	     "\"frames\":[" frames "]}")

Test(ndjson, has_threads_and_stack_traces_as_they_are)
{
	static const struct {
		int frames;
		const char *text;
	} samples[] = {
		{ 0, STACK_LINE(FIRST_FRAME "," SECOND_FRAME) },
		{ 1, STACK_LINE(FIRST_FRAME) },
		{ -1, STACK_LINE("") },
	};

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct made made = { 0 };

		make_begin_all(&made);
		EVENT(&made.writer, "test.Stack", LONG(0), KEY(1), KEY(1));
		expect(&made, samples[i].text, samples[i].frames);
	}
}

Test(ndjson, ends_at_a_constant_inside_itself)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.OfLink", KEY(1));
	EVENT(&made.writer, "test.OfLink", KEY(2));
	expect(&made,
	       LINE("test.OfLink", "\"link\":{\"x\":1,\"next\":{\"x\":2,\"next\":null}}")
	       LINE("test.OfLink", "\"link\":{\"x\":2,\"next\":{\"x\":1,\"next\":null}}"),
	       0);
}

Test(ndjson, quotes_names)
{
	const struct schema_type odd[] = {
		TYPE("test/\"\u00e9\"", "jdk.jfr.Event",
		     FIELDS(FIELD("a\\b", "int"), FIELD("\u20ac", "int"))),
		TYPES_END
	};
	struct made made = { 0 };

	make_begin(&made, odd);
	EVENT(&made.writer, odd[0].name, INT(1), INT(2));
	expect(&made, LINE("test/\\\"\u00e9\\\"", "\"a\\\\b\":1,\"\u20ac\":2"), 0);
}

/* A chain longer than constants are nested: its text depends on where it begins. */
Test(ndjson, cuts_long_chains_the_same_whatever_comes_first)
{
	enum { LINKS = 3000 };
	struct shown shown[2];
	size_t sizes[2];

	for (int turn = 0; turn < 2; turn++) {
		struct made made = { 0 };
		struct str rest, line;

		make_begin_all(&made);
		for (int i = 0; i < 3; i++)
			EVENT(&made.writer, "test.OfLink",
			      KEY(10 + LINKS / 4 * (turn ? 2 - i : i)));
		POOL(&made.writer, "test.Link");
		for (int i = 0; i < LINKS; i++)
			CONSTANT(&made.writer, (uint64_t)i + 10, INT(7), KEY(i + 11));
		cr_assert(make_bytes(&made));
		show(&shown[turn], &made, &(struct show){ .printer = &ndjson_printer });
		rest = (struct str){ shown[turn].text.bytes, shown[turn].text.size };
		sizes[turn] = rest.size / 3;
		while (str_split(&rest, '\n', &line))
			cr_expect_eq(line.size + 1, sizes[turn]);
		make_clear(&made);
	}
	cr_expect_eq(sizes[0], sizes[1]);
	cr_expect_eq(shown[0].text.size, shown[1].text.size);
	shown_clear(&shown[0]);
	shown_clear(&shown[1]);
}

#define NO_NOTES { { .type = NULL } }
#define UNIT(type_, value_) { NOTE("jdk.jfr." type_, value_) }
#define UNSIGNED { MARK("jdk.jfr.Unsigned") }
#define TIMESPAN(unit_) UNIT("Timespan", unit_)
#define TIMESTAMP(unit_) UNIT("Timestamp", unit_)

/* What a field of that type and with these annotations looks like. */
static const struct {
	const char *type;
	struct schema_note notes[2];
	struct make_value value;
	const char *text;
} samples[] = {
	{ "boolean", NO_NOTES, BOOLEAN(1), "true" },
	{ "byte", UNSIGNED, BYTE(-1), "255" },
	{ "char", NO_NOTES, CHAR('"'), "\"\\\"\"" },
	{ "char", NO_NOTES, CHAR(0xe9), "\"\u00e9\"" },
	{ "char", NO_NOTES, CHAR(0xd800), "\"\\ud800\"" },
	{ "int", NO_NOTES, INT(INT32_MIN), "-2147483648" },
	{ "long", NO_NOTES, LONG(INT64_MIN), "-9223372036854775808" },
	{ "long", UNSIGNED, LONG(-1), "18446744073709551615" },
	{ "float", NO_NOTES, FLOAT(1e7f), "1.0E7" },
	{ "double", NO_NOTES, DOUBLE(__builtin_nan("")), "null" },
	{ "double", NO_NOTES, DOUBLE(-__builtin_inf()), "null" },
	{ "java.lang.String", NO_NOTES, NO_TEXT, "null" },
	{ "java.lang.String", NO_NOTES, TEXT(""), "\"\"" },
	{ "java.lang.String", NO_NOTES, TEXT("a/\u00e9\U0001f600\t\1"),
	  "\"a/\u00e9\U0001f600\\t\\u0001\"" },
	{ "java.lang.String", NO_NOTES, TEXT("\xed\xa0\xbdz"), "\"\\ud83dz\"" },
	{ "long", TIMESPAN("NANOSECONDS"), LONG(-5), "-5" },
	{ "long", TIMESPAN("TICKS"), LONG(1500), "1500" },
	{ "int", TIMESPAN("MICROSECONDS"), INT(-1), "-1000" },
	{ "long", TIMESPAN("MILLISECONDS"), LONG(3), "3000000" },
	{ "int", TIMESPAN("SECONDS"), INT(7), "7000000000" },
	{ "long", TIMESPAN("SECONDS"), LONG(INT64_MAX / 2), "9223372036854775807" },
	{ "long", TIMESPAN("MILLISECONDS"), LONG(INT64_MIN + 1), "-9223372036854775808" },
	{ "long", TIMESPAN("MICROSECONDS"), LONG(9223372036854775), "9223372036854775000" },
	{ "long", TIMESPAN("MICROSECONDS"), LONG(9223372036854776), "9223372036854775807" },
	{ "long", TIMESPAN("SECONDS"), LONG(INT64_MAX), "9223372036854775807" },
	{ "long", TIMESPAN("TICKS"), LONG(INT64_MIN), "null" },
	{ "long", TIMESTAMP("TICKS"), LONG(1500000000),
	  "\"1970-01-01T00:00:01.500000000Z\"" },
	{ "long", TIMESTAMP("MILLISECONDS_SINCE_EPOCH"), LONG(1795981260542),
	  "\"2026-11-29T19:41:00.542000000Z\"" },
	{ "long", TIMESTAMP("MILLISECONDS_SINCE_EPOCH"), LONG(INT64_MAX),
	  "\"+292278994-08-17T07:12:55.807000000Z\"" },
	{ "long", TIMESTAMP("TICKS"), LONG(INT64_MIN), "null" },
	{ "float", UNIT("Percentage", NULL), FLOAT(0.12345f), "0.12345" },
	{ "long", UNIT("DataAmount", "BYTES"), LONG(INT64_MIN), "-9223372036854775808" },
	{ "double", UNIT("DataAmount", "BITS"), DOUBLE(1536.5), "1536.5" },
	{ "long", UNIT("MemoryAddress", NULL), LONG(-1), "18446744073709551615" },
	{ "int", UNIT("MemoryAddress", NULL), INT(16), "16" },
	{ "int", UNIT("Frequency", NULL), INT(50), "50" },
};

Test(ndjson, has_raw_values)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct schema_type one[] = {
			TYPE("test.E", "jdk.jfr.Event",
			     FIELDS(FIELD("x", samples[i].type,
					  .notes = samples[i].notes))),
			TYPES_END,
		};
		struct made made = { 0 };
		char wanted[128];

		make_begin(&made, one);
		EVENT(&made.writer, "test.E", samples[i].value);
		snprintf(wanted, sizeof(wanted), LINE("test.E", "\"x\":%s"),
			 samples[i].text);
		expect(&made, wanted, 0);
	}
}

/* Text and JSON are in the zone of the recording. */
Test(ndjson, is_in_utc)
{
	struct made made = { .writer.schema.gmt_offset = 3600000 };

	make_begin(&made, (const struct schema_type[]){
				  TYPE("test.E", "jdk.jfr.Event", FIELDS(START)),
				  TYPES_END });
	EVENT(&made.writer, "test.E", LONG(0));
	expect(&made, LINE("test.E", TIME), 0);
}
