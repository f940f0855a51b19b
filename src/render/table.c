#include "render/table.h"

#include <stdlib.h>

#include "base/utf.h"
#include "query/words.h"
#include "render/box.h"
#include "render/items.h"

#define WIDTH_MOST 120		/* if nobody asks for another */
#define WIDTH_USUAL 80
#define WIDTH_LEAST 40		/* of a table with few columns */
#define FEW 2
#define LANE_LEAST 2		/* a unit of text and the blank behind it */

/* A column that is shown. */
struct lane {
	const struct column *column;
	size_t wanted;		/* width */
	size_t width;		/* with the blank behind it */
	struct box box;
};

struct drawing {
	const struct result *result;
	const struct layout *layout;
	struct out *out;
	struct lane *lanes;
	size_t lane_count;
	size_t width;		/* of all lanes */
	struct buf text;	/* of a cell */
};

static bool is_good(struct drawing *drawing)
{
	return out_drain(drawing->out) && !drawing->out->buf.failed;
}

/* Widths. */

static void lane_want(struct lane *lane, size_t units)
{
	if (units + 1 > lane->wanted)
		lane->wanted = units + 1;
}

static struct buf *begin_text(struct drawing *drawing)
{
	buf_reset(&drawing->text);
	return &drawing->text;
}

/* What was added since: there until the next one begins. */
static struct str end_text(struct drawing *drawing)
{
	if (drawing->text.failed)
		drawing->out->buf.failed = true;
	return (struct str){ drawing->text.bytes, drawing->text.size };
}

static struct str make_text(struct drawing *drawing, const struct column *column,
			    const struct datum *datum, enum words_form form)
{
	struct str text = words_ready(column, datum, form);

	if (text.bytes)
		return text;
	words_add(begin_text(drawing), column, datum, form, drawing->result->zone);
	return end_text(drawing);
}

static void measure_row(struct drawing *drawing, const struct cells *row)
{
	for (size_t i = 0; i < drawing->lane_count; i++) {
		struct lane *lane = &drawing->lanes[i];
		struct datum datum = result_cell(drawing->result, row, i);

		lane_want(lane, utf_units(make_text(drawing, lane->column, &datum,
						    WORDS_FULL)));
	}
}

/* Also by the rows that the limit leaves out. */
static void measure(struct drawing *drawing)
{
	const struct result *result = drawing->result;

	for (size_t i = 0; i < drawing->lane_count; i++) {
		struct lane *lane = &drawing->lanes[i];

		lane_want(lane, utf_units(lane->column->title));
		if (drawing->layout->is_verbose)
			lane_want(lane, utf_units(lane->column->name) + strlen("()"));
	}
	for (size_t i = 0; i < result->rows.count && is_good(drawing); i++)
		measure_row(drawing, result->rows.items[i]);
}

static size_t choose_width(const struct drawing *drawing)
{
	size_t wanted = 0;

	if (drawing->layout->width > 0)
		return (size_t)drawing->layout->width;
	for (size_t i = 0; i < drawing->lane_count; i++)
		wanted += drawing->lanes[i].wanted;
	if (wanted > WIDTH_MOST)
		return WIDTH_MOST;
	if (wanted < WIDTH_LEAST && drawing->lane_count <= FEW)
		return WIDTH_LEAST;
	return wanted < WIDTH_USUAL ? WIDTH_USUAL : wanted;
}

static bool is_tiny(const struct lane *lane)
{
	return lane->width < LANE_LEAST;
}

static bool wants_more(const struct lane *lane)
{
	return lane->width < lane->wanted;
}

static bool is_elastic(const struct lane *lane)
{
	return !lane->column->is_fixed;
}

static bool is_any(const struct lane *lane)
{
	(void)lane;
	return true;
}

/*
 * In rounds, each such lane gets one more. Only behind a round is it asked whether the
 * table is as wide as it should be, so it may become wider.
 */
