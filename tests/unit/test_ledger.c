#include <criterion/criterion.h>

#include <csv.h>

#include "make.h"
#include "render/ledger.h"

static const struct schema_type types[] = {
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("text", "java.lang.String"))),
	TYPES_END,
};

/* What there is to say of a chunk with a wild string, in some format. */
static struct buf tell(const struct grid_format *format, bool chunks, bool pools)
{
	struct inventory inventory = { .wants_chunks = chunks, .wants_pools = pools,
				       .top = 10 };
	struct out out = { .fd = -1 };
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct made made = { 0 };
	struct err err = { 0 };

	make_begin(&made, types);
	EVENT(&made.writer, "test.E", LONG(1), TEXT_KEY(1));
	POOL(&made.writer, "java.lang.String");
	CONSTANT(&made.writer, 1, TEXT("one, \"two\"\nthree"));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	cr_assert(input_of_bytes(&input, made.bytes, made.size, "a \"b\", c.jfr"));
	cr_assert(inventory_take(&inventory, &input, 1, &damage, &err), "%s", err.text);
	ledger_write(&inventory, format, 0, &out);
	cr_assert_not(out.buf.failed);
	buf_byte(&out.buf, '\0');
	inventory_clear(&inventory);
	input_close(&input);
	make_clear(&made);
	return out.buf;
}

static void expect_lines(const struct grid_format *format, bool chunks, bool pools,
			 const char *const *lines)
{
	struct buf text = tell(format, chunks, pools);

	for (; *lines; lines++)
		cr_expect(strstr(text.bytes, *lines), "%s\nlacks %s", text.bytes,
			  *lines);
	buf_clear(&text);
}

Test(ledger, is_what_the_jdk_prints_unless_more_is_asked_for)
{
	expect_lines(&grid_text, false, false, (const char *const[]){
		"\n Version: 2.1\n Chunks: 1\n Start: 1970-01-01 00:00:00 (UTC)\n"
		" Duration: 0 s\n\n"
		" Event Type      Count  Size (bytes) \n"
		"=====================================\n",
		" test.E              1             5\n", NULL });
}

Test(ledger, has_tables_instead_of_that_of_the_events)
{
	struct buf text = tell(&grid_text, true, true);

	cr_expect(strstr(text.bytes, "\n\nChunks\n\nChunk  Offset"), "%s", text.bytes);
	cr_expect(strstr(text.bytes, "\n\nConstant pools\n\nConstant pool "));
	cr_expect(strstr(text.bytes, "one, \"two\"\\nthree\n"));
	cr_expect_not(strstr(text.bytes, "stack traces"));	/* there are none */
	cr_expect_not(strstr(text.bytes, "test.E"));
	buf_clear(&text);
}

Test(ledger, is_a_json_document)
{
	expect_lines(&grid_json, true, true, (const char *const[]){
		"{\"version\":\"2.1\",\"chunks\":1,"
		"\"start\":\"1970-01-01T00:00:00.000000000Z\",\"durationNanos\":0,\"bytes\":",
		",\n\"events\":[\n{\"type\":\"jdk.Checkpoint\",\"id\":1,\"count\":1,\"bytes\":",
		",\n\"chunkList\":[\n{\"file\":\"a \\\"b\\\", c.jfr\",\"chunk\":1,",
		"\"state\":\"finished\",\"fault\":null,\"producer\":\"unknown\","
		"\"jvmName\":null,\"jvmVersion\":null}\n],",
		"\"text\":\"one, \\\"two\\\"\\nthree\"}\n],\n\"stackTraces\":[]}\n", NULL });
}

struct shape {
	size_t fields;	/* of the row so far */
	size_t columns, rows;
};

static void take_field(void *bytes, size_t size, void *context)
{
	(void)bytes;
	(void)size;
	((struct shape *)context)->fields++;
}

static void take_row(int end, void *context)
{
	struct shape *shape = context;

	(void)end;
	if (shape->rows++ == 0)
		shape->columns = shape->fields;
	cr_expect_eq(shape->fields, shape->columns);
	shape->fields = 0;
}

Test(ledger, is_one_table_of_csv)
{
	static const struct {
		bool chunks, pools;
		size_t columns, rows;
	} cases[] = {
		{ false, false, 4, 4 }, { true, false, 16, 2 }, { false, true, 12, 2 },
	};

	for (size_t i = 0; i < 3; i++) {
		struct buf text = tell(&grid_csv, cases[i].chunks, cases[i].pools);
		struct shape shape = { 0 };
		struct csv_parser parser;

		cr_assert_eq(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI), 0);
		csv_parse(&parser, text.bytes, text.size - 1, take_field, take_row,
			  &shape);
		cr_expect_eq(csv_fini(&parser, take_field, take_row, &shape), 0);
		cr_expect_eq(csv_error(&parser), CSV_SUCCESS);
		cr_expect_eq(shape.columns, cases[i].columns);
		cr_expect_eq(shape.rows, cases[i].rows, "%s", text.bytes);
		csv_free(&parser);
		buf_clear(&text);
	}
}
