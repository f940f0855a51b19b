#include <criterion/criterion.h>

#include "show.h"

#define HEAD "{\n  \"recording\": {\n    \"events\": ["
#define TAIL "]\n  }\n}"
#define TIME "        \"startTime\": \"1970-01-01T00:00Z\""

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
		    FIELD("bags", "test.Bag", POOLED, ARRAY))),
	TYPE("test.Odd", "jdk.jfr.Event",
	     FIELDS(START, FIELD("bags", "test.Bag", POOLED, ARRAY),
		    FIELD("times", "long", ARRAY, SPAN))),
	TYPE("test.Stack", "jdk.jfr.Event", FIELDS(START, STACK)),
	TYPES_END,
};

static void make_begin_all(struct made *made)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, types);
	POOL(writer, "test.Bag");
	CONSTANT(writer, 1, NO_TEXT, INT(1), INT(2));
	POOL(writer, "jdk.types.FrameType");
	CONSTANT(writer, 1, TEXT("JIT"));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 1, BOOLEAN(0), COUNT(2), KEY(9), INT(5), INT(6), KEY(1), KEY(9),
		 INT(7), INT(8), KEY(9));
}

Test(json, of_nothing_is_an_empty_array)
{
	struct made made = { 0 };

	make_begin_all(&made);
	cr_assert(make_bytes(&made));
	SHOWS(&made, HEAD TAIL, .printer = &json_printer);
	make_clear(&made);
}

Test(json, separates_events_and_escapes_their_names)
{
	static const char name[] = "test/Quoted \"\u00e9\"";
	const struct schema_type odd[] = { TYPE(name, "jdk.jfr.Event", FIELDS(START)),
					   TYPES_END };
	struct made made = { 0 };

	make_begin(&made, odd);
	EVENT(&made.writer, name, LONG(0));
	EVENT(&made.writer, name, LONG(0));
	cr_assert(make_bytes(&made));
#define ONE                                                                    \
	"{\n      \"type\": \"test\\/Quoted \\\"\\u00e9\\\"\", \n      \"values\": {\n" \
	TIME "\n      }\n    }"
	SHOWS(&made, HEAD ONE ", " ONE TAIL, .printer = &json_printer);
	make_clear(&made);
}

Test(json, has_objects_for_structs_and_null_for_what_is_missing)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Structs", LONG(0), LONG(0), TEXT("a"), INT(7), INT(8),
	      KEY(1));
	EVENT(&made.writer, "test.Structs", LONG(0), LONG(0), TEXT("a"), INT(7), INT(8),
	      KEY(2));
	cr_assert(make_bytes(&made));
#define START_OF_ONE                                                           \
	"{\n      \"type\": \"test.Structs\", \n      \"values\": {\n" TIME ", \n" \
	"        \"duration\": \"PT0S\", \n"                                   \
	"        \"bag\": {\n          \"name\": \"a\", \n          \"point\": {\n" \
	"            \"x\": 7, \n            \"y\": 8\n          }\n        }, \n"
	SHOWS(&made,
	      HEAD START_OF_ONE
	      "        \"pooled\": {\n          \"name\": null, \n          \"point\": {\n"
	      "            \"x\": 1, \n            \"y\": 2\n          }\n        }\n"
	      "      }\n    }, " START_OF_ONE
	      "        \"pooled\": null\n      }\n    }" TAIL,
	      .printer = &json_printer);
	make_clear(&made);
}

#define BAG                                                                    \
	"{\n          \"name\": null, \n          \"point\": {\n"                 \
	"            \"x\": 1, \n            \"y\": 2\n          }\n        }"

Test(json, writes_arrays_on_a_line)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Arrays", LONG(0), COUNT(2), INT(7), INT(-8), COUNT(2),
	      INT(1), INT(2), INT(3), INT(4), COUNT(2), KEY(1), KEY(1));
	EVENT(&made.writer, "test.Arrays", LONG(1), COUNT(0), COUNT(0), COUNT(0));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      HEAD "{\n      \"type\": \"test.Arrays\", \n      \"values\": {\n" TIME ", \n"
	      "        \"numbers\": [7, -8], \n"
	      "        \"points\": [{\n          \"x\": 1, \n          \"y\": 2\n"
	      "        }, {\n          \"x\": 3, \n          \"y\": 4\n        }], \n"
	      "        \"bags\": [" BAG ", " BAG "]\n      }\n    }, "
	      "{\n      \"type\": \"test.Arrays\", \n      \"values\": {\n"
	      "        \"startTime\": \"1970-01-01T00:00:00.000000001Z\", \n"
	      "        \"numbers\": [], \n        \"points\": [], \n"
	      "        \"bags\": []\n      }\n    }" TAIL,
	      .printer = &json_printer);
	make_clear(&made);
}

/* The JDK cannot: both end in an internal error. */
Test(json, shows_elements_that_are_missing_or_have_a_unit)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Odd", LONG(0), COUNT(2), KEY(2), KEY(1), COUNT(1), LONG(5));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      HEAD "{\n      \"type\": \"test.Odd\", \n      \"values\": {\n" TIME ", \n"
	      "        \"bags\": [null, " BAG "], \n        \"times\": [\"PT0.000000005S\"]\n"
	      "      }\n    }" TAIL,
	      .printer = &json_printer);
	make_clear(&made);
}

#define FIRST_FRAME                                                            \
	"{\n            \"method\": null, \n            \"lineNumber\": 5, \n"  \
	"            \"bytecodeIndex\": 6, \n            \"type\": \"JIT\"\n"     \
	"          }"
#define SECOND_FRAME                                                           \
	"{\n            \"method\": null, \n            \"lineNumber\": 7, \n"  \
	"            \"bytecodeIndex\": 8, \n            \"type\": null\n"        \
	"          }"
#define STACK_OF(frames)                                                       \
	HEAD "{\n      \"type\": \"test.Stack\", \n      \"values\": {\n" TIME     \
	     ", \n        \"stackTrace\": {\n          \"truncated\": false, \n"  \
	     "          \"frames\": [" frames                                   \
	     "]\n        }\n      }\n    }" TAIL

Test(json, cuts_stack_traces_without_a_mark)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Stack", LONG(0), KEY(1));
	cr_assert(make_bytes(&made));
	SHOWS(&made, STACK_OF(FIRST_FRAME ", " SECOND_FRAME), .printer = &json_printer);
	SHOWS(&made, STACK_OF(FIRST_FRAME), .printer = &json_printer, .frames = 1);
	SHOWS(&made, STACK_OF(""), .printer = &json_printer, .frames = -1);
	make_clear(&made);
}
