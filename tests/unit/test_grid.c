#include <criterion/criterion.h>

#include <csv.h>
#include <stdlib.h>

#include "render/grid.h"

static const struct grid_column columns[] = {
	{ "name", "Name", GRID_STRING, true },
	{ "count", "Count", GRID_INTEGER, false },
	{ "bytes", "Size", GRID_BYTES, false },
	{ "share", "Share", GRID_SHARE, false },
	{ "start", "Start", GRID_TIME, false },
	{ "nanos", "Length", GRID_SPAN, false },
	{ "raw", NULL, GRID_STRING, false },
	{ NULL, "Shown", GRID_STRING, false },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))
#define TEXT(text_) { .text = STR(text_) }
#define NUMBER(number_) { .number = (number_) }
#define REAL(real_) { .real = (real_) }
#define NO_TEXT { .text = { NULL, 0 } }

typedef const union grid_cell row[COLUMN_COUNT];

static row full = { TEXT("tea"),
		    NUMBER(7),
		    NUMBER(2048),
		    REAL(0.25),
		    NUMBER(1714557600000000005),
		    NUMBER(1500000000),
		    TEXT("r"),
		    TEXT("s") };
static row empty = { NO_TEXT,	NUMBER(-7),	   NUMBER(0), REAL(0),
		     NUMBER(0), NUMBER(INT64_MIN), NO_TEXT,   NO_TEXT };

/* The table of these rows; the caller clears the buffer. */
static struct buf draw(const struct grid_format *format, size_t width, row *const *rows)
{
	struct out out = { .fd = -1 };
	struct grid grid = { .width = width };

	grid_begin(&grid, format, columns, COLUMN_COUNT, &out);
	for (; *rows; rows++)
		grid_row(&grid, **rows);
	grid_end(&grid);
	cr_assert_not(out.buf.failed);
	buf_byte(&out.buf, '\0');
	return out.buf;
}

static void expect(const struct grid_format *format, size_t width, row *const *rows,
		   const char *wanted)
{
	struct buf text = draw(format, width, rows);

	cr_expect_str_eq(text.bytes, wanted);
	buf_clear(&text);
}

Test(grid, is_text_with_columns_as_wide_as_needed)
{
	expect(&grid_text, 0, (row *const[]){ &full, &empty, NULL },
	       "Name  Count     Size   Share  Start                Length  Shown\n"
	       "----  -----  -------  ------  -------------------  ------  -----\n"
	       "tea       7   2.0 kB  25.00%  2024-05-01 10:00:00  1.50 s  s\n"
	       "         -7  0 bytes   0.00%  1970-01-01 00:00:00\n");
}

Test(grid, is_csv)
{
	expect(&grid_csv, 0, (row *const[]){ &full, &empty, NULL },
	       "name,count,bytes,share,start,nanos,raw\n"
	       "tea,7,2048,0.250000,2024-05-01T10:00:00.000000005Z,1500000000,r\n"
	       ",-7,0,0.000000,1970-01-01T00:00:00.000000000Z,,\n");
}

Test(grid, is_json)
{
	expect(&grid_json, 0, (row *const[]){ &full, &empty, NULL },
	       "[\n"
	       "{\"name\":\"tea\",\"count\":7,\"bytes\":2048,\"share\":0.250000,"
	       "\"start\":\"2024-05-01T10:00:00.000000005Z\",\"nanos\":1500000000,"
	       "\"raw\":\"r\"},\n"
	       "{\"name\":null,\"count\":-7,\"bytes\":0,\"share\":0.000000,"
	       "\"start\":\"1970-01-01T00:00:00.000000000Z\",\"nanos\":null,"
	       "\"raw\":null}\n"
	       "]");
}

Test(grid, is_ndjson)
{
	expect(&grid_ndjson, 0, (row *const[]){ &full, &empty, NULL },
	       "{\"name\":\"tea\",\"count\":7,\"bytes\":2048,\"share\":0.250000,"
	       "\"start\":\"2024-05-01T10:00:00.000000005Z\",\"nanos\":1500000000,"
	       "\"raw\":\"r\"}\n"
	       "{\"name\":null,\"count\":-7,\"bytes\":0,\"share\":0.000000,"
	       "\"start\":\"1970-01-01T00:00:00.000000000Z\",\"nanos\":null,"
	       "\"raw\":null}\n");
}

Test(grid, takes_cells_that_are_ready)
{
	static const struct grid_column ready[] = {
		{ "made", "Made", GRID_READY, false },
	};
	static const union grid_cell cells[] = { TEXT("[1,\"2\"]"), NO_TEXT };
	static const struct {
		const struct grid_format *format;
		const char *wanted;
	} formats[] = {
		{ &grid_json, "[\n{\"made\":[1,\"2\"]},\n{\"made\":null}\n]" },
		{ &grid_ndjson, "{\"made\":[1,\"2\"]}\n{\"made\":null}\n" },
		{ &grid_csv, "made\n[1,\"2\"]\n\"\"\n" },
		{ &grid_text, "Made\n-------\n[1,\"2\"]\n\n" },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct out out = { .fd = -1 };
		struct grid grid = { 0 };

		grid_begin(&grid, formats[i].format, ready, 1, &out);
		grid_row(&grid, &cells[0]);
		grid_row(&grid, &cells[1]);
		grid_end(&grid);
		buf_byte(&out.buf, '\0');
		cr_expect_str_eq(out.buf.bytes, formats[i].wanted);
		buf_clear(&out.buf);
	}
}

