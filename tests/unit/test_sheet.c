#include <criterion/criterion.h>

#include "query/heading.h"
#include "render/sheet.h"
#include "rows.h"

static const struct layout plain;

/* Writers of one view, of two, and of some that lack something. */

static size_t write_one(const struct grid_format *format, const struct result *result,
			struct out *out)
{
	struct sheet sheet;

	sheet_begin(&sheet, format, false, out);
	sheet_view(&sheet, &(struct sheet_view){ .name = STR("fruit"),
						 .title = STR("All \"Fruit\""),
						 .result = result });
	sheet_end(&sheet);
	return 0;
}

static size_t as_csv(const struct result *result, const struct layout *layout,
		     struct out *out)
{
	(void)layout;
	return write_one(&grid_csv, result, out);
}

static size_t as_json(const struct result *result, const struct layout *layout,
		      struct out *out)
{
	(void)layout;
	return write_one(&grid_json, result, out);
}

static size_t as_ndjson(const struct result *result, const struct layout *layout,
			struct out *out)
{
	(void)layout;
	return write_one(&grid_ndjson, result, out);
}

static void write_three(const struct grid_format *format, const struct result *result,
			struct out *out)
{
	struct sheet sheet;

	sheet_begin(&sheet, format, true, out);
	sheet_view(&sheet, &(struct sheet_view){ .name = STR("fruit"),
						 .title = STR("Fruit"),
						 .result = result });
	sheet_view(&sheet, &(struct sheet_view){ .name = STR("gc"),
						 .title = STR("Garbage"),
						 .missing = STR("There is no 'X'") });
	sheet_view(&sheet, &(struct sheet_view){ .name = STR("again"),
						 .result = result });
	sheet_end(&sheet);
}

static size_t as_several_json(const struct result *result, const struct layout *layout,
			      struct out *out)
{
	(void)layout;
	write_three(&grid_json, result, out);
	return 0;
}

static size_t as_several_ndjson(const struct result *result,
				const struct layout *layout, struct out *out)
{
	(void)layout;
	write_three(&grid_ndjson, result, out);
	return 0;
}

/* Documents. */

static const struct column columns[] = { TEXT_COLUMN("name", "Name"),
					 NUMBER_COLUMN("w", "Weight, all in all") };
static const rows_row items[] = {
	{ CELL_TEXT("pear"), CELL_INT(30) },
	{ CELL_TEXT("a \"fig\", ripe"), { .kind = DATUM_NULL } },
	{ { .kind = DATUM_NULL }, CELL_INT(-1) },
};
static const struct rows fruit = ROWS(columns, items);
static const struct rows none = { .columns = columns, .column_count = 2 };

Test(sheet, is_json)
{
	WRITES(as_json, &fruit, &plain,
	       "{\"version\":1,\"view\":\"fruit\",\"title\":\"All \\\"Fruit\\\"\","
	       "\"columns\":[\n"
	       "{\"title\":\"Name\",\"field\":\"name\",\"kind\":\"string\"},\n"
	       "{\"title\":\"Weight, all in all\",\"field\":\"w\",\"kind\":\"integer\"}\n"
	       "],\n"
	       "\"rows\":[\n"
	       "{\"Name\":\"pear\",\"Weight, all in all\":30},\n"
	       "{\"Name\":\"a \\\"fig\\\", ripe\",\"Weight, all in all\":null},\n"
	       "{\"Name\":null,\"Weight, all in all\":-1}\n"
	       "]}\n");
}

Test(sheet, is_csv)
{
	WRITES(as_csv, &fruit, &plain,
	       "Name,\"Weight, all in all\"\n"
	       "pear,30\n"
	       "\"a \"\"fig\"\", ripe\",\n"
	       ",-1\n");
}

Test(sheet, is_ndjson)
{
	WRITES(as_ndjson, &fruit, &plain,
	       "{\"Name\":\"pear\",\"Weight, all in all\":30}\n"
	       "{\"Name\":\"a \\\"fig\\\", ripe\",\"Weight, all in all\":null}\n"
	       "{\"Name\":null,\"Weight, all in all\":-1}\n");
}

