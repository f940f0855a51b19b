#include "render/sheet.h"

#include <stdio.h>
#include <strings.h>

#include "render/bare.h"

/* Keys. */

/* A title that has been given out, of column number `place`, counted from 1. */
struct claim {
	struct str title;
	size_t place;		/* 0: to none */
};

static int compare_claims(const void *a, const void *b)
{
	const struct claim *one = a, *other = b;
	int order = str_compare(one->title, other->title);

	return order ? order : (one->place > other->place) - (one->place < other->place);
}

static int compare_title(const void *title, const void *claim)
{
	return str_compare(*(const struct str *)title, ((const struct claim *)claim)->title);
}

/* "Event Type 2"; bytes NULL without memory. */
static struct str add_number(struct str title, size_t number, struct arena *arena)
{
	char tail[24];
	size_t size = (size_t)snprintf(tail, sizeof(tail), " %zu", number);
	char *bytes = arena_alloc(arena, title.size + size + 1);

	if (!bytes)
		return (struct str){ NULL, 0 };
	memcpy(bytes, title.bytes, title.size);
	memcpy(bytes + title.size, tail, size);
	return (struct str){ bytes, title.size + size };
}

/* A key that no other title is equal to: what is no copy keeps its title. */
static struct str make_key(const struct claim *claims, size_t count, struct str title,
			   size_t *number, struct arena *arena)
{
	struct str key;

	do
		key = add_number(title, ++*number, arena);
	while (key.bytes && bsearch(&key, claims, count, sizeof(*claims), compare_title));
	return key;
}

static void give_keys(struct str *keys, const struct claim *claims, size_t count,
		      struct arena *arena)
{
	size_t number = 1;

	for (size_t i = 0; i < count; i++) {
		struct str title = claims[i].title;
		bool is_copy = i && str_is(title, claims[i - 1].title);

		number = is_copy ? number : 1;
		if (claims[i].place == 0)
			continue;
		keys[claims[i].place - 1] =
			is_copy ? make_key(claims, count, title, &number, arena)
				: title;
	}
}

/* A title up to its first NUL, of which a key has none. */
static struct str copy_title(struct str title, struct arena *arena)
{
	size_t size = strnlen(title.bytes, title.size);

	return (struct str){ arena_copy(arena, title.bytes, size), size };
}

/* None is called like what is taken already. */
static const struct str *make_keys(const struct plan *plan, const char *taken,
				   struct arena *arena)
{
	size_t count = plan->visible_count, claimed = 0;
	struct claim *claims = arena_array(arena, count + 1, sizeof(*claims));
	struct str *keys = arena_array(arena, count, sizeof(*keys));

	if (!claims || !keys)
		return NULL;
	if (taken)
		claims[claimed++].title = str_of(taken);
	for (size_t i = 0; i < count; i++) {
		struct str title = copy_title(plan->columns[i].title, arena);

		claims[claimed++] = (struct claim){ title, i + 1 };
	}
	if (arena->failed)
		return NULL;
	qsort(claims, claimed, sizeof(*claims), compare_claims);
	give_keys(keys, claims, claimed, arena);
	return arena->failed ? NULL : keys;
}

const struct str *sheet_keys(const struct plan *plan, struct arena *arena)
{
	return make_keys(plan, NULL, arena);
}

static bool is_same_word(struct str a, struct str b)
{
	return a.size == b.size && strncasecmp(a.bytes, b.bytes, a.size) == 0;
}

size_t sheet_column(const struct plan *plan, const struct str *keys, struct str name)
{
	static bool (*const ways[])(struct str a, struct str b) = { str_is,
								    is_same_word };

	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
		for (size_t i = 0; i < plan->visible_count; i++) {
			if (ways[way](keys[i], name))
				return i;
		}
		for (size_t i = 0; i < plan->visible_count; i++) {
			if (ways[way](plan->columns[i].name, name))
				return i;
		}
	}
	return SHEET_NO_COLUMN;
}

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

static bool make_cells(struct portion *portion, const struct datum *row)
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
	portion->keys = make_keys(portion->view->result->plan, taken, &portion->arena);
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