Test(grid, may_have_no_rows)
{
	expect(&grid_ndjson, 0, (row *const[]){ NULL }, "");
	expect(&grid_json, 0, (row *const[]){ NULL }, "[]");
	expect(&grid_csv, 0, (row *const[]){ NULL },
	       "name,count,bytes,share,start,nanos,raw\n");
	expect(&grid_text, 0, (row *const[]){ NULL },
	       "Name  Count  Size  Share  Start  Length  Shown\n"
	       "----  -----  ----  -----  -----  ------  -----\n");
}

Test(grid, measures_characters_and_not_bytes)
{
	static row wide = { TEXT("\u00e4\u00f6\U0001f600\u4e2d"), NUMBER(1), NUMBER(1),
			    REAL(1), NUMBER(0), NUMBER(0), NO_TEXT, TEXT("s") };

	expect(&grid_text, 0, (row *const[]){ &wide, NULL },
	       "Name  Count    Size    Share  Start                Length  Shown\n"
	       "----  -----  ------  -------  -------------------  ------  -----\n"
	       "\u00e4\u00f6\U0001f600\u4e2d      1  1 byte  100.00%  "
	       "1970-01-01 00:00:00     0 s  s\n");
}

Test(grid, cuts_the_elastic_column_where_the_table_is_too_wide)
{
	static row wide = { TEXT("abcdefghijklmnopqrstu\u00e4\u00f6\u00fcxyz"),
			    NUMBER(1), NUMBER(1), REAL(1), NUMBER(0), NUMBER(0),
			    NO_TEXT, TEXT("s") };
	static const char *const names[] = {
		"abcdefghijklmnopqrstu\u00e4\u00f6\u00fcxyz  ",	/* 87 columns */
		"abcdefghijklmnopqrstu\u00e4\u00f6...  ",
		"abcdefghijklmnopq...  ",
	};
	static const size_t widths[] = { 87, 86, 1 };

	for (size_t i = 0; i < 3; i++) {
		struct buf text =
			draw(&grid_text, widths[i], (row *const[]){ &wide, NULL });

		cr_expect(strstr(text.bytes, names[i]), "%zu: %s", widths[i],
			  text.bytes);
		buf_clear(&text);
	}
}

/* Terminals, and programs that read lines, must not be led astray. */
Test(grid, shows_control_characters_as_what_they_are)
{
	static row wild = { TEXT("a\nb\tc\rd\x1b\x7f\\"), NUMBER(1), NUMBER(1), REAL(1),
			    NUMBER(0), NUMBER(0), TEXT("\xed\xa0\x80"), TEXT("") };
	struct buf text = draw(&grid_text, 0, (row *const[]){ &wild, NULL });

	cr_expect(strstr(text.bytes, "\na\\nb\\tc\\rd\\x1b\\x7f\\  "), "%s", text.bytes);
	buf_clear(&text);
	text = draw(&grid_json, 0, (row *const[]){ &wild, NULL });
	cr_expect(strstr(text.bytes, "\"a\\nb\\tc\\rd\\u001b\x7f\\\\\""), "%s",
		  text.bytes);
	cr_expect(strstr(text.bytes, "\"raw\":\"\\ud800\""), "%s", text.bytes);
	buf_clear(&text);
}

Test(grid, has_an_end_of_time)
{
	static row endless = { NO_TEXT, NUMBER(0), NUMBER(0), REAL(0), NUMBER(INT64_MIN),
			       NUMBER(INT64_MAX), NO_TEXT, TEXT("s") };

	expect(&grid_text, 0, (row *const[]){ &endless, NULL },
	       "Name  Count     Size  Share  Start   Length  Shown\n"
	       "----  -----  -------  -----  -----  -------  -----\n"
	       "          0  0 bytes  0.00%         Forever  s\n");
}

Test(grid, has_the_members_of_an_object)
{
	struct buf text = { 0 };

	grid_add_members(&text, columns, 2, full);
	cr_expect(str_is((struct str){ text.bytes, text.size },
			 STR("\"name\":\"tea\",\"count\":7")));
	buf_clear(&text);
}

/* What libcsv reads from what we wrote. */

struct read {
	struct buf text;	/* fields, each followed by '|', rows by '/' */
};

static void take_field(void *bytes, size_t size, void *context)
{
	struct read *read = context;

	buf_add(&read->text, bytes, size);
	buf_byte(&read->text, '|');
}

static void take_row(int end, void *context)
{
	struct read *read = context;

	(void)end;
	buf_byte(&read->text, '/');
}

Test(grid, writes_csv_that_is_read_back)
{
	static row wild = { TEXT("a,\"b\"\nc"), NUMBER(1), NUMBER(2), REAL(1), NUMBER(0),
			    NUMBER(0), TEXT(" \u00e4 "), NO_TEXT };
	struct buf text = draw(&grid_csv, 0, (row *const[]){ &wild, NULL });
	struct read read = { 0 };
	struct csv_parser parser;

	cr_assert_eq(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI), 0);
	cr_expect_eq(csv_parse(&parser, text.bytes, text.size - 1, take_field, take_row,
			       &read), text.size - 1);
	cr_expect_eq(csv_fini(&parser, take_field, take_row, &read), 0);
	cr_expect(str_is((struct str){ read.text.bytes, read.text.size },
			 STR("name|count|bytes|share|start|nanos|raw|/"
			     "a,\"b\"\nc|1|2|1.000000|1970-01-01T00:00:00.000000000Z|"
			     "0| \u00e4 |/")));
	csv_free(&parser);
	buf_clear(&read.text);
	buf_clear(&text);
}

Test(grid, takes_its_width_from_columns)
{
	setenv("COLUMNS", "77", 1);
	cr_expect_eq(grid_width(-1), 77);
	setenv("COLUMNS", "wide", 1);
	cr_expect_eq(grid_width(-1), 120);
	unsetenv("COLUMNS");
	cr_expect_eq(grid_width(-1), 120);
}
