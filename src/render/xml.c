/*
 * xml.c - events as one XML document, the layout of `print --xml`.
 */
#include "base/utf.h"
#include "jfr/measure.h"
#include "render/pen.h"
#include "render/printer.h"
#include "render/text.h"
#include "render/units.h"

static void write_field(struct pen *pen, const struct object *owner, size_t index);

static struct str entity(char byte)
{
	switch (byte) {
	case '"':
		return STR("&quot;");
	case '&':
		return STR("&amp;");
	case '\'':
		return STR("&apos;");
	case '<':
		return STR("&lt;");
	case '>':
		return STR("&gt;");
	}
	return (struct str){ NULL, 0 };
}

/* Beyond ASCII each UTF-16 unit is a reference of its own, as in the JDK. */
static void write_point(struct buf *to, uint32_t point)
{
	if (point > 0xffff)
		buf_printf(to, "&#%u;&#%u;", 0xd7c0 + (point >> 10),
			   0xdc00 + (point & 0x3ff));
	else
		buf_printf(to, "&#%u;", point);
}

static void write_escaped(struct buf *to, struct str text)
{
	while (text.size) {
		size_t plain = 0;

		while (plain < text.size && (signed char)text.bytes[plain] >= 0 &&
		       !entity(text.bytes[plain]).bytes)
			plain++;
		buf_add(to, text.bytes, plain);
		text.bytes += plain;
		text.size -= plain;
		if (!text.size)
			break;
		if (entity(*text.bytes).bytes) {
			buf_str(to, entity(*text.bytes));
			text.bytes++;
			text.size--;
		} else {
			write_point(to, utf_next(&text));
		}
	}
}

static const char *element_name(const struct field *field, bool is_element)
{
	if (field->array && !is_element)
		return "array";
	return field->shown && field->shown->primitive == OP_NONE ? "struct" : "value";
}

/* The start of the element, open for more attributes. */
static void label(struct buf *to, const struct field *field, bool is_first, int depth)
{
	(void)is_first;
	buf_fill(to, ' ', (size_t)depth * 2);
	buf_byte(to, '<');
	buf_text(to, element_name(field, false));
	buf_text(to, " name=\"");
	write_escaped(to, field->name);
	buf_byte(to, '"');
}

static void write_end(struct pen *pen, const char *name)
{
	buf_text(pen->to, "</");
	buf_text(pen->to, name);
	buf_text(pen->to, ">\n");
}

static void write_nil(struct pen *pen)
{
	buf_text(pen->to, " xsi:nil=\"true\"/>\n");
}

static void write_leaf(struct pen *pen, const struct field *field,
		       const struct value *value)
{
	const struct chunk *chunk = &pen->page->chunk;
	struct buf text = { 0 };

	if (field->shown->primitive == OP_STRING) {
		write_escaped(pen->to, value->text);
	} else if (unit_is_timespan(field->unit)) {
		units_iso_timespan(pen->to,
				   measure_timespan(field, value->number, &chunk->clock));
	} else if (unit_is_timestamp(field->unit)) {
		units_iso_timestamp(pen->to,
				    measure_timestamp(field, value->number, &chunk->clock),
				    chunk->zone);
	} else if (field->shown->primitive == OP_CHAR) {
		utf_add(&text, (uint32_t)value->number);
		write_escaped(pen->to, (struct str){ text.bytes, text.size });
		buf_clear(&text);
	} else {
		text_number(pen->to, field, value);
	}
}

/* The inside of a struct, from the end of its start tag to its end tag. */
static void write_struct(struct pen *pen, const struct object *object)
{
	buf_text(pen->to, ">\n");
	pen->depth++;
	for (size_t i = 0; i < object->type->field_count && !pen_is_full(pen); i++)
		write_field(pen, object, i);
	pen->depth--;
	pen_indent(pen);
	write_end(pen, "struct");
}

/* What follows the start of the element that is open. */
static void write_single(struct pen *pen, const struct field *field,
			 const struct value *value)
{
	const struct chunk *chunk = &pen->page->chunk;
	struct object object;

	if (!field->shown) {
		write_nil(pen);
	} else if (field->shown->primitive != OP_NONE) {
		if (!object_of_field(chunk, field, value, &object, &pen->arena) ||
		    (field->shown->primitive == OP_STRING && !object.values[0].text.bytes)) {
			write_nil(pen);
			return;
		}
		buf_byte(pen->to, '>');
		write_leaf(pen, field, object.values);
		write_end(pen, "value");
	} else if (!field->pooled) {
		write_struct(pen, &(struct object){ chunk, field->shown, value, 0 });
	} else if (!pen_constant(pen, field->type, (uint64_t)value->number,
				 pen_depth_variant(pen), write_struct)) {
		write_nil(pen);
	}
}

static void write_array(struct pen *pen, const struct field *field,
			const struct value *value)
{
	struct pen_array array = pen_array(pen, field, value);
	struct field element = *field;
	int limit = pen->options->stack_depth;
	bool is_frames = field->type->role == TYPE_STACK_FRAME;

	element.array = false;
	element.is_unsigned = false;	/* as for the JDK */
	buf_printf(pen->to, " size=\"%u\">\n", value->count);
	pen->depth++;
	for (int i = 0; !(is_frames && i >= limit) && pen_array_next(pen, &array); i++) {
		pen_indent(pen);
		buf_printf(pen->to, "<%s index=\"%d\"", element_name(field, true), i);
		write_single(pen, &element, array.values);
	}
	pen->depth--;
	pen_indent(pen);
	write_end(pen, "array");
}

static void write_field(struct pen *pen, const struct object *owner, size_t index)
{
	const struct field *field = &owner->type->fields[index];
	const struct value *value = owner->values + field->slot;

	pen_label(pen, owner->type, index);
	if (field->array && field->shown)
		write_array(pen, field, value);
	else
		write_single(pen, field, value);
}

static void write_event(struct pen *pen)
{
	buf_text(pen->to, "    <event type=\"");
	write_escaped(pen->to, pen->event.type->name);
	buf_text(pen->to, "\">\n");
	pen->depth = 3;
	for (size_t i = 0; i < pen->event.type->field_count && !pen_is_full(pen); i++)
		write_field(pen, &pen->event, i);
	buf_text(pen->to, "    </event>\n\n");
}

static void begin(struct buf *to)
{
	buf_text(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		     "<recording xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
		     "  <events>\n");
}

static void end(struct buf *to)
{
	buf_text(to, "  </events>\n</recording>\n");
}

const struct printer xml_printer = {
	.begin = begin,
	.event = write_event,
	.between = "",
	.end = end,
	.label = label,
	.field_depth = 3,
	.by_time = false,
};
