#include <criterion/criterion.h>
#include <math.h>

#include "fault.h"
#include "query/result.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A column with its places in GROUP BY and ORDER BY. */
#define PLACED(group_, order_, ...)                                                    \
	{ .missing = { "N/A", 3 }, .precision = -1, .group = (group_),                 \
	  .order = (order_), __VA_ARGS__ }
#define COLUMN(...) PLACED(-1, -1, __VA_ARGS__)

#define INTEGER(value) { .kind = DATUM_INT, .number = (value) }
#define SPAN(seconds) { .kind = DATUM_SPAN, .number = (seconds) }

static struct cells *make_cells(struct result *result, uint32_t part,
				const struct datum *items, size_t count)
{
	struct cells *cells = arena_alloc(&result->arena, sizeof(*cells) +
							  count * sizeof(*items));

	cr_assert(cells);
	cells->part = part;
	memcpy(cells->items, items, count * sizeof(*items));
	return cells;
}

/*
 * A result of so many columns and these rows, which lie one after the other. In a part
 * that no column is of, each has its place among them.
 */
static struct result result_of(const struct plan *plan, const struct datum *rows,
			       size_t count)
{
	struct result result = { .plan = plan, .limit = QUERY_NO_LIMIT };

	for (size_t i = 0; i < count; i++) {
		struct datum place = datum_of_integer(DATUM_INT, (int64_t)i);
		struct cells *row = make_cells(&result, 0,
					       rows + i * plan->column_count,
					       plan->column_count);

		row->next = make_cells(&result, 1, &place, 1);
		cr_assert(vec_push(&result.rows, (const struct cells *)row));
	}
	return result;
}

static int64_t place_of(const struct cells *row)
{
	return row->next->items[0].number;
}

/* Fails unless the rows have these places. */
static void expect_order(const struct result *result, const char *order, int line)
{
	struct buf found = { 0 };

	for (size_t i = 0; i < result->rows.count; i++)
		buf_byte(&found, (char)('0' + place_of(result->rows.items[i])));
	buf_byte(&found, '\0');
	cr_expect_str_eq(found.bytes, order, "line %d", line);
	buf_clear(&found);
}

static void finishes(const struct plan *plan, const struct datum *rows,
		     const char *order, int line)
{
	struct result result = result_of(plan, rows, strlen(order));
	struct err err = { 0 };

	cr_expect(result_finish(&result, &err), "line %d: %s", line, err.text);
	expect_order(&result, order, line);
	result_clear(&result);
}

#define FINISHES(plan, rows, order) finishes(plan, rows, order, __LINE__)

/* Two columns; the second one says in which row. */
static const struct datum pairs[] = {
	INTEGER(2), INTEGER(1),
	{ .kind = DATUM_NULL }, INTEGER(2),
	INTEGER(1), INTEGER(2),
	INTEGER(2), INTEGER(0),
	INTEGER(1), INTEGER(1),
};

static struct plan plan_of(struct column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		columns[i].cell = (uint32_t)i;
	return (struct plan){ .columns = columns, .column_count = count,
			      .visible_count = count };
}

Test(result, is_sorted_by_the_first_column)
{
	static struct column columns[] = { COLUMN(), COLUMN() };
	const struct plan plan = plan_of(columns, 2);

	FINISHES(&plan, pairs, "12403");
	FINISHES(&plan, pairs, "0");
	FINISHES(&plan, pairs, "");
}

/* A timespan or a percentage, the greatest first; equal ones as they came. */
Test(result, is_sorted_downwards_by_shares)
{
	static struct column spans[] = { COLUMN(.is_timespan = true), COLUMN() };
	static struct column shares[] = {
		COLUMN(.is_percentage = true), COLUMN(),
	};
	const struct plan by_span = plan_of(spans, 2), by_share = plan_of(shares, 2);

	FINISHES(&by_span, pairs, "03241");
	FINISHES(&by_share, pairs, "03241");
}

Test(result, is_sorted_by_groups_the_last_before_all)
{
	static struct column both[] = { PLACED(1, -1), PLACED(0, -1) };
	static struct column second[] = { COLUMN(), PLACED(0, -1) };
	const struct plan by_both = plan_of(both, 2), by_second = plan_of(second, 2);

	FINISHES(&by_both, pairs, "34012");
	FINISHES(&by_second, pairs, "30412");
}

