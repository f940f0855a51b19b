#include "render/pen.h"

void pen_note(struct pen *pen, const char *cause)
{
	const struct chunk *chunk = &pen->page->chunk;
	struct event event = event_at(chunk, pen->offset);

	damage_add(pen->damage, cause, event.type->name, chunk_site(chunk, pen->offset));
}

/* True if memory ran out: what was made of the event is not true. */
static bool has_failed(struct pen *pen)
{
	pen->failed |= (pen->arena.failed && !pen->arena.is_full) || pen->to->failed;
	return pen->failed;
}

static bool is_too_large(const struct pen *pen)
{
	return pen_is_full(pen) || pen->arena.is_full;
}

void pen_event(struct pen *pen, const struct spot *spot)
{
	const struct chunk *chunk = &spot->page->chunk;
	struct event event = event_at(chunk, spot->offset);
	const char *fault = NULL;

	pen->page = spot->page;
	pen->offset = spot->offset;
	arena_reset(&pen->arena);
	pen->arena.limit = PEN_EVENT_LIMIT;
	pen->start = pen->to->size;
	if (event_decode(chunk, &event, pen->values, &pen->arena)) {
		pen->event = (struct object){ chunk, event.type, pen->values, 0 };
		pen->cut = SIZE_MAX;
		pen->path.count = 0;
		buf_text(pen->to, pen->page->printer->between);
		pen->page->printer->event(pen);
	} else {
		fault = event_fault(&event);
	}
	if (is_too_large(pen))
		fault = "an event grows too large when it is expanded";
	if (has_failed(pen) || fault)
		pen->to->size = pen->start;
	if (!pen->failed && fault)
		pen_note(pen, fault);
}

void pen_clear(struct pen *pen)
{
	arena_clear(&pen->arena);
	vec_clear(&pen->path);
}

void pen_indent(struct pen *pen)
{
	buf_fill(pen->to, ' ', (size_t)pen->depth * 2);
}

void pen_label(struct pen *pen, const struct type *type, size_t index)
{
	const struct printer *printer = pen->page->printer;

	struct str label = { NULL, 0 };

	if (type->is_event && pen->depth == printer->field_depth)
		label = pen->page->labels[type->index][index];
	if (label.bytes)
		buf_str(pen->to, label);
	else
		printer->label(pen->to, &type->fields[index], index == 0, pen->depth);
}

/* True if the constant is being printed already: inside itself, it is null. */
static bool is_on_path(struct pen *pen, const struct type *type, uint32_t index)
{
	for (size_t i = 0; i < pen->path.count; i++) {
		const struct pen_step *step = &pen->path.items[i];

		if (step->type == type && step->index == index) {
			pen->cut = i < pen->cut ? i : pen->cut;
			return true;
		}
	}
	return false;
}

/* Draws a constant that has no text yet. */
static bool draw_constant(struct pen *pen, const struct pool *pool, uint32_t index,
			  void (*draw)(struct pen *pen, const struct object *object))
{
	struct pen_step step = { pool->type, index };
	struct object object;

	if (!object_at(&object, &pen->page->chunk, pool, index, &pen->arena))
		return false;
	if (!vec_push(&pen->path, step)) {
		pen->failed = true;
		return false;
	}
	draw(pen, &object);
	pen->path.count--;
	return true;
}

bool pen_constant(struct pen *pen, const struct type *type, uint64_t key, size_t variant,
		  void (*draw)(struct pen *pen, const struct object *object))
{
	const struct pool *pool = chunk_pool(&pen->page->chunk, type);
	uint32_t index = pool_find(pool, key);
	size_t start = pen->to->size;
	struct memo *memo;
	struct str text;

	if (index == MAP_NONE || pen->depth > PEN_DEPTH_MAX)
		return false;
	memo = pen->page->memos[type->index];
	text = memo_find(memo, variant, index);
	if (text.bytes) {
		buf_str(pen->to, text);
		return true;
	}
	if (is_too_large(pen) || is_on_path(pen, type, index) ||
	    !draw_constant(pen, pool, index, draw))
		return false;
	/* A ring looks different from each of its constants: its texts are not kept. */
	if (pen->cut == SIZE_MAX && !is_too_large(pen) && !has_failed(pen))
		memo_put(memo, variant, index,
			 (struct str){ pen->to->bytes + start, pen->to->size - start });
	else if (pen->cut >= pen->path.count)
		pen->cut = SIZE_MAX;	/* all of the ring is behind us */
	return true;
}

size_t pen_depth_variant(const struct pen *pen)
{
	return pen->depth < PAGE_DEPTHS ? (size_t)pen->depth : PAGE_VARIANTS;
}

void pen_value(struct pen *pen, const struct field *field, const struct value *value,
	       const struct pen_format *format)
{
	const struct chunk *chunk = &pen->page->chunk;
	bool is_leaf = field->shown && field->shown->primitive != OP_NONE;
	struct object object;

	if (field->shown && !is_leaf && field->pooled) {
		if (!pen_constant(pen, field->type, (uint64_t)value->number,
				  pen_depth_variant(pen), format->object))
			format->null(pen);
	} else if (!object_of_field(chunk, field, value, &object, &pen->arena) ||
		   (is_leaf && field->shown->primitive == OP_STRING &&
		    !object.values[0].text.bytes)) {
		format->null(pen);
	} else if (is_leaf) {
		format->leaf(pen, field, object.values);
	} else {
		format->object(pen, &object);
	}
}

struct elements pen_elements(struct pen *pen, const struct field *field,
			     const struct value *value)
{
	return elements_of(&pen->page->chunk, field, value, &pen->arena);
}

bool pen_next_element(struct pen *pen, struct elements *elements)
{
	return !is_too_large(pen) && elements_next(elements);
}

struct elements pen_short_elements(struct pen *pen, const struct field *field,
				   const struct value *value)
{
	struct elements elements = pen_elements(pen, field, value);
	uint32_t limit = (uint32_t)pen->options->stack_depth;

	if (field->type->role == TYPE_STACK_FRAME && elements.left > limit)
		elements.left = limit;
	return elements;
}
