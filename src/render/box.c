#include "render/box.h"

#include "base/utf.h"
#include "render/slice.h"

#define ELLIPSIS "..."
#define ELLIPSIS_UNITS (sizeof(ELLIPSIS) - 1)

static void end_line(struct box *box, size_t start)
{
	struct box_line line = { start, box->text.size - start };

	if (!vec_push(&box->lines, line))
		box->text.failed = true;
}

/* From side to side, without an eye to its alignment. */
static void add_lines(struct box *box, struct str text)
{
	struct slice rest = slice_of(text);
	size_t lines = 0;

	do {
		size_t start = box->text.size;
		size_t units = slice_take(&rest, box->width, &box->text);

		buf_fill(&box->text, ' ', box->width - units);
		end_line(box, start);
	} while (++lines < box->height && !slice_is_over(&rest));
}

static void add_aligned(struct box *box, struct str text, size_t units)
{
	size_t blank = box->width - units;
	size_t start = box->text.size;

	buf_fill(&box->text, ' ', box->is_left ? 0 : blank);
	buf_str(&box->text, text);
	buf_fill(&box->text, ' ', box->is_left ? blank : 0);
	end_line(box, start);
}

/*
 * As much of the text as there is room for. Where even the dots have none, there are as
 * many of them as are lacking, as in the JDK: two for one, one for two.
 */
static void add_cut(struct box *box, struct str text, size_t units, size_t room)
{
	struct slice rest = slice_of(text);
	struct buf *cut = &box->cut;
	size_t kept = room < ELLIPSIS_UNITS ? 0 : room - ELLIPSIS_UNITS;

	buf_reset(cut);
	if (room < ELLIPSIS_UNITS) {
		buf_fill(cut, '.', ELLIPSIS_UNITS - room);
	} else if (box->cuts_beginning) {
		buf_text(cut, ELLIPSIS);
		slice_take(&rest, units - kept, NULL);
		slice_take(&rest, kept, cut);
	} else {
		slice_take(&rest, kept, cut);
		buf_text(cut, ELLIPSIS);
	}
	if (cut->failed)
		box->text.failed = true;
	add_lines(box, (struct str){ cut->bytes, cut->size });
}

void box_set(struct box *box, struct str text)
{
	size_t units = utf_units(text);

	box_empty(box);
	if (units > box_room(box))
		add_cut(box, text, units, box_room(box));
	else if (units < box->width)
		add_aligned(box, text, units);
	else
		add_lines(box, text);
}

void box_empty(struct box *box)
{
	buf_reset(&box->text);
	box->lines.count = 0;
}

void box_add(struct box *box, struct str text)
{
	size_t units = utf_units(text);

	if (units > box->width)
		add_cut(box, text, units, box->width);
	else
		add_aligned(box, text, units);
}

static struct str line_text(const struct box_line *line, const char *bytes)
{
	return (struct str){ bytes + line->start, line->size };
}

static int compare_lines(const void *a, const void *b, void *bytes)
{
	return str_compare(line_text(a, bytes), line_text(b, bytes));
}

void box_sort(struct box *box)
{
	if (box_lines(box) > 1 && !box_failed(box))
		qsort_r(box->lines.items, box->lines.count, sizeof(*box->lines.items),
			compare_lines, box->text.bytes);
}

void box_write(const struct box *box, size_t line, struct buf *to)
{
	if (line < box_lines(box) && !box_failed(box))
		buf_str(to, line_text(&box->lines.items[line], box->text.bytes));
	else
		buf_fill(to, ' ', box->width);
}

void box_clear(struct box *box)
{
	buf_clear(&box->text);
	buf_clear(&box->cut);
	vec_clear(&box->lines);
}