Test(result, is_sorted_by_aggregates_rather_than_groups)
{
	static struct column both[] = {
		COLUMN(.aggregator = AGGREGATOR_COUNT),
		COLUMN(.aggregator = AGGREGATOR_SUM),
	};
	static struct column first[] = {
		COLUMN(.aggregator = AGGREGATOR_COUNT), PLACED(0, -1),
	};
	const struct plan by_both = plan_of(both, 2), by_first = plan_of(first, 2);

	FINISHES(&by_both, pairs, "34012");
	FINISHES(&by_first, pairs, "12403");
}

Test(result, is_sorted_as_ordered)
{
	static struct column columns[][2] = {
		{ PLACED(-1, 0, .direction = ORDER_DESCENDING),
		  PLACED(-1, 1, .direction = ORDER_ASCENDING) },
		{ PLACED(-1, 1, .direction = ORDER_ASCENDING),
		  PLACED(-1, 0, .direction = ORDER_DESCENDING) },
		{ PLACED(-1, 0, .is_timespan = true),
		  COLUMN(.aggregator = AGGREGATOR_COUNT) },
		{ PLACED(-1, 0, .is_timespan = true, .direction = ORDER_ASCENDING),
		  PLACED(0, -1) },
	};
	static const char *const orders[] = { "30421", "12403", "03241", "12403" };

	for (size_t i = 0; i < COUNT(orders); i++) {
		struct plan plan = plan_of(columns[i], 2);

		plan.order_count = columns[i][1].order < 0 ? 1 : 2;
		FINISHES(&plan, pairs, orders[i]);
	}
}

/* "10" is less than "9", and U+1F600 than U+FF5E in UTF-16. */
Test(result, is_sorted_by_text_where_that_is_so)
{
	static struct column columns[] = { COLUMN(.is_lexical = true) };
	static const struct thing wave = { .text = { "\xef\xbd\x9e", 3 } };
	static const struct thing face = { .text = { "\xf0\x9f\x98\x80", 4 } };
	static const struct thing broken = { .text = { "1\n", 2 } };
	static const struct datum rows[] = {
		{ .kind = DATUM_THING, .thing = &wave }, INTEGER(9),
		{ .kind = DATUM_NULL }, INTEGER(10),
		{ .kind = DATUM_THING, .thing = &face },
		{ .kind = DATUM_THING, .thing = &broken },
	};
	struct plan plan = plan_of(columns, 1);

	FINISHES(&plan, rows, "531240");
}

/* The texts of a normalized column are those of shares. */
Test(result, sorts_shares_by_their_text)
{
	static struct column columns[] = {
		COLUMN(.is_lexical = true, .is_normalized = true,
		       .is_percentage = true),
	};
	static const struct datum rows[] = { INTEGER(1), INTEGER(9), INTEGER(90) };
	struct plan plan = plan_of(columns, 1);

	FINISHES(&plan, rows, "210");
}

static double real_at(const struct result *result, size_t row, size_t column)
{
	struct datum cell = result_cell(result, result->rows.items[row], column);

	cr_expect_eq(cell.kind, DATUM_DOUBLE);
	return cell.real;
}

/* Of all rows, also those past the limit. */
Test(result, tells_the_share_of_a_normalized_column)
{
	static struct column columns[] = {
		COLUMN(), COLUMN(.is_normalized = true),
	};
	static const struct datum rows[] = {
		INTEGER(1), INTEGER(3), INTEGER(2), { .kind = DATUM_DOUBLE, .real = 5 },
		INTEGER(3), { .kind = DATUM_NULL },
	};
	struct plan plan = plan_of(columns, 2);
	struct result result = result_of(&plan, rows, 3);

	result.limit = 1;
	cr_assert(result_finish(&result, NULL));
	cr_assert(result.totals);
	cr_expect_eq(result.totals[1], 8);
	cr_expect_eq(real_at(&result, 0, 1), 3 / 8.0);
	cr_expect_eq(real_at(&result, 1, 1), 5 / 8.0);
	cr_expect_eq(result_cell(&result, result.rows.items[2], 1).kind, DATUM_NULL);
	cr_expect_eq(result_cell(&result, result.rows.items[0], 0).kind, DATUM_INT);
	cr_expect_eq(result_shown(&result), 1);
	result_clear(&result);
	cr_expect_null(result.totals);
}

