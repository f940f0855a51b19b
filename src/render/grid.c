#include "render/grid.h"

#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/decimal.h"
#include "base/utf.h"
#include "jfr/clock.h"
#include "render/cell.h"
#include "render/quote.h"
#include "jfr/units.h"

#define GAP 2			/* spaces between columns */
#define WIDTH_OTHERWISE 120
#define ELASTIC_LEAST 20	/* not even in narrow terminals less than that */

/* The text of a cell or a title. */
struct grid_piece {
	size_t at;		/* in grid->texts */
	size_t size;
	size_t width;		/* columns of a terminal, as most characters have one */
};

/* The letter of a control character, or 0. */
static char escape_letter(char byte)
{
	static const char from[] = "\n\r\t", letters[] = "nrt";
	const char *found = byte ? strchr(from, byte) : NULL;

	return found ? letters[found - from] : 0;
}

static bool is_control(char byte)
{
	return (unsigned char)byte < ' ' || byte == 0x7f;
}

/* Text on one line, whatever is in it. */
static void show_string(struct buf *to, union grid_cell cell)
{
	struct str rest = cell.text;

	while (rest.size) {
		size_t plain = 0;

		while (plain < rest.size && !is_control(rest.bytes[plain]))
			plain++;
		utf_add_output(to, (struct str){ rest.bytes, plain });
		rest.bytes += plain;
		rest.size -= plain;
		if (!rest.size)
			break;
		if (escape_letter(*rest.bytes))
			buf_printf(to, "\\%c", escape_letter(*rest.bytes));
		else
			buf_printf(to, "\\x%02x", (unsigned char)*rest.bytes);
		rest.bytes++;
		rest.size--;
	}
}

static void add_ready(struct buf *to, union grid_cell cell)
{
	buf_str(to, cell.text);
}

static void add_integer(struct buf *to, union grid_cell cell)
{
	buf_integer(to, cell.number);
}

static void show_bytes(struct buf *to, union grid_cell cell)
{
	units_amount(to, cell.number, AMOUNT_BYTES, false);
}

static void show_share(struct buf *to, union grid_cell cell)
{
	units_percentage(to, cell.real, false);
}

static void add_share(struct buf *to, union grid_cell cell)
{
	decimal_add_fixed(to, cell.real, 6);
}

static void show_time(struct buf *to, union grid_cell cell)
{
	units_date(to, time_of_nanos(cell.number));
}

static void add_time(struct buf *to, union grid_cell cell)
{
	units_iso_exact(to, time_of_nanos(cell.number), 0);
}

static void show_span(struct buf *to, union grid_cell cell)
{
	bool is_endless = cell.number == INT64_MAX;

	units_timespan(to, is_endless ? TIME_FOREVER : time_of_nanos(cell.number),
		       false);
}

static const struct {
	bool is_right;		/* stands at the right of its column */
	bool has_none;		/* the least number stands for none */
	bool is_word;		/* in quotes in JSON */
	void (*show)(struct buf *to, union grid_cell cell);	/* to people */
	void (*add)(struct buf *to, union grid_cell cell);	/* to programs */
} kinds[] = {
	[GRID_STRING] = { false, false, true, show_string, NULL },
	[GRID_INTEGER] = { true, false, false, add_integer, add_integer },
	[GRID_BYTES] = { true, false, false, show_bytes, add_integer },
	[GRID_SHARE] = { true, false, false, show_share, add_share },
	[GRID_TIME] = { false, true, true, show_time, add_time },
	[GRID_SPAN] = { true, true, false, show_span, add_integer },
	[GRID_READY] = { false, false, false, show_string, add_ready },
};

static bool is_none(const struct grid_column *column, union grid_cell cell)
{
	if (column->kind == GRID_STRING || column->kind == GRID_READY)
		return !cell.text.bytes;
	return kinds[column->kind].has_none && cell.number == INT64_MIN;
}

/* Text: cells are kept until the widths of all are known. */

/* The number of characters; what is no beginning of one has no width. */
static size_t width_of(struct str text)
{
	size_t width = 0;

	for (size_t i = 0; i < text.size; i++)
		width += ((unsigned char)text.bytes[i] & 0xc0) != 0x80;
	return width;
}

