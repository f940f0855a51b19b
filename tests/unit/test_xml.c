#include <criterion/criterion.h>

#include "show.h"

#define HEAD                                                                   \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                           \
	"<recording xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"  \
	"  <events>\n"
#define TAIL "  </events>\n</recording>\n"
#define EVENT_TEXT(name, fields)                                               \
	"    <event type=\"" name "\">\n"                                        \
	"      <value name=\"startTime\">1970-01-01T00:00Z</value>\n" fields     \
	"    </event>\n\n"

static const struct schema_type types[] = {
	TYPE("test.Point", NULL, FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPE("test.Bag", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("point", "test.Point"))),
	TYPE("test.Structs", "jdk.jfr.Event",
	     FIELDS(START, FIELD("bag", "test.Bag"), FIELD("pooled", "test.Bag", POOLED))),
	TYPE("test.Arrays", "jdk.jfr.Event",
	     FIELDS(START, FIELD("numbers", "int", ARRAY),
		    FIELD("bags", "test.Bag", POOLED, ARRAY),
		    FIELD("texts", "java.lang.String", ARRAY))),
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
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 1, BOOLEAN(0), COUNT(2), KEY(9), INT(5), INT(6), KEY(9), KEY(9),
		 INT(7), INT(8), KEY(9));
}

Test(xml, of_nothing_has_no_events)
{
	struct made made = { 0 };

	make_begin_all(&made);
	cr_assert(make_bytes(&made));
	SHOWS(&made, HEAD TAIL, .printer = &xml_printer);
	make_clear(&made);
}

Test(xml, escapes_names)
{
	const struct schema_type odd[] = {
		TYPE("test<\"\u00e9'>", "jdk.jfr.Event",
		     FIELDS(START, FIELD("a&b", "int"))),
		TYPES_END,
	};
	struct made made = { 0 };

	make_begin(&made, odd);
	EVENT(&made.writer, "test<\"\u00e9'>", LONG(0), INT(1));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      HEAD EVENT_TEXT("test&lt;&quot;&#233;&apos;&gt;",
			      "      <value name=\"a&amp;b\">1</value>\n") TAIL,
	      .printer = &xml_printer);
	make_clear(&made);
}

#define BAG                                                                    \
	"      <struct name=\"bag\">\n"                                          \
	"        <value name=\"name\">a</value>\n"                               \
	"        <struct name=\"point\">\n"                                      \
	"          <value name=\"x\">7</value>\n"                                \
	"          <value name=\"y\">8</value>\n"                                \
	"        </struct>\n"                                                  \
	"      </struct>\n"

Test(xml, nests_structs_and_marks_what_is_missing)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Structs", LONG(0), TEXT("a"), INT(7), INT(8), KEY(1));
	EVENT(&made.writer, "test.Structs", LONG(0), TEXT("a"), INT(7), INT(8), KEY(2));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      HEAD EVENT_TEXT("test.Structs",
			      BAG "      <struct name=\"pooled\">\n"
				  "        <value name=\"name\" xsi:nil=\"true\"/>\n"
				  "        <struct name=\"point\">\n"
				  "          <value name=\"x\">1</value>\n"
				  "          <value name=\"y\">2</value>\n"
				  "        </struct>\n"
				  "      </struct>\n")
		  EVENT_TEXT("test.Structs",
			     BAG "      <struct name=\"pooled\" xsi:nil=\"true\"/>\n") TAIL,
	      .printer = &xml_printer);
	make_clear(&made);
}

#define POOLED_BAG(attribute)                                                  \
	"        <struct " attribute ">\n"                                       \
	"          <value name=\"name\" xsi:nil=\"true\"/>\n"                     \
	"          <struct name=\"point\">\n"                                    \
	"            <value name=\"x\">1</value>\n"                              \
	"            <value name=\"y\">2</value>\n"                              \
	"          </struct>\n"                                                \
	"        </struct>\n"

Test(xml, counts_the_elements_of_arrays)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Arrays", LONG(0), COUNT(2), INT(7), INT(-8), COUNT(2),
	      KEY(1), KEY(1), COUNT(3), TEXT("<"), NO_TEXT, TEXT(""));
	EVENT(&made.writer, "test.Arrays", LONG(0), COUNT(0), COUNT(0), COUNT(0));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      HEAD EVENT_TEXT("test.Arrays",
			      "      <array name=\"numbers\" size=\"2\">\n"
			      "        <value index=\"0\">7</value>\n"
			      "        <value index=\"1\">-8</value>\n"
			      "      </array>\n"
			      "      <array name=\"bags\" size=\"2\">\n" POOLED_BAG(
				      "index=\"0\"") POOLED_BAG("index=\"1\"")
			      "      </array>\n"
			      "      <array name=\"texts\" size=\"3\">\n"
			      "        <value index=\"0\">&lt;</value>\n"
			      "        <value index=\"1\" xsi:nil=\"true\"/>\n"
			      "        <value index=\"2\"></value>\n"
			      "      </array>\n")
		  EVENT_TEXT("test.Arrays",
			     "      <array name=\"numbers\" size=\"0\">\n      </array>\n"
			     "      <array name=\"bags\" size=\"0\">\n      </array>\n"
			     "      <array name=\"texts\" size=\"0\">\n      </array>\n") TAIL,
	      .printer = &xml_printer);
	make_clear(&made);
}

/* The JDK cannot: it ends in an internal error. */
Test(xml, marks_elements_that_are_missing)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Arrays", LONG(0), COUNT(0), COUNT(1), KEY(2), COUNT(0));
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      HEAD EVENT_TEXT("test.Arrays",
			      "      <array name=\"numbers\" size=\"0\">\n      </array>\n"
			      "      <array name=\"bags\" size=\"1\">\n"
			      "        <struct index=\"0\" xsi:nil=\"true\"/>\n"
			      "      </array>\n"
			      "      <array name=\"texts\" size=\"0\">\n      </array>\n") TAIL,
	      .printer = &xml_printer);
	make_clear(&made);
}

#define FRAME(index, line, bci)                                                \
	"          <struct index=\"" index "\">\n"                               \
	"            <struct name=\"method\" xsi:nil=\"true\"/>\n"               \
	"            <value name=\"lineNumber\">" line "</value>\n"              \
	"            <value name=\"bytecodeIndex\">" bci "</value>\n"            \
	"            <value name=\"type\" xsi:nil=\"true\"/>\n"                  \
	"          </struct>\n"
#define STACK_OF(frames)                                                       \
	HEAD EVENT_TEXT("test.Stack",                                          \
			"      <struct name=\"stackTrace\">\n"                   \
			"        <value name=\"truncated\">false</value>\n"      \
			"        <array name=\"frames\" size=\"2\">\n" frames    \
			"        </array>\n"                                   \
			"      </struct>\n") TAIL

Test(xml, cuts_stack_traces_but_tells_their_size)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Stack", LONG(0), KEY(1));
	cr_assert(make_bytes(&made));
	SHOWS(&made, STACK_OF(FRAME("0", "5", "6") FRAME("1", "7", "8")),
	      .printer = &xml_printer);
	SHOWS(&made, STACK_OF(FRAME("0", "5", "6")), .printer = &xml_printer, .frames = 1);
	SHOWS(&made, STACK_OF(""), .printer = &xml_printer, .frames = -1);
	make_clear(&made);
}
