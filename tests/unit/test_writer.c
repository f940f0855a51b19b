#include <criterion/criterion.h>

#include "jfr/recording.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("test.E", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int"))),
	TYPE("test.Wide", "jdk.jfr.Event", FIELDS(START, FIELD("text", "java.lang.String"))),
	TYPE("jdk.types.Symbol", NULL, .is_simple = true,
	     FIELDS(FIELD("string", "java.lang.String"))),
	TYPES_END,
};

Test(writer, writes_what_the_reader_reads)
{
	struct made made = { 0 };
	struct event event;
	struct value values[2];
	struct arena arena = { 0 };

	make_begin(&made, types);
	EVENT(&made.writer, "test.E", LONG(100), INT(-1));
	POOL(&made.writer, "jdk.types.Symbol");
	CONSTANT(&made.writer, 7, TEXT("tea"));
	cr_assert(make_open(&made), "%s", made.err.text);
	event = make_nth(&made, 0);
	cr_assert(event.type);
	cr_assert(event_decode(&made.chunk, &event, values, &arena));
	cr_expect_eq(values[0].number, 100);
	cr_expect_eq(values[1].number, -1);
	cr_expect_eq(made.damage.faults.count, 0);
	make_clear(&made);
}