/* So many bytes have that many characters. */
static size_t size_of(struct str text, size_t width)
{
	size_t size = 0;

	for (; size < text.size; size++) {
		if (((unsigned char)text.bytes[size] & 0xc0) != 0x80 && width-- == 0)
			break;
	}
	return size;
}

static void end_piece(struct grid *grid, size_t at)
{
	struct grid_piece piece = { .at = at, .size = grid->texts.size - at };

	if (grid->texts.failed) {
		grid->out->buf.failed = true;
		return;
	}
	piece.width = width_of((struct str){ grid->texts.bytes + at, piece.size });
	if (!vec_push(&grid->pieces, piece))
		grid->out->buf.failed = true;
}

static void text_begin(struct grid *grid)
{
	for (size_t i = 0; i < grid->column_count; i++) {
		const char *title = grid->columns[i].title;
		size_t at = grid->texts.size;

		buf_text(&grid->texts, title ? title : "");
		end_piece(grid, at);
	}
}

static void text_row(struct grid *grid, const union grid_cell *cells)
{
	for (size_t i = 0; i < grid->column_count; i++) {
		const struct grid_column *column = &grid->columns[i];
		size_t at = grid->texts.size;

		if (column->title && !is_none(column, cells[i]))
			kinds[column->kind].show(&grid->texts, cells[i]);
		end_piece(grid, at);
	}
}

static void measure(const struct grid *grid, size_t *widths)
{
	size_t total = 0, elastic = grid->column_count;

	for (size_t i = 0; i < grid->pieces.count; i++) {
		size_t *width = &widths[i % grid->column_count];

		if (grid->pieces.items[i].width > *width)
			*width = grid->pieces.items[i].width;
	}
	for (size_t i = 0; i < grid->column_count; i++) {
		if (!grid->columns[i].title)
			continue;
		total += widths[i] + (total ? GAP : 0);
		if (grid->columns[i].is_elastic)
			elastic = i;
	}
	if (grid->width && total > grid->width && elastic < grid->column_count &&
	    widths[elastic] > ELASTIC_LEAST) {
		size_t most = widths[elastic] - ELASTIC_LEAST;
		size_t excess = total - grid->width;

		widths[elastic] -= excess < most ? excess : most;
	}
}

static void write_piece(struct buf *to, struct str text, size_t width)
{
	static const char more[] = "...";
	bool is_cut = width_of(text) > width;

	if (is_cut)
		text.size = size_of(text, width - (sizeof(more) - 1));
	buf_str(to, text);
	if (is_cut)
		buf_text(to, more);
}

/* A line of pieces; NULL: of dashes. Nothing stands behind the last text. */
static void write_line(struct grid *grid, const size_t *widths,
		       const struct grid_piece *pieces)
{
	struct buf *to = &grid->out->buf;
	size_t wait = 0;	/* spaces not written yet */

	for (size_t i = 0; i < grid->column_count; i++) {
		size_t blank = pieces && pieces[i].width < widths[i]
				       ? widths[i] - pieces[i].width : 0;
		bool is_right = kinds[grid->columns[i].kind].is_right;

		if (!grid->columns[i].title)
			continue;
		if (!pieces || pieces[i].width) {
			buf_fill(to, ' ', wait + (is_right ? blank : 0));
			wait = is_right ? 0 : blank;
		} else {
			wait += blank;
		}
		if (pieces)
			write_piece(to, (struct str){ grid->texts.bytes + pieces[i].at,
						      pieces[i].size }, widths[i]);
		else
			buf_fill(to, '-', widths[i]);
		wait += GAP;
	}
	buf_byte(to, '\n');
}

static void text_end(struct grid *grid)
{
	size_t *widths = calloc(grid->column_count + 1, sizeof(*widths));

	if (!widths || grid->out->buf.failed) {
		grid->out->buf.failed = true;
		free(widths);
		return;
	}
	measure(grid, widths);
	for (size_t i = 0; i <= grid->rows && out_drain(grid->out); i++) {
		write_line(grid, widths, grid->pieces.items + i * grid->column_count);
		if (i == 0)
			write_line(grid, widths, NULL);
	}
	free(widths);
}

