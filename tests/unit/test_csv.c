/* Without listing: the columns are those of all chunks. */
#include <criterion/criterion.h>

#include <csv.h>
#include <stdlib.h>

#include "make.h"
#include "filter/filter.h"
#include "jfr/checkpoint.h"
#include "jfr/input.h"
#include "render/pen.h"

#define ZERO "1970-01-01T00:00:00.000000000Z"

static const struct schema_type types[] = {
	TYPE("test.Point", NULL, FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPE("test.Bag", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("point", "test.Point"))),
	TYPE("test.Deep", NULL, FIELDS(FIELD("bag", "test.Bag", POOLED), FIELD("z", "int"))),
	TYPE("test.Structs", "jdk.jfr.Event",
	     FIELDS(START, FIELD("bag", "test.Bag"), FIELD("pooled", "test.Bag", POOLED),
		    FIELD("deep", "test.Deep", POOLED))),
	TYPE("test.Arrays", "jdk.jfr.Event",
	     FIELDS(FIELD("numbers", "int", ARRAY), FIELD("texts", "java.lang.String", ARRAY),
		    FIELD("points", "test.Point", ARRAY))),
	TYPE("test.Code", "jdk.jfr.Event",
	     FIELDS(FIELD("class", "java.lang.Class", POOLED),
		    FIELD("loader", "jdk.types.ClassLoader", POOLED),
		    FIELD("method", "jdk.types.Method", POOLED),
		    FIELD("group", "jdk.types.ThreadGroup", POOLED))),
	TYPE("test.Stack", "jdk.jfr.Event",
	     FIELDS(START, THREAD, STACK, FIELD("frame", "jdk.types.StackFrame"))),
	TYPE("test.Link", NULL,
	     FIELDS(FIELD("x", "int"), FIELD("next", "test.Link", POOLED))),
	TYPE("test.OfLink", "jdk.jfr.Event", FIELDS(FIELD("link", "test.Link", POOLED))),
	TYPE("test.Text", "jdk.jfr.Event",
	     FIELDS(FIELD("x", "int"), FIELD("text", "java.lang.String"))),
	TYPE("test.Lone", "jdk.jfr.Event", FIELDS(FIELD("text", "java.lang.String"))),
	TYPE("test.Letter", "jdk.jfr.Event", FIELDS(FIELD("c", "char"))),
	TYPE("test.Time", "jdk.jfr.Event", FIELDS(START)),
	TYPE("test.None", "jdk.jfr.Event", FIELDS({ .name = NULL })),
	TYPES_END,
};

/* A table of the events, in the order of the file. */
struct table {
	struct buf text;
	struct damage damage;
	struct columns columns;
	struct filter filter;
	struct print_options options;
};

/* For each chunk, opened as a page. */
static void for_pages(struct table *table, const struct made *made,
		      void (*run)(struct table *table, struct page *page))
{
	struct input input = { 0 };
	struct chunk chunk;
	struct err err;

	cr_assert(input_of_bytes(&input, made->bytes, made->size, "r"));
	while (input_open_next(&input, &chunk, &table->damage, &err)) {
		struct page page = { .chunk = chunk, .columns = &table->columns };

		cr_assert(checkpoint_load(&page.chunk, &table->damage, &err));
		cr_assert(page_open(&page, &csv_printer));
		run(table, &page);
		page_close(&page);
	}
	input_close(&input);
}

static void add_columns(struct table *table, struct page *page)
{
	const struct metadata *metadata = &page->chunk.metadata;

	for (size_t i = 0; i < metadata->type_count; i++)
		page->shown[i] = filter_accepts(&table->filter, &metadata->types[i]);
	cr_assert(columns_add(&table->columns, metadata, page->shown));
}

