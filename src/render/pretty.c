/*
 * pretty.c - events for people to read, the layout of `print` without an option.
 */
#include <math.h>

#include "base/utf.h"
#include "jfr/measure.h"
#include "render/chain.h"
#include "render/pen.h"
#include "render/printer.h"
#include "render/text.h"
#include "jfr/units.h"

static void write_field(struct pen *pen, const struct object *owner, size_t index);

static void label(struct buf *to, const struct field *field, bool is_first, int depth)
{
	(void)is_first;
	buf_fill(to, ' ', (size_t)depth * 2);
	utf_add_output(to, field->name);
	buf_text(to, " = ");
}

/* The value as Java's String.valueOf gives it; strings in quotes. */
static void write_plain(struct buf *to, const struct field *field,
			const struct value *value)
{
	if (field->shown->primitive == OP_STRING) {
		buf_byte(to, '"');
		utf_add_output(to, value->text);
		buf_byte(to, '"');
	} else {
		text_number(to, field, value);
	}
}

/* Values that stand for "nothing was measured". */
static bool is_missing(const struct field *field, const struct value *value)
{
	switch (field->shown->primitive) {
	case OP_STRING:
		return !value->text.bytes;
	case OP_FLOAT:
	case OP_DOUBLE:
		return isnan(value->real) || (isinf(value->real) && value->real < 0);
	case OP_LONG:
		return value->number == INT64_MIN && !field->is_unsigned;
	case OP_INT:
		return value->number == INT32_MIN && !field->is_unsigned;
	default:
		return false;
	}
}

/* Numbers with a unit that is not of time. */
static bool write_quantity(struct pen *pen, const struct field *field,
			   const struct value *value)
{
	bool is_real = field->shown->primitive == OP_FLOAT ||
		       field->shown->primitive == OP_DOUBLE;
	int64_t number = is_real ? 0 : measure_integer(field, value->number);
	bool exact = pen->options->exact;

	if (is_real && field->unit >= UNIT_BYTES && field->unit <= UNIT_ADDRESS)
		number = clock_integer(value->real);
	switch (field->unit) {
	case UNIT_PERCENTAGE:
		units_percentage(pen->to, is_real ? value->real
				 : measure_is_huge(field, number)
					 ? (double)(uint64_t)number
					 : (double)number, exact);
		return true;
	case UNIT_BYTES:
	case UNIT_BITS:
	case UNIT_BYTES_PER_SECOND:
	case UNIT_BITS_PER_SECOND:
		units_amount(pen->to, number,
			     (enum amount_unit)(field->unit - UNIT_BYTES), exact);
		return true;
	case UNIT_ADDRESS:
		units_address(pen->to, (uint64_t)number);
		return true;
	case UNIT_FREQUENCY:
		write_plain(pen->to, field, value);
		buf_text(pen->to, " Hz");
		return true;
	default:
		return false;
	}
}

static bool write_time(struct pen *pen, const struct field *field,
		       const struct value *value)
{
	const struct chunk *chunk = &pen->page->chunk;
	bool exact = pen->options->exact;

	if (!field->has_content_type)
		return text_iso_time(pen, field, value);
	if (unit_is_timespan(field->unit))
		units_timespan(pen->to, measure_timespan(field, value->number, &chunk->clock),
			       exact);
	else if (unit_is_timestamp(field->unit))
		units_timestamp(pen->to,
				measure_timestamp(field, value->number, &chunk->clock),
				chunk->zone, exact);
	else
		return false;
	return true;
}

/* A value that is no struct. */
static void write_leaf(struct pen *pen, const struct field *field,
		       const struct value *value)
{
	if (write_time(pen, field, value))
		return;
	if (is_missing(field, value))
		buf_text(pen->to, "N/A");
	else if (!field->has_content_type || !write_quantity(pen, field, value))
		write_plain(pen->to, field, value);
}

static void write_struct(struct pen *pen, const struct object *object)
{
	buf_text(pen->to, "{\n");
	pen->depth++;
	for (size_t i = 0; i < object->type->field_count && !pen_is_full(pen); i++)
		write_field(pen, object, i);
	pen->depth--;
	pen_indent(pen);
	buf_byte(pen->to, '}');
}

static void write_frame(struct pen *pen, const struct object *frame)
{
	if (object_is_java_frame(frame))
		text_frame(pen, frame);
	else
		write_struct(pen, frame);
}

