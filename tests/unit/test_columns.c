#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>

#include "fault.h"
#include "make.h"
#include "render/columns.h"

static const struct schema_type types[] = {
	TYPE("test.Point", NULL, FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPE("test.Bag", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("point", "test.Point"))),
	TYPE("test.Deep", NULL, FIELDS(FIELD("bag", "test.Bag", POOLED))),
	TYPE("test.Link", NULL,
	     FIELDS(FIELD("x", "int"), FIELD("next", "test.Link", POOLED))),
	TYPE("test.One", "jdk.jfr.Event",
	     FIELDS(START, FIELD("a", "int"), STACK, THREAD, DURATION)),
	TYPE("test.Two", "jdk.jfr.Event",
	     FIELDS(START, FIELD("b", "int"), DURATION, FIELD("a", "java.lang.String"))),
	TYPE("test.Structs", "jdk.jfr.Event",
	     FIELDS(FIELD("bag", "test.Bag"), FIELD("pooled", "test.Bag", POOLED),
		    FIELD("deep", "test.Deep"), FIELD("link", "test.Link", POOLED),
		    FIELD("points", "test.Point", ARRAY))),
	TYPE("test.Code", "jdk.jfr.Event",
	     FIELDS(FIELD("class", "java.lang.Class", POOLED),
		    FIELD("group", "jdk.types.ThreadGroup", POOLED),
		    FIELD("frame", "jdk.types.StackFrame"),
		    FIELD("method", "jdk.types.Method", POOLED),
		    FIELD("who", "java.lang.Thread"))),
	TYPE("test.Text", "jdk.jfr.Event",
	     FIELDS(FIELD("who", "java.lang.String"), FIELD("x", "int"))),
	TYPE("test.Part", NULL, FIELDS(FIELD("javaThreadId", "int"))),
	TYPE("test.Parts", "jdk.jfr.Event",
	     FIELDS(FIELD("who", "test.Part"), FIELD("y", "int"))),
	TYPE("test.Twice", "jdk.jfr.Event",
	     FIELDS(FIELD("x", "int"), FIELD("x", "java.lang.String"),
		    FIELD("bag.name", "int"), FIELD("bag", "test.Bag"))),
	TYPE("test.None", "jdk.jfr.Event", FIELDS({ .name = NULL })),
	TYPES_END,
};

static void open_all(struct made *made)
{
	writer_describe(&made->writer, make_jdk_types);
	make_begin(made, types);
	cr_assert(make_open(made), "%s", made->err.text);
}

/* Adds the types of these simple names, "One Two"; false without memory. */
static bool add(struct columns *columns, const struct made *made, const char *names)
{
	const struct metadata *metadata = &made->chunk.metadata;
	unsigned char *shown = calloc(metadata->type_count, 1);
	bool good = shown != NULL;

	for (size_t i = 0; good && i < metadata->type_count; i++) {
		struct str rest = str_of(names), name;

		while (str_split(&rest, ' ', &name))
			shown[i] |= str_is(type_simple_name(&metadata->types[i]), name);
	}
	good = good && columns_add(columns, metadata, shown);
	free(shown);
	return good;
}

static void expect_names(const struct columns *columns, const char *wanted, int line)
{
	struct buf names = { .bytes = NULL };

	buf_text(&names, columns->has_types ? "eventType" : "");
	for (size_t i = 0; i < columns->items.count; i++) {
		buf_text(&names, names.size ? " " : "");
		buf_str(&names, columns->items.items[i].name);
	}
	cr_expect(str_is((struct str){ names.bytes, names.size }, str_of(wanted)),
		  "line %d, wanted:\n%s\nhas:\n%.*s", line, wanted, (int)names.size,
		  names.bytes);
	buf_clear(&names);
}

#define HAS(names, wanted) expect_columns(names, wanted, __LINE__)

/* Also if the same types are declared in several chunks. */
static void expect_columns(const char *names, const char *wanted, int line)
{
	struct made made = { 0 };

	open_all(&made);
	for (int chunks = 1; chunks <= 2; chunks++) {
		struct columns columns = { .failed = false };

		for (int i = 0; i < chunks; i++)
			cr_assert(add(&columns, &made, names));
		cr_assert(columns_freeze(&columns));
		expect_names(&columns, wanted, line);
		columns_clear(&columns);
	}
	make_clear(&made);
}