static void write_events(struct table *table, struct page *page)
{
	struct pen *pen = calloc(1, sizeof(*pen));
	struct event_walk walk = event_walk(&page->chunk, NULL);
	struct event event;

	cr_assert(pen && page_ready(page));
	pen->to = &table->text;
	pen->options = &table->options;
	pen->damage = &table->damage;
	while (event_next(&walk, &event)) {
		if (!event.type || !filter_accepts(&table->filter, event.type))
			continue;
		cr_assert(page_show(page, event.type));
		pen_event(pen, &(struct spot){ page, event.offset });
		cr_assert_not(pen->failed);
	}
	pen_clear(pen);
	free(pen);
}

static void table_make(struct table *table, const struct made *made)
{
	for_pages(table, made, add_columns);
	cr_assert(columns_freeze(&table->columns));
	csv_printer.head(&table->text, &table->columns);
	for_pages(table, made, write_events);
}

static void table_clear(struct table *table)
{
	buf_clear(&table->text);
	damage_clear(&table->damage);
	columns_clear(&table->columns);
}

static void expect(const struct made *made, const char *events, int frames,
		   const char *wanted, int line)
{
	struct table table = { .filter.events = str_of(events),
			       .options.stack_depth = frames };

	table_make(&table, made);
	cr_expect(str_is((struct str){ table.text.bytes, table.text.size },
			 str_of(wanted)),
		  "line %d, wanted:\n%s\nshown:\n%.*s", line, wanted,
		  (int)table.text.size, table.text.bytes);
	cr_expect(damage_is_none(&table.damage));
	table_clear(&table);
}

#define SHOWS(made, events, wanted) expect(made, events, 5, wanted, __LINE__)

enum { NAME = 1, MAIN, ARRAY_OF_CLASS, SIGNATURE, APP, COMMA };

static void make_code(struct writer *writer)
{
	POOL(writer, "jdk.types.Symbol");
	CONSTANT(writer, NAME, TEXT("java/util/Map$Entry"));
	CONSTANT(writer, MAIN, TEXT("main"));
	CONSTANT(writer, ARRAY_OF_CLASS, TEXT("[[Ljava/lang/String;"));
	CONSTANT(writer, SIGNATURE, TEXT("(I[[J)V"));
	CONSTANT(writer, APP, TEXT("app"));
	CONSTANT(writer, COMMA, TEXT("a,b"));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 1, KEY(1), KEY(NAME), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 2, KEY(1), KEY(ARRAY_OF_CLASS), KEY(0), INT(1), BOOLEAN(0));
	CONSTANT(writer, 3, KEY(1), KEY(0), KEY(0), INT(1), BOOLEAN(0));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, 1, KEY(0), KEY(0));
	CONSTANT(writer, 2, KEY(1), KEY(APP));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 1, KEY(1), KEY(MAIN), KEY(SIGNATURE), INT(1), BOOLEAN(0));
	CONSTANT(writer, 2, KEY(9), KEY(COMMA), KEY(9), INT(1), BOOLEAN(0));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, 1, KEY(2), TEXT("main"));
	CONSTANT(writer, 2, KEY(0), NO_TEXT);
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 1, TEXT("os"), LONG(7), TEXT("main, of \"it\""), LONG(1), KEY(1),
		 BOOLEAN(0));
	CONSTANT(writer, 2, TEXT("VM"), LONG(8), NO_TEXT, LONG(0), KEY(0), BOOLEAN(0));
	CONSTANT(writer, 3, NO_TEXT, LONG(0), TEXT(""), LONG(9), KEY(1), BOOLEAN(1));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 1, BOOLEAN(0), COUNT(3), KEY(1), INT(5), INT(6), KEY(1), KEY(9),
		 INT(0), INT(8), KEY(9), KEY(1), INT(-1), INT(0), KEY(0));
	CONSTANT(writer, 2, BOOLEAN(1), COUNT(1), KEY(2), INT(5), INT(6), KEY(1));
	CONSTANT(writer, 3, BOOLEAN(0), COUNT(0));
}

static void make_begin_all(struct made *made)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, types);
	make_code(writer);
	POOL(writer, "test.Bag");
	CONSTANT(writer, 1, NO_TEXT, INT(1), INT(2));
	POOL(writer, "test.Deep");
	CONSTANT(writer, 1, KEY(1), INT(3));
	CONSTANT(writer, 2, KEY(9), INT(4));
	POOL(writer, "test.Link");
	CONSTANT(writer, 1, INT(1), KEY(2));
	CONSTANT(writer, 2, INT(2), KEY(1));
}

