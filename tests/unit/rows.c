#include "rows.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "fault.h"

static const struct plan_input input = { .path = { "field", 5 } };

struct made {
	struct plan_source source;
	struct column columns[ROWS_CELLS];
	const struct cells **rows;
	double totals[ROWS_CELLS];
	struct plan plan;
	struct result result;
};

static void make_column(struct column *column)
{
	if (!column->missing.bytes)
		column->missing = STR("N/A");
	if (!column->cell_height)
		column->cell_height = 1;
	column->precision = -1;
	column->group = column->order = -1;
	column->inputs = &input;
	column->input_count = 1;
}

static const struct cells *make_row(const struct datum *items, size_t count)
{
	struct cells *cells = calloc(1, sizeof(*cells) + count * sizeof(*items));

	cr_assert(cells);
	memcpy(cells->items, items, count * sizeof(*items));
	return cells;
}

static void make(struct made *made, const struct rows *rows)
{
	*made = (struct made){ .rows = calloc(rows->count + 1, sizeof(*made->rows)) };
	cr_assert(rows->column_count <= ROWS_CELLS && made->rows);
	made->source = (struct plan_source){ .type_name = STR("shop.Sale"),
					     .is_experimental = rows->is_experimental };
	for (size_t i = 0; i < rows->column_count; i++) {
		made->columns[i] = rows->columns[i];
		make_column(&made->columns[i]);
		made->columns[i].cell = (uint32_t)i;
	}
	for (size_t i = 0; i < rows->count; i++) {
		made->rows[i] = make_row(rows->items[i], rows->column_count);
		for (size_t k = 0; k < rows->column_count; k++) {
			if (made->columns[k].is_normalized)
				made->totals[k] += datum_real(&rows->items[i][k]);
		}
	}
	made->plan = (struct plan){
		.columns = made->columns,
		.column_count = rows->column_count,
		.visible_count = rows->visible_count ? rows->visible_count
						     : rows->column_count,
		.sources = &made->source,
		.source_count = 1,
	};
	made->result = (struct result){
		.plan = &made->plan,
		.rows = { made->rows, rows->count, rows->count },
		.limit = rows->limit ? rows->limit : QUERY_NO_LIMIT,
		.totals = made->totals,
		.run_nanos = 4000000000,
	};
}

static void unmake(struct made *made)
{
	for (size_t i = 0; i < made->result.rows.count; i++)
		free((struct cells *)made->rows[i]);
	free(made->rows);
}

size_t rows_write(rows_writer *writer, const struct rows *rows,
		  const struct layout *layout, struct buf *text)
{
	struct out out = { .fd = -1 };
	struct made made;
	size_t width;

	make(&made, rows);
	width = writer(&made.result, layout, &out);
	cr_expect_not(out.buf.failed);
	buf_byte(&out.buf, '\0');
	unmake(&made);
	*text = out.buf;
	return width;
}

void rows_compare(rows_writer *writer, const struct rows *rows,
		  const struct layout *layout, const char *wanted, int line)
{
	struct buf text;

	rows_write(writer, rows, layout, &text);
	cr_expect_str_eq(text.bytes, wanted, "line %d: got\n%s", line, text.bytes);
	buf_clear(&text);
}

void rows_survive(rows_writer *writer, const struct rows *rows,
		  const struct layout *layout)
{
	struct buf wanted;
	struct made made;
	bool is_refused;
	size_t n = 0;

	rows_write(writer, rows, layout, &wanted);
	make(&made, rows);
	do {
		struct out out = { .fd = -1 };

		fault_at(++n);
		writer(&made.result, layout, &out);
		is_refused = fault_happened();
		fault_at(0);
		buf_byte(&out.buf, '\0');
		cr_expect(is_refused ? out.buf.failed
				     : strcmp(out.buf.bytes, wanted.bytes) == 0,
			  "request %zu", n);
		buf_clear(&out.buf);
	} while (is_refused);
	cr_expect_gt(n, 1);
	unmake(&made);
	buf_clear(&wanted);
}
