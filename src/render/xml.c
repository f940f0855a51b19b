/*
 * xml.c - events as one XML document, the layout of `print --xml`.
 */
#include "base/escape.h"
#include "base/utf.h"
#include "render/pen.h"
#include "render/printer.h"
#include "render/text.h"

static void write_field(struct pen *pen, const struct object *owner, size_t index);

static const char *element_name(const struct field *field)
{
	if (field->array)
		return "array";
	return field->shown && field->shown->primitive == OP_NONE ? "struct" : "value";
}

/* The start of the element, open for more attributes. */
static void label(struct buf *to, const struct field *field, bool is_first, int depth)
{
	(void)is_first;
	buf_fill(to, ' ', (size_t)depth * 2);
	buf_byte(to, '<');
	buf_text(to, element_name(field));
	buf_text(to, " name=\"");
	escape_xml(to, field->name);
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
	buf_byte(pen->to, '>');
	if (field->shown->primitive == OP_STRING) {
		escape_xml(pen->to, value->text);
	} else if (text_iso_time(pen, field, value)) {
		/* that is all */
	} else if (field->shown->primitive == OP_CHAR) {
		char bytes[UTF_POINT_MAX];
		char *end = utf_write(bytes, (uint32_t)value->number);

		escape_xml(pen->to, (struct str){ bytes, (size_t)(end - bytes) });
	} else {
		text_number(pen->to, field, value);
	}
	write_end(pen, "value");
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
static const struct pen_format format = { write_nil, write_leaf, write_struct };

static void write_array(struct pen *pen, const struct field *field,
			const struct value *value)
{
	struct elements array = pen_short_elements(pen, field, value);
	const char *name = element_name(&array.field);

	buf_printf(pen->to, " size=\"%u\">\n", value->count);
	pen->depth++;
	for (int i = 0; pen_next_element(pen, &array); i++) {
		pen_indent(pen);
		buf_printf(pen->to, "<%s index=\"%d\"", name, i);
		pen_value(pen, &array.field, array.values, &format);
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
		pen_value(pen, field, value, &format);
}

static void write_event(struct pen *pen)
{
	buf_text(pen->to, "    <event type=\"");
	escape_xml(pen->to, pen->event.type->name);
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