Test(csv, of_nothing_is_a_head)
{
	struct made made = { 0 };

	make_begin_all(&made);
	cr_assert(make_bytes(&made));
	SHOWS(&made, "Text", "x,text\n");
	SHOWS(&made, "Text,Lone", "eventType,x,text\n");
	SHOWS(&made, "Nothing", "eventType\n");
	make_clear(&made);
}

Test(csv, spreads_structures_over_columns)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Structs", LONG(0), TEXT("a"), INT(7), INT(8), KEY(1),
	      KEY(1));
	EVENT(&made.writer, "test.Structs", LONG(0), NO_TEXT, INT(7), INT(8), KEY(9),
	      KEY(2));
	EVENT(&made.writer, "test.Structs", LONG(0), TEXT(""), INT(7), INT(8), KEY(1),
	      KEY(9));
	cr_assert(make_bytes(&made));
	SHOWS(&made, "Structs",
	      "startTime,bag.name,bag.point.x,bag.point.y,pooled.name,pooled.point.x,"
	      "pooled.point.y,deep.bag.name,deep.bag.point.x,deep.bag.point.y,deep.z\n"
	      ZERO ",a,7,8,,1,2,,1,2,3\n"
	      ZERO ",,7,8,,,,,,,4\n"
	      ZERO ",\"\",7,8,,1,2,,,,\n");
	make_clear(&made);
}

Test(csv, has_arrays_as_json)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Arrays", COUNT(2), INT(7), INT(-8), COUNT(2), TEXT("a"),
	      NO_TEXT, COUNT(1), INT(1), INT(2));
	EVENT(&made.writer, "test.Arrays", COUNT(1), INT(7), COUNT(0), COUNT(0));
	cr_assert(make_bytes(&made));
	SHOWS(&made, "Arrays",
	      "numbers,texts,points\n"
	      "\"[7,-8]\",\"[\"\"a\"\",null]\",\"[{\"\"x\"\":1,\"\"y\"\":2}]\"\n"
	      "[7],[],[]\n");
	make_clear(&made);
}

Test(csv, names_classes_loaders_methods_and_groups)
{
	struct made made = { 0 };

	make_begin_all(&made);
	for (int i = 0; i < 2; i++) {
		EVENT(&made.writer, "test.Code", KEY(1), KEY(1), KEY(1), KEY(1));
		EVENT(&made.writer, "test.Code", KEY(2), KEY(2), KEY(2), KEY(2));
		EVENT(&made.writer, "test.Code", KEY(3), KEY(0), KEY(0), KEY(9));
	}
	cr_assert(make_bytes(&made));
#define ROWS                                                                   \
	"java.util.Map$Entry,,\"java.util.Map$Entry.main(int, long[][])\",main\n"  \
	"java.lang.String[][],app,\"<unknown>.a,b()\",\n"                        \
	",,,\n"
	SHOWS(&made, "Code", "class,loader,method,group\n" ROWS ROWS);
	make_clear(&made);
}

#define STACK_HEAD                                                             \
	"startTime,eventThread,eventThread.javaThreadId,eventThread.osThreadId," \
	"stackTrace,frame.method,frame.lineNumber,frame.bytecodeIndex,frame.type\n"
#define FIRST_THREAD "\"main, of \"\"it\"\"\",1,7"

Test(csv, has_threads_and_stack_traces_in_words)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Stack", LONG(0), KEY(1), KEY(1), KEY(1), INT(2), INT(3),
	      KEY(0));
	EVENT(&made.writer, "test.Stack", LONG(0), KEY(2), KEY(2), KEY(0), INT(2), INT(3),
	      KEY(0));
	EVENT(&made.writer, "test.Stack", LONG(0), KEY(3), KEY(3), KEY(0), INT(2), INT(3),
	      KEY(0));
	EVENT(&made.writer, "test.Stack", LONG(0), KEY(9), KEY(9), KEY(0), INT(2), INT(3),
	      KEY(0));
	cr_assert(make_bytes(&made));
