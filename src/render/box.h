/*
 * box.h - a cell of a table: text in lines of one width (jfr-tool.md 5.8).
 *
 * Widths are in UTF-16 units. What is too much is cut, with "..." where it was.
 */
#ifndef RENDER_BOX_H
#define RENDER_BOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"

/* Where it is in the text of a box. */
struct box_line {
	size_t start, size;
};

/* Width and height are at least 1, and set before there is any text. */
struct box {
	size_t width;
	size_t height;			/* the most lines of one text */
	bool is_left;			/* texts of one line are at its left */
	bool cuts_beginning;		/* of what is too long, and not the end */
	/* private */
	struct buf text;		/* of all lines, one behind the other */
	VEC(struct box_line) lines;
	struct buf cut;
};

/* Puts the text in, on as many lines as it takes, instead of what is there. */
void box_set(struct box *box, struct str text);

/* Takes out all lines. */
void box_empty(struct box *box);

/* Adds a text that has a line to itself. */
void box_add(struct box *box, struct str text);

/* Puts the lines into the order of their UTF-16 units. */
void box_sort(struct box *box);

/* The line: as wide as the box; below the last one it is blank. */
void box_write(const struct box *box, size_t line, struct buf *to);

/* Units of text that fit in. */
static inline size_t box_room(const struct box *box)
{
	return box->width * box->height;
}

static inline size_t box_lines(const struct box *box)
{
	return box->lines.count;
}

/* True if memory ran out for what is in it. */
static inline bool box_failed(const struct box *box)
{
	return box->text.failed;
}

void box_clear(struct box *box);

#endif