Test(sheet, may_have_no_rows)
{
	WRITES(as_json, &none, &plain,
	       "{\"version\":1,\"view\":\"fruit\",\"title\":\"All \\\"Fruit\\\"\","
	       "\"columns\":[\n"
	       "{\"title\":\"Name\",\"field\":\"name\",\"kind\":\"string\"},\n"
	       "{\"title\":\"Weight, all in all\",\"field\":\"w\",\"kind\":\"integer\"}\n"
	       "],\n"
	       "\"rows\":[]}\n");
	WRITES(as_csv, &none, &plain, "Name,\"Weight, all in all\"\n");
	WRITES(as_ndjson, &none, &plain, "");
}

Test(sheet, has_what_is_shown)
{
	const struct rows less = ROWS(columns, items, .limit = 2,
					     .visible_count = 1);

	WRITES(as_csv, &less, &plain, "Name\npear\n\"a \"\"fig\"\", ripe\"\n");
	WRITES(as_ndjson, &less, &plain,
	       "{\"Name\":\"pear\"}\n"
	       "{\"Name\":\"a \\\"fig\\\", ripe\"}\n");
}

Test(sheet, has_several_views)
{
	const struct rows one = ROWS(columns, items, .limit = 1,
					    .visible_count = 1);

	WRITES(as_several_json, &one, &plain,
	       "{\"version\":1,\"views\":[\n"
	       "{\"view\":\"fruit\",\"title\":\"Fruit\",\"columns\":[\n"
	       "{\"title\":\"Name\",\"field\":\"name\",\"kind\":\"string\"}\n"
	       "],\n"
	       "\"rows\":[\n"
	       "{\"Name\":\"pear\"}\n"
	       "]},\n"
	       "{\"view\":\"gc\",\"title\":\"Garbage\",\"missing\":\"There is no 'X'\","
	       "\"columns\":[],\"rows\":[]},\n"
	       "{\"view\":\"again\",\"title\":null,\"columns\":[\n"
	       "{\"title\":\"Name\",\"field\":\"name\",\"kind\":\"string\"}\n"
	       "],\n"
	       "\"rows\":[\n"
	       "{\"Name\":\"pear\"}\n"
	       "]}\n"
	       "]}\n");
	WRITES(as_several_ndjson, &one, &plain,
	       "{\"view\":\"fruit\",\"Name\":\"pear\"}\n"
	       "{\"view\":\"again\",\"Name\":\"pear\"}\n");
}

Test(sheet, of_several_views_may_be_empty)
{
	struct out out = { .fd = -1 };
	struct sheet sheet;

	sheet_begin(&sheet, &grid_json, true, &out);
	sheet_end(&sheet);
	cr_expect(str_is((struct str){ out.buf.bytes, out.buf.size },
			 STR("{\"version\":1,\"views\":[]}\n")));
	buf_clear(&out.buf);
}

/* A row of CSV that would be an empty line. */
Test(sheet, has_no_empty_lines)
{
	const struct rows names = ROWS(columns, items, .visible_count = 1);

	WRITES(as_csv, &names, &plain, "Name\npear\n\"a \"\"fig\"\", ripe\"\n\"\"\n");
}

/* Of what is shown, and not of the numbers it is a share of. */
Test(sheet, has_shares_as_fractions)
{
	static const struct column share_columns[] = {
		NUMBER_COLUMN("w", "W", .is_normalized = true, .is_percentage = true),
		NUMBER_COLUMN("p", "P", .is_percentage = true) };
	const rows_row share_items[] = {
		{ CELL_INT(1), { .kind = DATUM_FLOAT, .real = 0.125 } },
		{ CELL_INT(3), { .kind = DATUM_FLOAT, .real = 1 } },
	};
	const struct rows shares = ROWS(share_columns, share_items);

	WRITES(as_csv, &shares, &plain, "W,P\n0.25,0.125\n0.75,1.0\n");
}