/* The greatest absorbs what is added to it, but not what was added up before. */
Test(result, adds_up_in_the_order_rows_came)
{
	static struct column columns[] = { COLUMN(.is_normalized = true) };
	static const struct datum rows[] = {
		{ .kind = DATUM_DOUBLE, .real = 0x1p53 }, INTEGER(1), INTEGER(1),
	};
	struct plan plan = plan_of(columns, 1);
	struct result result = result_of(&plan, rows, 3);

	cr_assert(result_finish(&result, NULL));
	expect_order(&result, "120", __LINE__);
	cr_expect_eq(result.totals[0], 0x1p53);
	result_clear(&result);
}

Test(result, has_no_totals_without_need)
{
	static struct column columns[] = { COLUMN() };
	struct plan plan = plan_of(columns, 1), none = plan_of(columns, 0);
	struct result result = result_of(&plan, pairs, 2);

	cr_assert(result_finish(&result, NULL));
	cr_expect_null(result.totals);
	cr_expect_eq(result_shown(&result), 2);
	result.plan = &none;
	cr_expect(result_finish(&result, NULL));
	result_clear(&result);
}

Test(result, tells_the_share_of_the_run)
{
	static struct column columns[] = { COLUMN(.is_share_of_run = true) };
	static const struct datum rows[] = {
		SPAN(3),
		{ .kind = DATUM_SPAN, .number = INT64_MAX, .nanos = 999999999 },
		{ .kind = DATUM_SPAN, .number = INT64_MIN }, INTEGER(3),
	};
	struct plan plan = plan_of(columns, 1);
	struct result result = result_of(&plan, rows, 4);

	result.run_nanos = INT64_C(12000000000);
	cr_expect_eq(real_at(&result, 0, 0), 0.25);
	cr_expect_eq(result_cell(&result, result.rows.items[1], 0).kind, DATUM_SPAN);
	cr_expect_eq(result_cell(&result, result.rows.items[2], 0).kind, DATUM_SPAN);
	cr_expect_eq(result_cell(&result, result.rows.items[3], 0).kind, DATUM_INT);
	result.run_nanos = 0;
	cr_expect_eq(result_cell(&result, result.rows.items[0], 0).kind, DATUM_NULL);
	result_clear(&result);
}

Test(result, is_sorted_by_any_column_later)
{
	static struct column columns[] = {
		COLUMN(), COLUMN(.is_percentage = true),
	};
	struct plan plan = plan_of(columns, 2);
	struct result result = result_of(&plan, pairs, 5);

	cr_assert(result_finish(&result, NULL));
	cr_assert(result_sort(&result, 1, ORDER_DEFAULT, NULL));
	expect_order(&result, "12403", __LINE__);
	cr_assert(result_sort(&result, 1, ORDER_ASCENDING, NULL));
	expect_order(&result, "34012", __LINE__);
	result_clear(&result);
}

/* Numbers that follow no pattern, some of them equal. */
Test(result, sorts_many_and_keeps_the_order_of_equals)
{
	static struct column columns[] = { COLUMN() };
	static struct datum rows[10007];
	struct plan plan = plan_of(columns, 1);
	struct result result;

	for (size_t i = 0; i < COUNT(rows); i++)
		rows[i] = datum_of_integer(DATUM_LONG, (int64_t)(i * i % 1009));
	result = result_of(&plan, rows, COUNT(rows));
	cr_assert(result_finish(&result, NULL));
	for (size_t i = 1; i < COUNT(rows); i++) {
		const struct cells *before = result.rows.items[i - 1];
		const struct cells *row = result.rows.items[i];

		cr_assert(before->items[0].number < row->items[0].number ||
			  (before->items[0].number == row->items[0].number &&
			   place_of(before) < place_of(row)));
	}
	result_clear(&result);
}

Test(result, keeps_its_order_without_memory)
{
	static struct column columns[] = {
		COLUMN(.is_lexical = true, .is_normalized = true), COLUMN(),
	};
	struct plan plan = plan_of(columns, 2);
	bool is_good;
	size_t n = 0;

	do {
		struct result result = result_of(&plan, pairs, 5);
		struct err err = { 0 };

		fault_at(++n);
		is_good = result_finish(&result, &err);
		cr_expect(is_good || fault_happened());
		fault_at(0);
		cr_expect_eq(err.kind, is_good ? ERR_NONE : ERR_MEMORY);
		expect_order(&result, is_good ? "24031" : "01234", __LINE__);
		result_clear(&result);
	} while (!is_good);
	cr_expect_gt(n, 4);
}
