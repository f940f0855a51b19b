#include "render/form.h"

#include "base/utf.h"
#include "query/words.h"
#include "render/slice.h"

#define WIDTH_USUAL 80
#define LABEL_END ": "
#define LABEL_END_UNITS (sizeof(LABEL_END) - 1)
#define MARGIN 3		/* besides a label: two units of text and one */

/* Also of columns that are not shown. */
static size_t longest_label(const struct plan *plan)
{
	size_t longest = 0;

	for (size_t i = 0; i < plan->column_count; i++) {
		size_t units = utf_units(plan->columns[i].title) + LABEL_END_UNITS;

		longest = units > longest ? units : longest;
	}
	return longest;
}

static bool has_room(const struct plan *plan, int width)
{
	return width > 0 && longest_label(plan) + MARGIN <= (size_t)width;
}

static void write_title(struct str title, struct buf *to)
{
	if (!title.bytes)
		return;
	utf_add_output(to, title);
	buf_byte(to, '\n');
	buf_fill(to, '-', utf_units(title));
	buf_byte(to, '\n');
}

/* A text that ends where its line does has an empty line behind it, as in the JDK. */
static void write_text(struct str text, size_t indent, size_t room, struct buf *to)
{
	struct slice rest = slice_of(text);

	while (slice_take(&rest, room, to) == room) {
		buf_byte(to, '\n');
		if (!slice_is_over(&rest))
			buf_fill(to, ' ', indent);
	}
	buf_byte(to, '\n');
}

static void write_field(const struct result *result, size_t column, size_t width,
			struct buf *text, struct buf *to)
{
	const struct column *field = &result->plan->columns[column];
	struct datum datum = result_cell(result, result->rows.items[0], column);
	size_t indent = utf_units(field->title) + LABEL_END_UNITS;
	size_t start = to->size;

	buf_reset(text);
	words_add(text, field, &datum, WORDS_FULL, result->zone);
	if (text->failed)
		to->failed = true;
	buf_byte(to, '\n');
	buf_str(to, field->title);
	buf_text(to, LABEL_END);
	write_text((struct str){ text->bytes, text->size }, indent, width - indent - 1,
		   to);
	utf_end_output(to, start);
}

size_t form_write(const struct result *result, const struct layout *layout,
		  struct out *out)
{
	int width = layout->width ? layout->width : WIDTH_USUAL;
	struct buf *to = &out->buf, text = { 0 };

	if (result->rows.count == 0) {
		table_write_nothing(layout, out);
		return 0;
	}
	buf_byte(to, '\n');
	if (!has_room(result->plan, width)) {
		buf_printf(to, "Columns are too wide to fit width %d.\n",
			   layout->width);
		return width > 0 ? (size_t)width : 0;
	}
	write_title(layout->title, to);
	for (size_t i = 0; i < result->plan->visible_count && out_drain(out); i++)
		write_field(result, i, (size_t)width, &text, to);
	buf_clear(&text);
	return (size_t)width;
}