Test(columns, of_one_type_are_its_fields)
{
	HAS("One", "startTime a stackTrace eventThread eventThread.javaThreadId "
		   "eventThread.osThreadId duration");
	HAS("Two", "startTime b duration a");
}

Test(columns, of_several_types_begin_with_what_all_events_have)
{
	HAS("One Two", "eventType startTime duration eventThread "
		       "eventThread.javaThreadId eventThread.osThreadId stackTrace a b");
	HAS("Two Text", "eventType startTime duration b a who x");
	HAS("Text None", "eventType who x");
}

Test(columns, of_nothing_are_the_type_alone)
{
	HAS("", "eventType");
	HAS("None", "eventType");
}

Test(columns, spread_structures_but_not_without_end)
{
	HAS("Structs", "bag.name bag.point.x bag.point.y pooled.name pooled.point.x "
		       "pooled.point.y deep.bag.name deep.bag.point.x deep.bag.point.y "
		       "link.x link.next points");
}

Test(columns, leave_what_has_a_name_together)
{
	HAS("Code", "class group frame.method frame.lineNumber frame.bytecodeIndex "
		    "frame.type method who who.javaThreadId who.osThreadId");
}

Test(columns, keep_the_ids_of_a_thread_behind_it)
{
	HAS("Text Code", "eventType class group frame.method frame.lineNumber "
			 "frame.bytecodeIndex frame.type method who who.javaThreadId "
			 "who.osThreadId x");
	HAS("Text Parts", "eventType who x who.javaThreadId y");
}

/* A type that has who.javaThreadId, then one where that belongs to a thread. */
Test(columns, move_behind_the_thread_they_belong_to)
{
	struct columns columns = { .failed = false };
	struct made made = { 0 };

	open_all(&made);
	cr_assert(add(&columns, &made, "Parts"));
	cr_assert(add(&columns, &made, "Code"));
	cr_assert(columns_freeze(&columns));
	expect_names(&columns, "eventType y class group frame.method frame.lineNumber "
			       "frame.bytecodeIndex frame.type method who "
			       "who.javaThreadId who.osThreadId", __LINE__);
	columns_clear(&columns);
	make_clear(&made);
}

Test(columns, of_the_same_name_are_one)
{
	HAS("Twice", "x bag.name bag.point.x bag.point.y");
	HAS("Text Twice", "eventType who x bag.name bag.point.x bag.point.y");
}

/* "kind column node slot" of each cell. */
static void expect_row(const struct row *row, const char *wanted)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < row->cell_count; i++) {
		const struct cell *cell = &row->cells[i];

		buf_printf(&text, "%s%u:%d@%u.%u", i ? " " : "", cell->column, cell->kind,
			   cell->node, cell->slot);
	}
	cr_expect(str_is((struct str){ text.bytes, text.size }, str_of(wanted)),
		  "wanted:\n%s\nhas:\n%.*s", wanted, (int)text.size, text.bytes);
	buf_clear(&text);
}

Test(columns, make_rows_in_their_order)
{
	struct columns columns = { .failed = false };
	struct arena arena = { .limit = 0 };
	struct made made = { 0 };
	const struct row *row;

	open_all(&made);
	cr_assert(add(&columns, &made, "One Two Structs"));
	cr_assert(columns_freeze(&columns));
	row = columns_row(&columns, make_type(&made, "test.Two"), &arena);
	cr_assert(row);
	cr_expect_not(row->lacks_columns);
	cr_expect_eq(row->node_count, 1);
	expect_row(row, "0:1@0.0 1:1@0.2 6:1@0.3 7:1@0.1");
	row = columns_row(&columns, make_type(&made, "test.Structs"), &arena);
	cr_assert_eq(row->node_count, 4);
	cr_expect(row->nodes[1].parent == 0 && row->nodes[1].slot == 3);
	cr_expect(row->nodes[2].parent == 0 && row->nodes[2].slot == 4);
	cr_expect(row->nodes[3].parent == 0 && row->nodes[3].slot == 5);
	expect_row(row, "8:1@0.0 9:1@0.1 10:1@0.2 11:1@1.0 12:1@1.1 13:1@1.2 "
			"14:1@2.0 15:1@2.1 16:1@2.2 17:1@3.0 18:3@3.1 19:2@0.6");
	arena_clear(&arena);
	columns_clear(&columns);
	make_clear(&made);
}