#define MAIN_METHOD "\"java.util.Map$Entry.main(int, long[][])\""
#define TABLE(first, second, third)                                            \
	STACK_HEAD ZERO "," FIRST_THREAD "," first "," MAIN_METHOD ",2,3,\n"      \
		   ZERO ",VM,0,8," second ",,2,3,\n"                         \
		   ZERO ",\"\",9,0," third ",,2,3,\n" ZERO ",,,,,,2,3,\n"
	expect(&made, "Stack", 3,
	       TABLE("java.util.Map$Entry.main:5;<unknown>:0;java.util.Map$Entry.main",
		     "\"<unknown>.a,b:5;...\"", "\"\""), __LINE__);
	expect(&made, "Stack", 2,
	       TABLE("java.util.Map$Entry.main:5;<unknown>:0;...",
		     "\"<unknown>.a,b:5;...\"", "\"\""), __LINE__);
	expect(&made, "Stack", 0, TABLE("...", "...", "\"\""), __LINE__);
	make_clear(&made);
}

Test(csv, has_a_structure_inside_itself_as_json)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.OfLink", KEY(1));
	cr_assert(make_bytes(&made));
	SHOWS(&made, "OfLink",
	      "link.x,link.next\n"
	      "1,\"{\"\"x\"\":2,\"\"next\"\":{\"\"x\"\":1,\"\"next\"\":null}}\"\n");
	make_clear(&made);
}

Test(csv, leaves_cells_of_other_types_empty)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Text", INT(1), TEXT("a"));
	EVENT(&made.writer, "test.Lone", TEXT("b"));
	EVENT(&made.writer, "test.Letter", CHAR(','));
	EVENT(&made.writer, "test.Letter", CHAR(0xd800));
	EVENT(&made.writer, "test.None", { .kind = MAKE_END });
	cr_assert(make_bytes(&made));
	SHOWS(&made, "Text,Lone,Letter,None",
	      "eventType,x,text,c\n"
	      "test.Text,1,a,\ntest.Lone,,b,\ntest.Letter,,,\",\"\ntest.Letter,,,?\n"
	      "test.None,,,\n");
	SHOWS(&made, "None", "eventType\ntest.None\n");
	make_clear(&made);
}

Test(csv, has_no_empty_lines)
{
	struct made made = { 0 };

	make_begin_all(&made);
	EVENT(&made.writer, "test.Lone", NO_TEXT);
	EVENT(&made.writer, "test.Lone", TEXT("b"));
	cr_assert(make_bytes(&made));
	SHOWS(&made, "Lone", "text\n\"\"\nb\n");
	make_clear(&made);
}

static const struct schema_type first[] = {
	TYPE("test.E", "jdk.jfr.Event", FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPES_END,
};

static const struct schema_type second[] = {
	TYPE("test.Point", NULL, FIELDS(FIELD("x", "int"), FIELD("y", "int"))),
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(FIELD("y", "test.Point"), FIELD("x", "java.lang.String"),
		    FIELD("z", "int"))),
	TYPES_END,
};

/* A second chunk in which test.E has one field more, and what was y is a structure. */
static void make_two(struct made *made)
{
	make_begin(made, first);
	EVENT(&made->writer, "test.E", INT(1), INT(2));
	cr_assert(writer_close(&made->writer, NULL));
	schema_clear(&made->writer.schema);
	make_begin(made, second);
	EVENT(&made->writer, "test.E", INT(3), INT(4), TEXT("five"), INT(6));
	cr_assert(make_bytes(made), "%s", made->err.text);
}

Test(csv, has_the_columns_of_all_chunks)
{
	struct made made = { 0 };

	make_two(&made);
	SHOWS(&made, "E", "x,y,y.x,y.y,z\n1,2,,,\nfive,,3,4,6\n");
	make_clear(&made);
}

