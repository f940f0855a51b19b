/*
 * pen.h - what a printer writes one event with.
 *
 * Knows the page, the place to write to, the indentation, and the way down into
 * nested constants: a constant met again inside itself is null, as for the JDK.
 * Each thread has its own.
 */
#ifndef RENDER_PEN_H
#define RENDER_PEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "jfr/elements.h"
#include "jfr/event.h"
#include "jfr/object.h"
#include "render/page.h"
#include "render/printer.h"

/* Constants that would be indented deeper than this are shown as null. */
#define PEN_DEPTH_MAX 1000

/*
 * References and arrays may multiply what is stored: so much text and so much memory
 * an event may take, far more than any real one. What takes more is left out.
 */
#define PEN_EVENT_LIMIT ((size_t)16 << 20)

/* Where an event is. */
struct spot {
	const struct page *page;
	size_t offset;		/* in the chunk */
};

struct pen_step {
	const struct type *type;
	uint32_t index;		/* of the constant in its pool */
};

struct pen {
	struct buf *to;
	const struct page *page;
	size_t offset;			/* of the event in the page's chunk */
	const struct print_options *options;
	int depth;			/* of indentation, two spaces each */
	struct object event;		/* the one being printed */
	const struct spot *contexts;	/* contextual events open around it */
	size_t context_count;
	struct arena arena;		/* what is decoded for one event */
	VEC(struct pen_step) path;	/* constants being printed, outermost first */
	size_t cut;			/* the outermost one met again inside itself */
	size_t start;			/* where the event's text begins */
	bool failed;			/* memory ran out; never reset */
	struct damage *damage;
	struct value values[PROGRAM_VALUES_MAX];
};

/*
 * Decodes the event and has the printer write it, behind what stands between it and
 * the one before. What cannot be decoded is not written and added to pen->damage.
 * After pen->failed, nothing more is written.
 */
void pen_event(struct pen *pen, const struct spot *spot);

/* Adds something that is wrong with the event to pen->damage; a string literal. */
void pen_note(struct pen *pen, const char *cause);

void pen_clear(struct pen *pen);

/* Two spaces for each level of depth. */
void pen_indent(struct pen *pen);

/* The label of field `index` of the type, at the present depth. */
void pen_label(struct pen *pen, const struct type *type, size_t index);

/*
 * Writes the constant with `draw`, or takes its text from the memo. False, and
 * nothing written, if it is null.
 */
bool pen_constant(struct pen *pen, const struct type *type, uint64_t key, size_t variant,
		  void (*draw)(struct pen *pen, const struct object *object));

/* As a variant: the present depth, or none if it is too deep to be kept. */
size_t pen_depth_variant(const struct pen *pen);

/* The event has grown past PEN_EVENT_LIMIT: stop expanding it. */
static inline bool pen_is_full(const struct pen *pen)
{
	return pen->to->size - pen->start > PEN_EVENT_LIMIT;
}

/* How a format writes values of a field; all but arrays. */
struct pen_format {
	void (*null)(struct pen *pen);
	void (*leaf)(struct pen *pen, const struct field *field, const struct value *value);
	void (*object)(struct pen *pen, const struct object *object);
};

/* Writes a value that is no array: resolves references, and takes texts from memos. */
void pen_value(struct pen *pen, const struct field *field, const struct value *value,
	       const struct pen_format *format);

/* The elements of an array, until the event grows too large. */
struct elements pen_elements(struct pen *pen, const struct field *field,
			     const struct value *value);
bool pen_next_element(struct pen *pen, struct elements *elements);

/* The same with no more stack frames than asked for. */
struct elements pen_short_elements(struct pen *pen, const struct field *field,
				   const struct value *value);

#endif