Test(columns, tell_fields_that_they_lack)
{
	struct columns columns = { .failed = false };
	struct arena arena = { .limit = 0 };
	struct made made = { 0 };
	const struct row *row;

	open_all(&made);
	cr_assert(add(&columns, &made, "Twice"));
	cr_assert(columns_freeze(&columns));
	row = columns_row(&columns, make_type(&made, "test.Structs"), &arena);
	cr_assert(row);
	cr_expect(row->lacks_columns);
	cr_expect_eq(row->node_count, 1);
	expect_row(row, "1:1@0.0 2:1@0.1 3:1@0.2");
	row = columns_row(&columns, make_type(&made, "test.Twice"), &arena);
	cr_assert(row);
	cr_expect_not(row->lacks_columns);
	expect_row(row, "0:1@0.0 1:1@0.2 2:1@0.4 3:1@0.5");
	arena_clear(&arena);
	columns_clear(&columns);
	make_clear(&made);
}

/* Thousand fields that refer to structures of thousand fields each. */
static void describe_wide(struct made *made, const char *const *names, size_t count)
{
	struct schema_field *parts = calloc(count + 1, sizeof(*parts));
	struct schema_field *fields = calloc(count + 1, sizeof(*fields));
	const struct schema_type wide[] = {
		{ .name = "test.Wide", .fields = parts },
		{ .name = "test.E", .super = "jdk.jfr.Event", .fields = fields },
		TYPES_END,
	};

	for (size_t i = 0; i < count; i++) {
		parts[i] = (struct schema_field)FIELD(names[i], "int");
		fields[i] = (struct schema_field)FIELD(names[i], "test.Wide", POOLED);
	}
	make_begin(made, wide);
	cr_assert(make_open(made), "%s", made->err.text);
	free(parts);
	free(fields);
}

Test(columns, are_not_made_without_end)
{
	enum { COUNT = 1000 };
	struct columns columns = { .failed = false };
	struct arena arena = { .limit = 0 };
	struct made made = { 0 };
	static char texts[COUNT][8];
	const char *names[COUNT];
	const struct row *row;

	for (int i = 0; i < COUNT; i++) {
		snprintf(texts[i], sizeof(texts[i]), "f%d", i);
		names[i] = texts[i];
	}
	describe_wide(&made, names, COUNT);
	cr_assert(add(&columns, &made, "E"));
	cr_assert(columns_freeze(&columns));
	cr_expect_gt(columns.items.count, 4000);
	cr_expect_leq(columns.items.count, COLUMNS_MAX);
	row = columns_row(&columns, make_type(&made, "test.E"), &arena);
	cr_assert(row);
	cr_expect(row->lacks_columns);
	cr_expect_eq(row->cell_count, columns.items.count);
	arena_clear(&arena);
	columns_clear(&columns);
	make_clear(&made);
}

Test(columns, have_no_very_long_names)
{
	struct columns columns = { .failed = false };
	struct arena arena = { .limit = 0 };
	struct made made = { 0 };
	static char texts[4][COLUMNS_NAME_MAX + 2];
	const char *names[4];

	for (int i = 0; i < 4; i++) {
		memset(texts[i], 'a' + i, (size_t)(COLUMNS_NAME_MAX - 2 + i));
		names[i] = texts[i];
	}
	describe_wide(&made, names, 4);
	cr_assert(add(&columns, &made, "E"));
	cr_assert(columns_freeze(&columns));
	cr_expect_eq(columns.items.count, 0);
	cr_expect(columns.has_types);
	cr_expect(columns_row(&columns, make_type(&made, "test.E"), &arena)->lacks_columns);
	arena_clear(&arena);
	columns_clear(&columns);
	make_clear(&made);
}

Test(columns, fail_where_memory_runs_out)
{
	struct made made = { 0 };
	bool good = false;

	open_all(&made);
	for (size_t n = 1; !good; n++) {
		struct columns columns = { .failed = false };
		struct arena arena = { .limit = 0 };

		fault_at(n);
		good = add(&columns, &made, "One Structs Code") && columns_freeze(&columns) &&
		       columns_row(&columns, make_type(&made, "test.Structs"), &arena) &&
		       columns_row(&columns, make_type(&made, "test.Code"), &arena);
		cr_assert(good || fault_happened(), "request %zu", n);
		good = good && !fault_happened();
		fault_at(0);
		arena_clear(&arena);
		columns_clear(&columns);
	}
	make_clear(&made);
}