static void widen(struct drawing *drawing, bool (*is_such)(const struct lane *lane),
		  size_t width)
{
	bool has_grown = true;

	while (drawing->width < width && has_grown) {
		has_grown = false;
		for (size_t i = 0; i < drawing->lane_count; i++) {
			struct lane *lane = &drawing->lanes[i];

			if (!is_such(lane))
				continue;
			lane->width++;
			drawing->width++;
			has_grown = true;
		}
	}
}

static void distribute(struct drawing *drawing)
{
	size_t width = choose_width(drawing);

	widen(drawing, is_tiny, width);
	widen(drawing, wants_more, width);
	widen(drawing, is_elastic, width);
	widen(drawing, is_any, width);
	for (size_t i = 0; i < drawing->lane_count; i++)
		drawing->lanes[i].box.width = drawing->lanes[i].width - 1;
}

/* Rows. */

static void write_boxes(struct drawing *drawing)
{
	struct buf *to = &drawing->out->buf;
	size_t start = to->size, lines = 0;

	for (size_t i = 0; i < drawing->lane_count; i++) {
		const struct box *box = &drawing->lanes[i].box;

		lines = box_lines(box) > lines ? box_lines(box) : lines;
		if (box_failed(box))
			to->failed = true;
	}
	for (size_t line = 0; line < lines; line++) {
		for (size_t i = 0; i < drawing->lane_count; i++) {
			if (i)
				buf_byte(to, ' ');
			box_write(&drawing->lanes[i].box, line, to);
		}
		buf_byte(to, '\n');
	}
	utf_end_output(to, start);
}

/* The JDK sorts the lines of texts, unless some had to be left out: frames, too. */
static void fill_lines(struct drawing *drawing, struct lane *lane,
		       const struct datum *datum)
{
	size_t count = items_count(datum);

	box_empty(&lane->box);
	for (size_t i = 0; i < count && i < lane->box.height; i++) {
		struct datum item = items_get(datum, i);
		struct str text = make_text(drawing, lane->column, &item, WORDS_FULL);

		if (utf_units(text) > lane->box.width)
			text = make_text(drawing, lane->column, &item, WORDS_COMPACT);
		box_add(&lane->box, text);
	}
	if (lane->column->is_lexical && !lane->column->is_in_order &&
	    count <= lane->box.height)
		box_sort(&lane->box);
}

/* Where room is short, the JDK forgets to make a share of a number. */
static struct datum compact_cell(const struct drawing *drawing, const struct cells *row,
				 size_t i)
{
	if (drawing->lanes[i].column->is_normalized)
		return *result_value(drawing->result, row, i);
	return result_cell(drawing->result, row, i);
}

static void fill_cell(struct drawing *drawing, const struct cells *row, size_t i)
{
	struct datum datum = result_cell(drawing->result, row, i);
	struct lane *lane = &drawing->lanes[i];
	struct str text;

	if (lane->box.height > 1 && items_has(&datum)) {
		fill_lines(drawing, lane, &datum);
		return;
	}
	text = make_text(drawing, lane->column, &datum, WORDS_FULL);
	if (utf_units(text) > box_room(&lane->box)) {
		datum = compact_cell(drawing, row, i);
		text = make_text(drawing, lane->column, &datum, WORDS_COMPACT);
	}
	box_set(&lane->box, text);
}

static void write_rows(struct drawing *drawing)
{
	const struct result *result = drawing->result;
	size_t shown = result_shown(result);

	for (size_t row = 0; row < shown && is_good(drawing); row++) {
		for (size_t i = 0; i < drawing->lane_count; i++)
			fill_cell(drawing, result->rows.items[row], i);
		write_boxes(drawing);
	}
}

/* What stands above them. */

