#include <criterion/criterion.h>

#include "make.h"
#include "query/planner.h"
#include "shop.h"

static struct made shop;

static void open_shop(void)
{
	struct header header = writer_header;

	writer_describe(&shop.writer, make_jdk_types);
	writer_describe(&shop.writer, shop_types);
	writer_open(&shop.writer, &header);
	shop_constants(&shop.writer);
	shop_events(&shop.writer, 0);
	cr_assert(make_open(&shop), "%s", shop.err.text);
}

static void close_shop(void)
{
	make_clear(&shop);
}

TestSuite(planner, .init = open_shop, .fini = close_shop);

struct planned {
	struct plan plan;
	struct arena arena;
	struct err err;
	size_t at;
	bool is_good;
};

static void plan(struct planned *planned, const char *text, bool is_lenient)
{
	struct query query;

	*planned = (struct planned){ .is_good = false };
	cr_assert(query_parse(&query, str_of(text), &planned->arena, &planned->at,
			      &planned->err), "%s", planned->err.text);
	query.is_lenient = is_lenient;
	planned->is_good = plan_make(&planned->plan, &query,
				     &shop.chunk.metadata, &planned->at,
				     &planned->err);
}

static void unplan(struct planned *planned)
{
	plan_clear(&planned->plan);
	arena_clear(&planned->arena);
}

/* The columns that are shown, and where their values are: "Item <shop.Sale item". */
static void expect_columns(const char *text, const char *wanted, int line)
{
	struct buf told = { 0 };
	struct planned planned;

	plan(&planned, text, false);
	cr_expect(planned.is_good, "line %d: %s", line, planned.err.text);
	for (size_t i = 0; i < planned.plan.column_count; i++) {
		const struct column *column = &planned.plan.columns[i];

		buf_text(&told, i ? "; " : "");
		buf_text(&told, column->is_visible ? "" : "hidden ");
		buf_str(&told, column->title);
		for (size_t j = 0; j < column->input_count; j++) {
			const struct plan_input *input = &column->inputs[j];

			buf_text(&told, j ? ", " : " <");
			buf_str(&told, planned.plan.sources[input->source].type_name);
			buf_byte(&told, ' ');
			buf_str(&told, input->path);
		}
	}
	buf_byte(&told, '\0');
	cr_expect_str_eq(told.bytes, wanted, "line %d: %s", line, told.bytes);
	buf_clear(&told);
	unplan(&planned);
}

#define COLUMNS(text, wanted) expect_columns(text, wanted, __LINE__)

Test(planner, finds_fields_by_all_their_names)
{
	COLUMNS("SELECT item FROM Sale", "Item <shop.Sale item");
	COLUMNS("SELECT item FROM shop.Sale", "Item <shop.Sale item");
	COLUMNS("SELECT shop.Sale.item FROM Sale", "Item <shop.Sale item");
	COLUMNS("SELECT Sale.item FROM Sale", "Item <shop.Sale item");
	COLUMNS("SELECT S.item FROM Sale AS S", "Item <shop.Sale item");
	COLUMNS("SELECT [S|T].item FROM Sale AS S, Sale AS T",
		"Item <shop.Sale item, shop.Sale item");
}

Test(planner, adds_hidden_columns)
{
	COLUMNS("SELECT COUNT(*) FROM Sale GROUP BY item ORDER BY price",
		"Count <shop.Sale startTime; hidden Item <shop.Sale item; "
		"hidden Price <shop.Sale price");
	COLUMNS("SELECT item AS I FROM Sale GROUP BY I ORDER BY I",
		"Item <shop.Sale item; hidden Item <shop.Sale item");
	COLUMNS("COLUMN 'What' SELECT MAX(price) FROM Sale",
		"What <shop.Sale price; hidden startTime <shop.Sale startTime");
}

Test(planner, takes_types_that_may_be_missing)
{
	COLUMNS("SELECT item FROM Sale?, Nothing?", "Item <shop.Sale item");
	COLUMNS("SELECT item FROM shop.Sal?", "Item <shop.Sale item");
}

static void expect_fault(const char *text, enum err_kind kind, size_t at,
			 const char *complaint, int line)
{
	struct planned planned;

	plan(&planned, text, false);
	cr_expect_not(planned.is_good, "line %d", line);
	cr_expect_eq(planned.err.kind, kind, "line %d: %s", line, planned.err.text);
	cr_expect_eq(planned.at, at, "line %d: %zu", line, planned.at);
	if (complaint) {
		cr_expect(str_is(planned.plan.complaint, str_of(complaint)),
			  "line %d: %.*s", line, (int)planned.plan.complaint.size,
			  planned.plan.complaint.bytes);
	}
	unplan(&planned);
}

#define FAULT(text, kind, at, complaint) \
	expect_fault(text, ERR_##kind, at, complaint, __LINE__)

/* In the words of JDK 25. */
Test(planner, says_what_is_missing)
{
	FAULT("SELECT * FROM Nothing", FORMAT, 14,
	      "Can't find event type named 'Nothing'. 'SHOW EVENTS' will list available "
	      "event types.");
	FAULT("SELECT itam FROM Sale", FORMAT, 7,
	      "Can't find field named 'itam' in shop.Sale.\nDid you mean 'item'?");
	FAULT("SELECT nowhere FROM Sale", FORMAT, 7,
	      "Can't find field named 'nowhere' in shop.Sale.\nUse 'SHOW FIELDS Sale' to "
	      "list available fields.");
}

Test(planner, refuses_what_makes_no_sense)
{
	FAULT("SELECT * FROM shop.* AS S", USAGE, 14, NULL);
	FAULT("SELECT SUM(*) FROM Sale", USAGE, 11, NULL);
	FAULT("SELECT MAX(price) AS P FROM Sale GROUP BY P", USAGE, 42, NULL);
	FAULT("COLUMN 'a' SELECT item, price FROM Sale", USAGE, 0, NULL);
	FAULT("FORMAT none SELECT item, price FROM Sale", USAGE, 0, NULL);
}

Test(planner, finds_types_in_another_spelling_if_wanted)
{
	struct planned planned;

	plan(&planned, "SELECT * FROM SALE", false);
	cr_expect_not(planned.is_good);
	unplan(&planned);
	plan(&planned, "SELECT * FROM sa-le", true);
	cr_expect(planned.is_good);
	cr_expect(str_is(planned.plan.sources[0].type_name, STR("shop.Sale")));
	unplan(&planned);
}

/* As the JDK does; but it is told. */
Test(planner, leaves_conditions_on_no_field_out)
{
	struct planned planned;

	plan(&planned, "SELECT item FROM Sale WHERE nowhere = 'x'", false);
	cr_expect(planned.is_good);
	cr_expect_eq(planned.plan.sources[0].filter_count, 0);
	cr_expect(str_is(planned.plan.ignored, STR("nowhere")));
	unplan(&planned);
	plan(&planned, "SELECT item FROM Sale WHERE item = 'x'", false);
	cr_expect_eq(planned.plan.sources[0].filter_count, 1);
	cr_expect_null(planned.plan.ignored.bytes);
	unplan(&planned);
}
