#include "planned.h"

#include <criterion/criterion.h>

#define NAMED(text_, ...) NOTES(NOTE("jdk.jfr.Label", text_), ##__VA_ARGS__)
#define AMOUNT(unit_, ...) NOTES(NOTE("jdk.jfr.DataAmount", unit_), ##__VA_ARGS__)
#define FREQUENCY MARK("jdk.jfr.Frequency")
#define NAMED_START                                                            \
	FIELD("startTime", "long",                                             \
	      NAMED("Start Time", NOTE("jdk.jfr.Timestamp", "TICKS")))

const struct schema_type planned_types[] = {
	TYPE("t.Pair", NULL,
	     FIELDS(FIELD("left", "int", NAMED("Left Side")),
		    FIELD("right", "java.lang.String"), FIELD("deep", "t.Deep"))),
	TYPE("t.Deep", NULL, FIELDS(FIELD("x", "int"))),
	TYPE("t.All", "jdk.jfr.Event",
	     FIELDS(NAMED_START, THREAD, STACK,
		    FIELD("gcId", "int", NAMED("GC Identifier")),
		    FIELD("compilerId", "int", NAMED("Compiler Identifier")),
		    FIELD("z", "boolean"), FIELD("b", "byte"), FIELD("s", "short"),
		    FIELD("c", "char"), FIELD("i", "int"), FIELD("j", "long"),
		    FIELD("f", "float"), FIELD("d", "double"),
		    FIELD("t", "java.lang.String"),
		    FIELD("class", "java.lang.Class", POOLED),
		    FIELD("loader", "jdk.types.ClassLoader", POOLED),
		    FIELD("group", "jdk.types.ThreadGroup", POOLED),
		    FIELD("method", "jdk.types.Method", POOLED),
		    FIELD("symbol", "jdk.types.Symbol", POOLED),
		    FIELD("package", "jdk.types.Package", POOLED),
		    FIELD("pair", "t.Pair", NAMED("Pair Of")),
		    FIELD("other", "t.Pair"), FIELD("list", "int", ARRAY),
		    FIELD("frames", "jdk.types.StackFrame", ARRAY)),
	     LABEL("All Kinds")),
	TYPE("t.Units", "jdk.jfr.Event",
	     FIELDS(NAMED_START,
		    FIELD("duration", "long",
			  NAMED("Duration", NOTE("jdk.jfr.Timespan", "TICKS"))),
		    FIELD("gcId", "int"),
		    FIELD("millis", "int",
			  NOTES(NOTE("jdk.jfr.Timespan", "MILLISECONDS"))),
		    FIELD("since", "long",
			  NOTES(NOTE("jdk.jfr.Timestamp",
				     "MILLISECONDS_SINCE_EPOCH"))),
		    FIELD("bytes", "long", AMOUNT("BYTES")),
		    FIELD("bits", "long", AMOUNT("BITS")),
		    FIELD("byteRate", "long", AMOUNT("BYTES", FREQUENCY)),
		    FIELD("bitRate", "double", AMOUNT("BITS", FREQUENCY)),
		    FIELD("share", "float", NOTES(MARK("jdk.jfr.Percentage"))),
		    FIELD("hertz", "int", NOTES(FREQUENCY)),
		    FIELD("address", "long", NOTES(MARK("jdk.jfr.MemoryAddress"))),
		    FIELD("x", "int"))),
	TYPE("o.Units", "jdk.jfr.Event",
	     FIELDS(START, FIELD("x", "long"), FIELD("y", "int"))),
	TYPE("jdk.ActiveSetting", "jdk.jfr.Event",
	     FIELDS(START, FIELD("id", "long", NAMED("Event Id")),
		    FIELD("name", "java.lang.String"))),
	TYPE("Bare", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int")),
	     NOTES(MARK("jdk.jfr.Experimental"))),
	TYPES_END,
};

static void make(struct planned *planned, const struct chunk *chunk, const char *text,
		 bool is_lenient)
{
	struct query query;

	*planned = (struct planned){ .is_good = false };
	cr_assert(query_parse(&query, str_of(text), &planned->arena, &planned->at,
			      &planned->err), "%s", planned->err.text);
	query.is_lenient = is_lenient;
	planned->is_good = plan_make(&planned->plan, &query, &chunk->metadata,
				     &planned->at, &planned->err);
}

void planned_of(struct planned *planned, const struct chunk *chunk, const char *text)
{
	make(planned, chunk, text, false);
}

void planned_leniently(struct planned *planned, const struct chunk *chunk,
		       const char *text)
{
	make(planned, chunk, text, true);
}

void planned_clear(struct planned *planned)
{
	plan_clear(&planned->plan);
	arena_clear(&planned->arena);
}

/* --- as text ---------------------------------------------------------------------- */

static void tell_flags(struct buf *to, const struct column *column)
{
	const struct {
		bool is_set;
		const char *name;
	} flags[] = {
		{ !column->is_visible, "hidden" },
		{ column->is_left, "left" },
		{ column->is_lexical, "lexical" },
		{ column->is_fixed, "fixed" },
		{ column->is_integral, "integral" },
		{ column->is_fractional, "fractional" },
		{ column->is_timespan, "timespan" },
		{ column->is_timestamp, "timestamp" },
		{ column->is_percentage, "percentage" },
		{ column->is_frequency, "frequency" },
		{ column->is_bytes, "bytes" },
		{ column->is_bits, "bits" },
		{ column->is_address, "address" },
		{ column->is_normalized, "normalized" },
		{ column->group >= 0, "group" },
		{ column->order >= 0, "order" },
		{ column->is_text, "text" },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		buf_text(to, flags[i].is_set ? " " : "");
		buf_text(to, flags[i].is_set ? flags[i].name : "");
	}
}

/* As it could be written in a query. */
static void tell_path(struct buf *to, const struct plan_input *input)
{
	static const char *const fronts[] = {
		[REACH_TOP_FRAME] = "stackTrace.topFrame",
		[REACH_TOP_APPLICATION_FRAME] = "stackTrace.topApplicationFrame",
		[REACH_TOP_NOT_INIT_FRAME] = "stackTrace.topNotInitFrame",
		[REACH_ONE] = NULL,
	};
	const char *front = fronts[input->reach];

	buf_text(to, front ? front : "");
	buf_text(to, front && input->path.size ? "." : "");
	buf_str(to, input->path);
}

void planned_tell(struct buf *to, const struct plan *plan)
{
	for (size_t i = 0; i < plan->column_count; i++) {
		const struct column *column = &plan->columns[i];

		buf_printf(to, "'%.*s'", (int)column->title.size, column->title.bytes);
		if (column->aggregator != AGGREGATOR_NONE)
			buf_printf(to, " %s", aggregator_facts[column->aggregator].name);
		tell_flags(to, column);
		buf_text(to, " <-");
		for (size_t j = 0; j < column->input_count; j++) {
			const struct plan_input *input = &column->inputs[j];

			buf_byte(to, ' ');
			buf_str(to, plan->sources[input->source].type_name);
			buf_byte(to, '#');
			tell_path(to, input);
		}
		buf_byte(to, '\n');
	}
}

struct made planned_made;

void planned_open(void)
{
	make_begin(&planned_made, make_jdk_types);
	writer_describe(&planned_made.writer, planned_types);
	cr_assert(make_open(&planned_made), "%s", planned_made.err.text);
}

void planned_close(void)
{
	make_clear(&planned_made);
}
