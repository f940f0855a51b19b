#include <criterion/criterion.h>

#include "planned.h"

static const struct schema_type types[] = {
	TYPE("test.A", "jdk.jfr.Event",
	     FIELDS(START, FIELD("key", "long"), FIELD("x", "long"),
		    FIELD("y", "long"))),
	TYPE("test.B", "jdk.jfr.Event",
	     FIELDS(START, FIELD("key", "long"), FIELD("z", "long"))),
	TYPES_END,
};

static struct made made;

static void open_chunk(void)
{
	make_begin(&made, types);
	cr_assert(make_open(&made), "%s", made.err.text);
}

static void close_chunk(void)
{
	make_clear(&made);
}

TestSuite(parts, .init = open_chunk, .fini = close_chunk);

/* For each column part.cell, or - without a part; then how many columns each part has. */
static void expect(const char *query, const char *wanted, int line)
{
	struct planned planned;
	const struct plan *plan = &planned.plan;
	struct buf text = { 0 };

	planned_of(&planned, &made.chunk, query);
	cr_expect(planned.is_good, "line %d: %s", line, planned.err.text);
	for (uint32_t i = 0; i < plan->column_count; i++) {
		const struct column *column = &plan->columns[i];

		if (column->part == PLAN_NO_PART) {
			buf_text(&text, "- ");
			continue;
		}
		buf_printf(&text, "%u.%u ", column->part, column->cell);
		cr_expect_eq(plan->parts[column->part].columns[column->cell], i,
			     "line %d: column %u", line, i);
	}
	buf_text(&text, "|");
	for (size_t i = 0; i < plan->part_count; i++)
		buf_printf(&text, " %u", plan->parts[i].column_count);
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: got %s", line, text.bytes);
	buf_clear(&text);
	planned_clear(&planned);
}

#define PARTS(query, wanted) expect(query, wanted, __LINE__)

Test(parts, are_one_for_a_single_type)
{
	PARTS("SELECT x, y FROM A", "0.0 0.1 | 2");
	PARTS("SELECT A.x, B.y FROM A, A AS B", "0.0 0.1 | 2");
}

Test(parts, are_one_for_each_type)
{
	PARTS("SELECT A.x, B.z, A.y FROM A, B", "0.0 1.0 0.1 | 2 1");
	PARTS("SELECT * FROM A, B", "0.0 0.1 0.2 0.3 1.0 1.1 1.2 | 4 3");
}

Test(parts, are_one_for_types_that_share_a_column)
{
	PARTS("SELECT A.x, B.z, key FROM A, B", "0.0 0.1 0.2 | 3");
}

Test(parts, have_no_columns_that_are_only_grouped_by)
{
	PARTS("SELECT COUNT(*) FROM A, B GROUP BY key", "0.0 - - | 1");
	PARTS("SELECT x FROM A GROUP BY key ORDER BY y", "0.0 - 0.1 | 2");
}

Test(parts, have_columns_that_rows_are_sorted_by)
{
	PARTS("SELECT x FROM A GROUP BY key", "0.0 0.1 | 2");
	PARTS("SELECT x FROM A ORDER BY y", "0.0 0.1 | 2");
}
