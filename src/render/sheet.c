#include "render/sheet.h"

#include "query/heading.h"
#include "render/bare.h"

/* Rows: each cell is made ready, in one text for all of a row. */

struct portion {
	const struct sheet *sheet;
	const struct sheet_view *view;
	struct arena arena;
	const struct str *keys;
	struct grid_column *columns;
	union grid_cell *cells;
	size_t first;			/* column of the result, behind the view's name */
	struct buf text;
};

static size_t column_count(const struct portion *portion)
{
	return portion->view->result->plan->visible_count;
}

static bool make_cells(struct portion *portion, const struct cells *row)
{
	enum bare_form form = portion->sheet->format == &grid_csv ? BARE_CSV : BARE_JSON;
	const struct result *result = portion->view->result;
	union grid_cell *cells = portion->cells + portion->first;

	buf_reset(&portion->text);
	for (size_t i = 0; i < column_count(portion); i++) {
		size_t start = portion->text.size;
		struct datum datum = result_cell(result, row, i);
		bool is_there = bare_add(&portion->text, &result->plan->columns[i], &datum,
					 form);

		cells[i].text = (struct str){ is_there ? "" : NULL,
					      portion->text.size - start };
	}
	if (portion->text.failed)
		return false;
	/* Now the text does not move any more. */
	for (size_t i = 0, at = 0; i < column_count(portion); i++) {
		if (cells[i].text.bytes)
			cells[i].text.bytes = portion->text.bytes + at;
		at += cells[i].text.size;
	}
	return true;
}

static void write_rows(struct portion *portion)
{
	const struct result *result = portion->view->result;
	struct out *out = portion->sheet->out;
	size_t shown = result_shown(result);
	struct grid grid = { 0 };

	grid_begin(&grid, portion->sheet->format, portion->columns,
		   portion->first + column_count(portion), out);
	for (size_t i = 0; i < shown && out_drain(out) && !out->buf.failed; i++) {
		if (make_cells(portion, result->rows.items[i]))
			grid_row(&grid, portion->cells);
		else
			out->buf.failed = true;
	}
	grid_end(&grid);
}

/* Lines of several views begin with the name of theirs. */
static bool portion_begin(struct portion *portion)
{
	const char *taken = NULL;
	size_t count = column_count(portion) + 1;

	portion->columns = arena_array(&portion->arena, count, sizeof(*portion->columns));
	portion->cells = arena_array(&portion->arena, count, sizeof(*portion->cells));
	if (!portion->columns || !portion->cells)
		return false;
	if (portion->sheet->format == &grid_ndjson && portion->sheet->has_several) {
		taken = "view";
		portion->columns[0] = (struct grid_column){ .key = taken };
		portion->cells[0].text = portion->view->name;
		portion->first = 1;
	}
	portion->keys = heading_all(portion->view->result->plan, taken, &portion->arena);
	for (size_t i = 0; portion->keys && i < column_count(portion); i++)
		portion->columns[portion->first + i] = (struct grid_column){
			.key = portion->keys[i].bytes,
			.kind = GRID_READY,
		};
	return portion->keys;
}

/* JSON has more than rows. */

static void write_columns(const struct portion *portion)
{
	static const struct grid_column columns[] = {
		{ "title", NULL, GRID_STRING, false },
		{ "field", NULL, GRID_STRING, false },
		{ "kind", NULL, GRID_STRING, false },
	};
	const struct plan *plan = portion->view->result->plan;
	struct grid grid = { 0 };

	grid_begin(&grid, &grid_json, columns, sizeof(columns) / sizeof(columns[0]),
		   portion->sheet->out);
	for (size_t i = 0; i < plan->visible_count; i++) {
		const struct column *column = &plan->columns[i];

		grid_row(&grid, (const union grid_cell[]){
			{ .text = portion->keys[i] },
			{ .text = column->name },
			{ .text = str_of(bare_kind(column)) },
		});
	}
	grid_end(&grid);
}

static void write_head(const struct sheet_view *view, struct buf *to)
{
	static const struct grid_column columns[] = {
		{ "view", NULL, GRID_STRING, false },
		{ "title", NULL, GRID_STRING, false },
		{ "missing", NULL, GRID_STRING, false },
	};
	const union grid_cell cells[] = { { .text = view->name },
					  { .text = view->title },
					  { .text = view->missing } };

	grid_add_members(to, columns, view->result ? 2 : 3, cells);
}

static void write_json(struct portion *portion)
{
	struct buf *to = &portion->sheet->out->buf;

	write_head(portion->view, to);
	if (!portion->view->result) {
		buf_text(to, ",\"columns\":[],\"rows\":[]");
		return;
	}
	buf_text(to, ",\"columns\":");
	write_columns(portion);
	buf_text(to, ",\n\"rows\":");
	write_rows(portion);
}

static void write_portion(struct portion *portion)
{
	const struct sheet *sheet = portion->sheet;
	struct buf *to = &sheet->out->buf;

	if (sheet->format != &grid_json) {
		if (portion->view->result)
			write_rows(portion);
		return;
	}
	if (sheet->has_several)
		buf_text(to, sheet->views ? ",\n{" : "\n{");
	write_json(portion);
	if (sheet->has_several)
		buf_byte(to, '}');
}

void sheet_begin(struct sheet *sheet, const struct grid_format *format,
		 bool has_several, struct out *out)
{
	*sheet = (struct sheet){ .format = format, .has_several = has_several,
				 .out = out };
	if (format == &grid_json)
		buf_text(&out->buf, "{\"version\":" SHEET_VERSION ",");
	if (format == &grid_json && has_several)
		buf_text(&out->buf, "\"views\":[");
}

void sheet_view(struct sheet *sheet, const struct sheet_view *view)
{
	struct portion portion = { .sheet = sheet, .view = view };

	if (view->result && !portion_begin(&portion))
		sheet->out->buf.failed = true;
	else
		write_portion(&portion);
	sheet->views++;
	arena_clear(&portion.arena);
	buf_clear(&portion.text);
	out_drain(sheet->out);
}

void sheet_end(struct sheet *sheet)
{
	struct buf *to = &sheet->out->buf;

	if (sheet->format != &grid_json)
		return;
	if (sheet->has_several)
		buf_text(to, sheet->views ? "\n]" : "]");
	buf_text(to, "}\n");
}