const struct grid_format grid_text = { text_begin, text_row, text_end };

static void csv_begin(struct grid *grid)
{
	struct buf *to = &grid->out->buf;
	const char *between = "";

	for (size_t i = 0; i < grid->column_count; i++) {
		if (!grid->columns[i].key)
			continue;
		buf_text(to, between);
		cell_csv(to, str_of(grid->columns[i].key));
		between = ",";
	}
	buf_byte(to, '\n');
}

static void csv_row(struct grid *grid, const union grid_cell *cells)
{
	struct buf *to = &grid->out->buf;
	const char *between = "";
	size_t start = to->size;

	for (size_t i = 0; i < grid->column_count; i++) {
		const struct grid_column *column = &grid->columns[i];

		if (!column->key)
			continue;
		buf_text(to, between);
		between = ",";
		if (is_none(column, cells[i]))
			continue;
		if (column->kind == GRID_STRING)
			cell_csv(to, cells[i].text);
		else
			kinds[column->kind].add(to, cells[i]);
	}
	if (to->size == start)	/* or it would be no row at all */
		buf_text(to, "\"\"");
	buf_byte(to, '\n');
}

static void add_nothing(struct grid *grid)
{
	(void)grid;
}

const struct grid_format grid_csv = { csv_begin, csv_row, add_nothing };

static void json_begin(struct grid *grid)
{
	buf_byte(&grid->out->buf, '[');
}

static void json_value(struct buf *to, const struct grid_column *column,
		       union grid_cell cell)
{
	const char *mark = kinds[column->kind].is_word ? "\"" : "";

	if (is_none(column, cell)) {
		buf_text(to, "null");
	} else if (column->kind == GRID_STRING) {
		quote_add(to, cell.text, QUOTE_UTF8);
	} else {
		buf_text(to, mark);
		kinds[column->kind].add(to, cell);
		buf_text(to, mark);
	}
}

void grid_add_members(struct buf *to, const struct grid_column *columns, size_t count,
		      const union grid_cell *cells)
{
	const char *between = "";

	for (size_t i = 0; i < count; i++) {
		if (!columns[i].key)
			continue;
		buf_text(to, between);
		between = ",";
		quote_add(to, str_of(columns[i].key), QUOTE_UTF8);
		buf_byte(to, ':');
		json_value(to, &columns[i], cells[i]);
	}
}

static void add_object(struct grid *grid, const union grid_cell *cells)
{
	struct buf *to = &grid->out->buf;

	buf_byte(to, '{');
	grid_add_members(to, grid->columns, grid->column_count, cells);
	buf_byte(to, '}');
}

static void json_row(struct grid *grid, const union grid_cell *cells)
{
	buf_text(&grid->out->buf, grid->rows ? ",\n" : "\n");
	add_object(grid, cells);
}

static void json_end(struct grid *grid)
{
	buf_text(&grid->out->buf, grid->rows ? "\n]" : "]");
}

const struct grid_format grid_json = { json_begin, json_row, json_end };

static void ndjson_row(struct grid *grid, const union grid_cell *cells)
{
	add_object(grid, cells);
	buf_byte(&grid->out->buf, '\n');
}

const struct grid_format grid_ndjson = { add_nothing, ndjson_row, add_nothing };

void grid_begin(struct grid *grid, const struct grid_format *format,
		const struct grid_column *columns, size_t column_count, struct out *out)
{
	*grid = (struct grid){ .width = grid->width, .format = format,
			       .columns = columns, .column_count = column_count,
			       .out = out };
	format->begin(grid);
}

void grid_row(struct grid *grid, const union grid_cell *cells)
{
	grid->format->row(grid, cells);
	grid->rows++;
	out_drain(grid->out);
}

void grid_end(struct grid *grid)
{
	grid->format->end(grid);
	buf_clear(&grid->texts);
	vec_clear(&grid->pieces);
}

size_t grid_width(int fd)
{
	const char *text = getenv("COLUMNS");
	unsigned long columns = text ? strtoul(text, NULL, 10) : 0;
	struct winsize size;

	if (columns > 0 && columns < SIZE_MAX / 2)
		return columns;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return WIDTH_OTHERWISE;
}