/* Keys. */

static void expect_keys(const struct column *titled, size_t count, const char *wanted)
{
	struct plan plan = { .columns = titled, .column_count = count,
			     .visible_count = count };
	struct arena arena = { 0 };
	const struct str *keys = heading_all(&plan, NULL, &arena);
	struct buf to = { 0 };

	cr_assert(keys);
	for (size_t i = 0; i < count; i++) {
		cr_expect_eq(keys[i].bytes[keys[i].size], '\0');
		buf_str(&to, keys[i]);
		buf_byte(&to, '|');
	}
	buf_byte(&to, '\0');
	cr_expect_str_eq(to.bytes, wanted);
	buf_clear(&to);
	arena_clear(&arena);
}

#define TITLE(title_) TEXT_COLUMN("f", title_)
#define KEYS(wanted, ...)                                                      \
	expect_keys((const struct column[]){ __VA_ARGS__ },                    \
		    sizeof((const struct column[]){ __VA_ARGS__ }) /           \
			    sizeof(struct column), wanted)

Test(sheet, calls_columns_by_their_titles)
{
	KEYS("A|B|a|", TITLE("A"), TITLE("B"), TITLE("a"));
	KEYS("B|A|B 2|B 3|A 2|", TITLE("B"), TITLE("A"), TITLE("B"), TITLE("B"),
	     TITLE("A"));
	KEYS("A|A 3|A 2|", TITLE("A"), TITLE("A"), TITLE("A 2"));
	KEYS("A 2|A|A 3|A 2 2|A 4|", TITLE("A 2"), TITLE("A"), TITLE("A"), TITLE("A 2"),
	     TITLE("A"));
	KEYS("| 2|", TITLE(""), TITLE(""));
	KEYS("A|A 2|", TITLE("A\0b"), TITLE("A\0c"));
}

Test(sheet, keeps_the_name_of_the_view_apart_in_lines)
{
	static const struct column view_columns[] = { TITLE("view"), TITLE("view") };
	const rows_row view_items[] = { { CELL_TEXT("a"), CELL_TEXT("b") } };
	const struct rows views = ROWS(view_columns, view_items);

	WRITES(as_ndjson, &views, &plain, "{\"view\":\"a\",\"view 2\":\"b\"}\n");
	WRITES(as_several_ndjson, &views, &plain,
	       "{\"view\":\"fruit\",\"view 2\":\"a\",\"view 3\":\"b\"}\n"
	       "{\"view\":\"again\",\"view 2\":\"a\",\"view 3\":\"b\"}\n");
}

Test(sheet, finds_columns)
{
	static const struct column found[] = {
		TEXT_COLUMN("time", "Name"),
		TEXT_COLUMN("name", "Time"),
		TEXT_COLUMN("TIME", "Name"),
		TEXT_COLUMN("hidden", "Hidden"),
	};
	static const struct {
		struct str name;
		size_t column;
	} names[] = {
		{ STR("Name"), 0 }, { STR("Time"), 1 },	  { STR("Name 2"), 2 },
		{ STR("time"), 0 }, { STR("name"), 1 },	  { STR("TIME"), 2 },
		{ STR("NAME"), 0 }, { STR("NAME 2"), 2 }, { STR("tIME"), 1 },
		{ STR("Hidden"), HEADING_NONE },	  { STR(""), HEADING_NONE },
	};
	struct plan plan = { .columns = found, .column_count = 4, .visible_count = 3 };
	struct arena arena = { 0 };
	const struct str *keys = heading_all(&plan, NULL, &arena);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect_eq(heading_find(&plan, keys, names[i].name), names[i].column,
			     "%s", names[i].name.bytes);
	arena_clear(&arena);
}

Test(sheet, survives_without_memory)
{
	rows_survive(as_json, &fruit, &plain);
	rows_survive(as_csv, &fruit, &plain);
	rows_survive(as_several_ndjson, &fruit, &plain);
}
