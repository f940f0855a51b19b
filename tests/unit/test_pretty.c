#include <criterion/criterion.h>

#include "show.h"

#define TIME "  startTime = 00:00:00.000 (1970-01-01)\n"

static const struct schema_type types[] = {
	TYPE("test.Empty", "jdk.jfr.Event", FIELDS(START)),
	TYPE("test.Long", "jdk.jfr.Event", FIELDS(START, DURATION, FIELD("x", "int"))),
	TYPE("test.Point", NULL, FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPE("test.Box", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("corner", "test.Point"),
		    FIELD("duration", "long"))),
	TYPE("test.Structs", "jdk.jfr.Event",
	     FIELDS(START, FIELD("inner", "test.Box"), FIELD("pooled", "test.Box", POOLED))),
	TYPE("test.Arrays", "jdk.jfr.Event",
	     FIELDS(START, FIELD("numbers", "int", ARRAY),
		    FIELD("points", "test.Point", ARRAY),
		    FIELD("boxes", "test.Box", POOLED, ARRAY),
		    FIELD("frames", "jdk.types.StackFrame", ARRAY))),
	TYPE("test.Frame", "jdk.jfr.Event",
	     FIELDS(START, FIELD("frame", "jdk.types.StackFrame", POOLED),
		    FIELD("x", "int"))),
	TYPE("test.Thread", "jdk.jfr.Event",
	     FIELDS(START, THREAD, FIELD("other", "java.lang.Thread", POOLED), STACK,
		    FIELD("last", "int"))),
	TYPE("test.Odd", "jdk.jfr.Event",
	     FIELDS(START, FIELD("eventThread", "int"), FIELD("stackTrace", "int"))),
	TYPES_END,
};

/* Stack traces: 0 to 5 have as many frames; 6 is cut, 7 has a hidden frame first. */
static void make_traces(struct writer *writer)
{
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 1, KEY(1), KEY(1), KEY(2), INT(0), BOOLEAN(0));
	CONSTANT(writer, 2, KEY(1), KEY(1), KEY(2), INT(0), BOOLEAN(1));
	POOL(writer, "jdk.types.StackTrace");
	for (int count = 0; count <= 5; count++) {
		CONSTANT(writer, (uint64_t)count, BOOLEAN(0), COUNT(count));
		for (int line = 1; line <= count; line++)
			make_values(&writer->buf,
				    VALUES(KEY(1), INT(line), INT(0), KEY(1)));
	}
	CONSTANT(writer, 6, BOOLEAN(1), COUNT(1), KEY(1), INT(-1), INT(0), KEY(1));
	CONSTANT(writer, 7, BOOLEAN(0), COUNT(3), KEY(2), INT(1), INT(0), KEY(1), KEY(1),
		 INT(2), INT(0), KEY(1), KEY(1), INT(0), INT(0), KEY(1));
}

static void make_begin_all(struct made *made)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, types);
	POOL(writer, "jdk.types.Symbol");
	CONSTANT(writer, 1, TEXT("run"));
	CONSTANT(writer, 2, TEXT("()V"));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 1, KEY(0), KEY(1), KEY(0), INT(0), BOOLEAN(0));
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 1, TEXT("os"), LONG(11), TEXT("main"), LONG(1), KEY(0), BOOLEAN(0));
	POOL(writer, "test.Box");
	CONSTANT(writer, 1, TEXT("pool"), INT(1), INT(2), LONG(0));
	make_traces(writer);
}

Test(pretty, shows_an_event_without_anything)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Empty", LONG(0));
	cr_assert(make_bytes(&made));
	SHOWS(&made, "test.Empty {\n" TIME "}\n\n", 0);
	make_clear(&made);
}

Test(pretty, leaves_out_a_duration_of_zero_but_only_that_of_the_event)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Long", LONG(0), LONG(0), INT(1));
	EVENT(&made.writer, "test.Long", LONG(0), LONG(1000000), INT(1));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      "test.Long {\n" TIME "  x = 1\n}\n\n"
	      "test.Long {\n" TIME "  duration = 1.00 ms\n  x = 1\n}\n\n",
	      .events = "Long");
	make_clear(&made);
}

Test(pretty, indents_structs)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Structs", LONG(0), TEXT("box"), INT(7), INT(-8), LONG(0),
	      KEY(1));
	EVENT(&made.writer, "test.Structs", LONG(0), NO_TEXT, INT(7), INT(-8), LONG(0),
	      KEY(2));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      "test.Structs {\n" TIME
	      "  inner = {\n    name = \"box\"\n    corner = {\n      x = 7\n      y = -8\n"
	      "    }\n    duration = 0\n  }\n"
	      "  pooled = {\n    name = \"pool\"\n    corner = {\n      x = 1\n"
	      "      y = 2\n    }\n    duration = 0\n  }\n"
	      "}\n\n"
	      "test.Structs {\n" TIME
	      "  inner = {\n    name = N/A\n    corner = {\n      x = 7\n      y = -8\n"
	      "    }\n    duration = 0\n  }\n"
	      "  pooled = N/A\n"
	      "}\n\n",
	      0);
	make_clear(&made);
}