/* How a struct of that role is shown, and whether on one line. */
static const struct role_text {
	void (*draw)(struct pen *pen, const struct object *object);
	bool is_flat;
} role_texts[] = {
	[TYPE_PLAIN] = { write_struct, false },
	[TYPE_THREAD] = { text_thread, true },
	[TYPE_THREAD_GROUP] = { write_struct, false },
	[TYPE_CLASS] = { text_class, true },
	[TYPE_CLASS_LOADER] = { text_class_loader, true },
	[TYPE_METHOD] = { text_method, true },
	[TYPE_STACK_TRACE] = { write_struct, false },
	[TYPE_STACK_FRAME] = { write_frame, false },
	[TYPE_OLD_OBJECT] = { write_struct, false },
};

/* Appends the value of a reference; false if there is nothing behind it. */
static bool write_reference(struct pen *pen, const struct field *field,
			    const struct value *value)
{
	const struct role_text *role = &role_texts[field->type->role];
	size_t variant = role->is_flat ? PAGE_FLAT : pen_depth_variant(pen);

	if (field->type->role == TYPE_OLD_OBJECT) {
		/* Depends on its event, as do the texts of constants around it. */
		if (pen->path.count)
			pen->cut = 0;
		return pen_constant(pen, field->type, (uint64_t)value->number,
				    PAGE_VARIANTS, chain_write);
	}
	return pen_constant(pen, field->type, (uint64_t)value->number, variant, role->draw);
}

/* A value that is not an array, without the end of its line. */
static void write_single(struct pen *pen, const struct field *field,
			 const struct value *value)
{
	struct object object;

	if (!field->shown) {
		buf_text(pen->to, "N/A");
	} else if (field->shown->primitive != OP_NONE) {
		if (object_of_field(&pen->page->chunk, field, value, &object, &pen->arena))
			write_leaf(pen, field, object.values);
		else
			buf_text(pen->to, "N/A");
	} else if (field->pooled) {
		if (!write_reference(pen, field, value))
			buf_text(pen->to, "N/A");
	} else {
		object = (struct object){ &pen->page->chunk, field->shown, value, 0 };
		if (field->type->role == TYPE_OLD_OBJECT)
			chain_write(pen, &object);
		else
			write_struct(pen, &object);
	}
}

static void write_array(struct pen *pen, const struct field *field,
			const struct value *value)
{
	struct elements array = pen_elements(pen, field, value);

	buf_text(pen->to, "[\n");
	pen->depth++;
	while (pen_next_element(pen, &array)) {
		pen_indent(pen);
		if (field->type->role == TYPE_STACK_FRAME && !field->pooled) {
			/* Frames follow each other on one line, as in the JDK. */
			text_frame(pen, &(struct object){ &pen->page->chunk, field->shown,
							  array.values, 0 });
			buf_text(pen->to, array.left ? ", " : "");
			continue;
		}
		write_single(pen, &array.field, array.values);
		buf_byte(pen->to, '\n');
	}
	pen->depth--;
	pen_indent(pen);
	buf_byte(pen->to, ']');
}

/* After a frame that is a constant the JDK forgets to end the line. */
static bool is_lone_frame(struct pen *pen, const struct field *field,
			  const struct value *value)
{
	struct object frame;

	return field->type && field->type->role == TYPE_STACK_FRAME && field->pooled &&
	       !field->array &&
	       object_of_field(&pen->page->chunk, field, value, &frame, &pen->arena) &&
	       object_is_java_frame(&frame);
}

static void write_value(struct pen *pen, const struct field *field,
			const struct value *value)
{
	if (field->array && field->shown)
		write_array(pen, field, value);
	else
		write_single(pen, field, value);
	if (!is_lone_frame(pen, field, value))
		buf_byte(pen->to, '\n');
}

static void write_field(struct pen *pen, const struct object *owner, size_t index)
{
	const struct field *field = &owner->type->fields[index];

	pen_label(pen, owner->type, index);
	write_value(pen, field, owner->values + field->slot);
}