static void write_title(struct drawing *drawing)
{
	struct buf *text = begin_text(drawing), *to = &drawing->out->buf;
	struct str title = drawing->layout->title;
	size_t units;

	if (!title.bytes)
		return;
	buf_str(text, title);
	if (plan_is_experimental(drawing->result->plan))
		buf_text(text, " (Experimental)");
	title = end_text(drawing);
	units = utf_units(title);
	buf_byte(to, '\n');
	buf_fill(to, ' ', units < drawing->width ? (drawing->width - units) / 2 : 0);
	utf_add_output(to, title);
	buf_text(to, "\n\n");
}

static void write_titles(struct drawing *drawing)
{
	for (size_t i = 0; i < drawing->lane_count; i++)
		box_set(&drawing->lanes[i].box, drawing->lanes[i].column->title);
	write_boxes(drawing);
}

static void write_names(struct drawing *drawing)
{
	for (size_t i = 0; i < drawing->lane_count; i++) {
		struct buf *text = begin_text(drawing);

		buf_byte(text, '(');
		buf_str(text, drawing->lanes[i].column->name);
		buf_byte(text, ')');
		box_set(&drawing->lanes[i].box, end_text(drawing));
	}
	write_boxes(drawing);
}

static void write_dashes(struct drawing *drawing)
{
	for (size_t i = 0; i < drawing->lane_count; i++) {
		struct box *box = &drawing->lanes[i].box;

		buf_fill(begin_text(drawing), '-', box->width);
		box_set(box, end_text(drawing));
	}
	write_boxes(drawing);
}

static void draw(struct drawing *drawing)
{
	measure(drawing);
	distribute(drawing);
	write_title(drawing);
	write_titles(drawing);
	if (drawing->layout->is_verbose)
		write_names(drawing);
	write_dashes(drawing);
	write_rows(drawing);
}

static bool drawing_begin(struct drawing *drawing)
{
	const struct plan *plan = drawing->result->plan;
	const struct layout *layout = drawing->layout;

	drawing->lane_count = plan->visible_count;
	drawing->lanes = calloc(plan->visible_count, sizeof(*drawing->lanes));
	for (size_t i = 0; drawing->lanes && i < plan->visible_count; i++) {
		const struct column *column = &plan->columns[i];
		int height = layout->cell_height > 0 ? layout->cell_height
						     : column->cell_height;
		enum truncation truncation = layout->truncation ? layout->truncation
								: column->truncation;

		drawing->lanes[i] = (struct lane){
			.column = column,
			.box = { .height = (size_t)height, .is_left = column->is_left,
				 .cuts_beginning = truncation == TRUNCATE_BEGINNING },
		};
	}
	return drawing->lanes;
}

static void drawing_end(struct drawing *drawing)
{
	for (size_t i = 0; drawing->lanes && i < drawing->lane_count; i++)
		box_clear(&drawing->lanes[i].box);
	free(drawing->lanes);
	buf_clear(&drawing->text);
}

static bool has_room(size_t columns, int width)
{
	if (width == 0)
		width = WIDTH_MOST;
	return width > 0 && columns <= (size_t)width / LANE_LEAST;
}

void table_write_nothing(const struct layout *layout, struct out *out)
{
	if (!layout->title.bytes)
		return;
	buf_text(&out->buf, "\nNo events found for '");
	utf_add_output(&out->buf, layout->title);
	buf_text(&out->buf, "'.\n");
}

size_t table_write(const struct result *result, const struct layout *layout,
		   struct out *out)
{
	struct drawing drawing = { .result = result, .layout = layout, .out = out };
	size_t columns = result->plan->visible_count;

	if (columns == 0 || result->rows.count == 0) {
		table_write_nothing(layout, out);
		return 0;
	}
	if (!has_room(columns, layout->width)) {
		buf_text(&out->buf, "\nToo many columns to fit width.\n");
		return 0;
	}
	if (drawing_begin(&drawing))
		draw(&drawing);
	else
		out->buf.failed = true;
	drawing_end(&drawing);
	return drawing.width;
}