/* Here the JDK knows frames alone, and writes all of them on one line. */
Test(pretty, shows_the_elements_of_arrays)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Arrays", LONG(0), COUNT(2), INT(7), INT(-8), COUNT(1),
	      INT(1), INT(2), COUNT(2), KEY(1), KEY(9), COUNT(2), KEY(1), INT(5), INT(0),
	      KEY(1), KEY(1), INT(-1), INT(0), KEY(1));
	EVENT(&made.writer, "test.Arrays", LONG(0), COUNT(0), COUNT(0), COUNT(0), COUNT(0));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      "test.Arrays {\n" TIME
	      "  numbers = [\n    7\n    -8\n  ]\n"
	      "  points = [\n    {\n      x = 1\n      y = 2\n    }\n  ]\n"
	      "  boxes = [\n    {\n      name = \"pool\"\n      corner = {\n"
	      "        x = 1\n        y = 2\n      }\n      duration = 0\n    }\n"
	      "    N/A\n  ]\n"
	      "  frames = [\n    run.run() line: 5,     run.run()  ]\n"
	      "}\n\n"
	      "test.Arrays {\n" TIME
	      "  numbers = [\n  ]\n  points = [\n  ]\n  boxes = [\n  ]\n  frames = [\n  ]\n"
	      "}\n\n",
	      0);
	make_clear(&made);
}

/* Here the JDK fails. */
Test(pretty, shows_units_in_arrays)
{
	struct made made = { 0 };

	make_begin(&made, TYPES(TYPE("test.Units", "jdk.jfr.Event",
				     FIELDS(START, FIELD("spans", "long", ARRAY, SPAN),
					    FIELD("sizes", "int", ARRAY,
						  NOTES(NOTE("jdk.jfr.DataAmount",
							     "BYTES")))))));
	EVENT(&made.writer, "test.Units", LONG(0), COUNT(2), LONG(5000000), LONG(INT64_MIN),
	      COUNT(1), INT(2048));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      "test.Units {\n" TIME "  spans = [\n    5.00 ms\n    N/A\n  ]\n"
	      "  sizes = [\n    2.0 kB\n  ]\n}\n\n",
	      0);
	make_clear(&made);
}

Test(pretty, shows_thread_and_stack_trace_last)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Thread", LONG(0), KEY(1), KEY(1), KEY(2), INT(3));
	EVENT(&made.writer, "test.Thread", LONG(0), KEY(8), KEY(8), KEY(8), INT(3));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      "test.Thread {\n" TIME
	      "  other = \"main\" (javaThreadId = 1)\n"
	      "  last = 3\n"
	      "  eventThread = \"main\" (javaThreadId = 1)\n"
	      "  stackTrace = [\n    run.run() line: 1\n    run.run() line: 2\n  ]\n"
	      "}\n\n"
	      "test.Thread {\n" TIME "  other = N/A\n  last = 3\n}\n\n",
	      0);
	make_clear(&made);
}

Test(pretty, takes_thread_and_stack_trace_by_their_types)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Odd", LONG(0), INT(1), INT(2));
	cr_assert(make_bytes(&made));
	SHOWS(&made, "test.Odd {\n" TIME "}\n\n", 0);
	make_clear(&made);
}

/* The stack trace of an event that has the one with that key. */
static void expect_stack(uint64_t key, int frames, const char *wanted, int line)
{
	struct buf text = { 0 };
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Thread", LONG(0), KEY(8), KEY(8), KEY(key), INT(3));
	cr_assert(make_bytes(&made));
	buf_printf(&text,
		   "test.Thread {\n" TIME "  other = N/A\n  last = 3\n  stackTrace = [\n"
		   "%s  ]\n}\n\n%c",
		   wanted, 0);
	show_compare(&made, &(const struct show){ .frames = frames }, text.bytes, line);
	buf_clear(&text);
	make_clear(&made);
}

#define EXPECT_STACK(key, frames, wanted) expect_stack(key, frames, wanted, __LINE__)
#define FRAME(line) "    run.run() line: " #line "\n"
#define MORE "    ...\n"

Test(pretty, cuts_stack_traces)
{
	EXPECT_STACK(0, 5, "");
	EXPECT_STACK(0, -1, MORE);
	EXPECT_STACK(3, -1, MORE);
	EXPECT_STACK(3, 1, FRAME(1) MORE);
	EXPECT_STACK(3, 2, FRAME(1) FRAME(2) MORE);
	EXPECT_STACK(3, 64, FRAME(1) FRAME(2) FRAME(3));
}