/* Elsewhere than in Greenwich the offset tells where. */
Test(csv, tells_the_zone_of_its_chunk)
{
	struct made made = { .writer.schema.gmt_offset = -12600000 };

	writer_describe(&made.writer, make_jdk_types);
	make_begin(&made, types);
	EVENT(&made.writer, "test.Time", LONG(1));
	cr_assert(make_bytes(&made));
	SHOWS(&made, "Time", "startTime\n1969-12-31T20:30:00.000000001-03:30\n");
	make_clear(&made);
}

static void add_first_columns(struct table *table, struct page *page)
{
	if (page->chunk.index == 0)
		add_columns(table, page);
}

Test(csv, tells_fields_without_a_column)
{
	struct table table = { .options.stack_depth = 5 };
	struct made made = { 0 };

	make_two(&made);
	for_pages(&table, &made, add_first_columns);
	cr_assert(columns_freeze(&table.columns));
	for_pages(&table, &made, write_events);
	cr_expect(str_is((struct str){ table.text.bytes, table.text.size },
			 STR("1,2\nfive,\n")));
	cr_assert_eq(table.damage.faults.count, 1);
	cr_expect_str_eq(table.damage.faults.items[0].cause, COLUMNS_FAULT);
	cr_expect_str_eq(table.damage.faults.items[0].type, "test.E");
	cr_expect_eq(table.damage.faults.items[0].first.chunk, 1);
	cr_expect_eq(table.damage.faults.items[0].count, 1);
	table_clear(&table);
	make_clear(&made);
}

/* Anything that a reader of CSV could take for something else. */
static const struct str texts[] = {
	STR("plain"), STR(""), { NULL, 0 }, STR(","), STR("\""), STR("\"\""), STR("a,b"),
	STR("a\"b"), STR(" "), STR(" a"), STR("a "), STR("a b"), STR("\ta"), STR("a\t"),
	STR("a\tb"), STR("\n"), STR("\r"), STR("a\r\nb"), STR("a\n"), STR("\"a\""),
	STR("'a'"), STR("\\\""), STR("\0"), STR("\u00e9,\U0001f600"), STR("\x0b\x1b"),
	STR("null"), STR("\",\""), STR("\"\n,\""),
};

#define TEXT_COUNT (sizeof(texts) / sizeof(texts[0]))

struct cells {
	size_t row, column;
	size_t faults;
};

static void take_cell(void *bytes, size_t size, void *context)
{
	struct cells *cells = context;
	struct str cell = { bytes, size };

	if (cells->row > 0 && cells->row <= TEXT_COUNT && cells->column == 1) {
		struct str wanted = texts[cells->row - 1];

		cr_expect(str_is(cell, wanted) && !cell.bytes == !wanted.bytes,
			  "text %zu: %.*s", cells->row - 1, (int)cell.size, cell.bytes);
	}
	cells->column++;
}

static void take_row(int end, void *context)
{
	struct cells *cells = context;

	(void)end;
	cells->faults += cells->column != 2;
	cells->row++;
	cells->column = 0;
}

Test(csv, is_read_back_by_a_parser)
{
	struct table table = { .filter.events = STR("Text") };
	struct made made = { 0 };
	struct cells cells = { .row = 0 };
	struct csv_parser parser;

	make_begin_all(&made);
	for (size_t i = 0; i < TEXT_COUNT; i++)
		EVENT(&made.writer, "test.Text", INT(0), MAKE(MAKE_TEXT, .text = texts[i]));
	cr_assert(make_bytes(&made));
	table_make(&table, &made);
	cr_assert(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL) == 0);
	cr_expect_eq(csv_parse(&parser, table.text.bytes, table.text.size, take_cell,
			       take_row, &cells), table.text.size);
	cr_expect_eq(csv_fini(&parser, take_cell, take_row, &cells), 0);
	csv_free(&parser);
	cr_expect_eq(cells.row, TEXT_COUNT + 1);
	cr_expect_eq(cells.faults, 0);
	table_clear(&table);
	make_clear(&made);
}