/* The frames of a trace, as the JDK counts them: hidden ones cost nothing. */
static void write_frames(struct pen *pen, const struct field *field,
			 const struct value *frames, bool is_truncated)
{
	struct elements array = pen_elements(pen, field, frames);
	uint32_t limit = (uint32_t)pen->options->stack_depth;
	uint32_t seen = 0, shown = 0;

	while (shown < limit && pen_next_element(pen, &array)) {
		struct object frame = { &pen->page->chunk, field->type, array.values, 0 };

		seen++;
		if (!text_frame_is_shown(pen, &frame))
			continue;
		pen_indent(pen);
		text_frame(pen, &frame);
		buf_byte(pen->to, '\n');
		shown++;
	}
	if (is_truncated || seen == limit) {
		pen_indent(pen);
		buf_text(pen->to, "...\n");
	}
}

static void write_stack(struct pen *pen, const struct object *trace)
{
	const struct field *frames = type_field(trace->type, "frames");
	bool is_truncated = object_exact(trace, OP_BOOLEAN, "truncated", 1) != 0;

	buf_text(pen->to, "[\n");
	pen->depth++;
	if (frames && frames->array && !frames->pooled && frames->type)
		write_frames(pen, frames, &trace->values[frames->slot], is_truncated);
	else if (is_truncated || pen->options->stack_depth == 0) {
		pen_indent(pen);
		buf_text(pen->to, "...\n");
	}
	pen->depth--;
	pen_indent(pen);
	buf_byte(pen->to, ']');
}

/* The thread or the stack trace of an event, if it has one. */
static void write_late(struct pen *pen, const struct field *field, enum type_role role,
		       const char *name, size_t variant,
		       void (*draw)(struct pen *pen, const struct object *object))
{
	size_t start = pen->to->size;

	if (!field || !field->type || field->type->role != role || !field->pooled ||
	    field->array)
		return;
	pen_indent(pen);
	buf_text(pen->to, name);
	if (pen_constant(pen, field->type, (uint64_t)pen->values[field->slot].number, variant,
			 draw))
		buf_byte(pen->to, '\n');
	else
		pen->to->size = start;
}

static bool is_late(const struct field *field)
{
	return str_is(field->name, STR("eventThread")) ||
	       str_is(field->name, STR("stackTrace"));
}

static bool is_zero_duration(const struct type *type, const struct field *field,
			     const struct value *values)
{
	return type->duration && str_is(field->name, STR("duration")) &&
	       type->duration->shown && type->duration->shown->primitive == OP_LONG &&
	       !type->duration->pooled && !type->duration->array &&
	       values[type->duration->slot].number == 0;
}

/* What a contextual event tells. */
static void write_context(struct pen *pen, const struct spot *spot)
{
	const struct page *page = spot->page;
	struct event event = event_at(&page->chunk, spot->offset);
	struct value *values = arena_array(&pen->arena, event.type->program.count,
					   sizeof(*values));
	const struct page *own = pen->page;

	if (!values || !event_decode(&page->chunk, &event, values, &pen->arena))
		return;
	pen->page = page;
	for (size_t i = 0; i < event.type->field_count && !pen_is_full(pen); i++) {
		const struct field *field = &event.type->fields[i];

		if (!field->is_contextual)
			continue;
		buf_text(pen->to, "  Context: ");
		utf_add_output(pen->to, type_simple_name(event.type));
		buf_byte(pen->to, '.');
		utf_add_output(pen->to, field->name);
		buf_text(pen->to, " = ");
		write_value(pen, field, values + field->slot);
	}
	pen->page = own;
}

static void write_event(struct pen *pen)
{
	const struct type *type = pen->event.type;

	utf_add_output(pen->to, type->name);
	buf_text(pen->to, " {\n");
	pen->depth = 1;
	for (size_t i = 0; i < pen->context_count && !pen_is_full(pen); i++)
		write_context(pen, &pen->contexts[i]);
	for (size_t i = 0; i < type->field_count && !pen_is_full(pen); i++) {
		const struct field *field = &type->fields[i];

		if (!is_late(field) && !is_zero_duration(type, field, pen->values))
			write_field(pen, &pen->event, i);
	}
	write_late(pen, type->thread, TYPE_THREAD, "eventThread = ", PAGE_FLAT, text_thread);
	write_late(pen, type->stack, TYPE_STACK_TRACE, "stackTrace = ", PAGE_STACK,
		   write_stack);
	buf_text(pen->to, "}\n\n");
}

const struct printer pretty_printer = {
	.begin = printer_add_nothing,
	.event = write_event,
	.between = "",
	.end = printer_add_nothing,
	.label = label,
	.field_depth = 1,
	.by_time = true,
};