/* As many frames as asked for are followed by dots, though nothing is missing. */
Test(pretty, ends_stack_traces_as_the_jdk_does)
{
	EXPECT_STACK(3, 3, FRAME(1) FRAME(2) FRAME(3) MORE);
	EXPECT_STACK(5, 5, FRAME(1) FRAME(2) FRAME(3) FRAME(4) FRAME(5) MORE);
	EXPECT_STACK(6, 5, "    run.run()\n" MORE);
	EXPECT_STACK(7, 5, FRAME(2) FRAME(0));
	EXPECT_STACK(7, 1, FRAME(2));
	EXPECT_STACK(7, 2, FRAME(2) FRAME(0));
	EXPECT_STACK(7, 3, FRAME(2) FRAME(0) MORE);
}

/* Not marked as one that says what a value is, an annotation changes the value alone. */
Test(pretty, shows_iso_times_where_the_annotation_is_no_content_type)
{
	struct made made = { 0 };

	make_begin(&made,
		   TYPES(TYPE("jdk.jfr.Timespan", "java.lang.annotation.Annotation",
			      FIELDS(FIELD("value", "java.lang.String"))),
			 TYPE("jdk.jfr.Timestamp", "java.lang.annotation.Annotation",
			      FIELDS(FIELD("value", "java.lang.String"))),
			 TYPE("test.Times", "jdk.jfr.Event",
			      FIELDS(START, FIELD("x", "long", SPAN)))));
	EVENT(&made.writer, "test.Times", LONG(1), LONG(1500));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.Times {\n  startTime = 1970-01-01T00:00:00.000000001Z\n"
	      "  x = PT0.0000015S\n}\n\n",
	      0);
	make_clear(&made);
}

Test(pretty, shows_missing_strings_and_traces_without_frames)
{
	struct made made = { 0 };

	make_begin(&made,
		   TYPES(TYPE("test.Name", NULL, .is_simple = true,
			      FIELDS(FIELD("x", "java.lang.String"))),
			 TYPE("jdk.types.StackTrace", NULL,
			      FIELDS(FIELD("truncated", "boolean"))),
			 TYPE("test.E", "jdk.jfr.Event",
			      FIELDS(START, FIELD("name", "test.Name", POOLED), STACK))));
	EVENT(&made.writer, "test.E", LONG(0), KEY(1), KEY(1));
	EVENT(&made.writer, "test.E", LONG(1), KEY(2), KEY(2));
	POOL(&made.writer, "test.Name");
	CONSTANT(&made.writer, 1, TEXT("tea"));
	POOL(&made.writer, "jdk.types.StackTrace");
	CONSTANT(&made.writer, 1, BOOLEAN(1));
	CONSTANT(&made.writer, 2, BOOLEAN(0));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.E {\n" TIME "  name = \"tea\"\n  stackTrace = [\n    ...\n  ]\n}\n\n"
	      "test.E {\n" TIME "  name = N/A\n  stackTrace = [\n  ]\n}\n\n",
	      0);
	make_clear(&made);
}

/* No JDK writes frames as constants, and its printer forgets to end their line. */
Test(pretty, shows_frames_that_are_constants_as_the_jdk_does)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Frame", LONG(0), KEY(1), INT(3));
	EVENT(&made.writer, "test.Frame", LONG(0), KEY(99), INT(4));
	POOL(&made.writer, "jdk.types.StackFrame");
	CONSTANT(&made.writer, 1, KEY(1), INT(7), INT(0), KEY(0));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      "test.Frame {\n" TIME "  frame = run.run() line: 7  x = 3\n}\n\n"
	      "test.Frame {\n" TIME "  frame = N/A\n  x = 4\n}\n\n",
	      0);
	make_clear(&made);
}

static const struct schema_type native_types[] = {
	TYPE("jdk.types.StackFrame", NULL,
	     FIELDS(FIELD("javaFrame", "boolean"), FIELD("lineNumber", "int"))),
	TYPE("test.Native", "jdk.jfr.Event",
	     FIELDS(START, FIELD("frame", "jdk.types.StackFrame", POOLED))),
	TYPES_END,
};

Test(pretty, shows_frames_that_are_not_of_java_as_structs)
{
	struct made made = { 0 };

	make_begin(&made, native_types);
	EVENT(&made.writer, "test.Native", LONG(0), KEY(1));
	POOL(&made.writer, "jdk.types.StackFrame");
	CONSTANT(&made.writer, 1, BOOLEAN(0), INT(7));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      "test.Native {\n" TIME
	      "  frame = {\n    javaFrame = false\n    lineNumber = 7\n  }\n}\n\n",
	      0);
	make_clear(&made);
}
