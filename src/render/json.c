/*
 * json.c - events as one JSON document, the layout of `print --json`.
 */
#include <math.h>

#include "base/utf.h"
#include "jfr/measure.h"
#include "render/pen.h"
#include "render/printer.h"
#include "render/quote.h"
#include "render/text.h"

static void write_field(struct pen *pen, const struct object *owner, size_t index);

static void write_string(struct buf *to, struct str text)
{
	quote_add(to, text, QUOTE_ASCII);
}

static void label(struct buf *to, const struct field *field, bool is_first, int depth)
{
	if (!is_first)
		buf_text(to, ", \n");
	buf_fill(to, ' ', (size_t)depth * 2);
	write_string(to, field->name);
	buf_text(to, ": ");
}

static void write_null(struct pen *pen)
{
	buf_text(pen->to, "null");
}

static void write_char(struct pen *pen, const struct value *value)
{
	char bytes[UTF_POINT_MAX];
	char *end = utf_write(bytes, (uint32_t)value->number);

	write_string(pen->to, (struct str){ bytes, (size_t)(end - bytes) });
}

static void write_leaf(struct pen *pen, const struct field *field,
		       const struct value *value)
{
	enum op_kind primitive = field->shown->primitive;
	bool is_time = unit_is_timespan(field->unit) || unit_is_timestamp(field->unit);

	if (primitive == OP_STRING) {
		write_string(pen->to, value->text);
	} else if ((primitive == OP_FLOAT || primitive == OP_DOUBLE) &&
		   !isfinite(value->real)) {
		write_null(pen);
	} else if (is_time) {
		buf_byte(pen->to, '"');
		text_iso_time(pen, field, value);
		buf_byte(pen->to, '"');
	} else if (primitive == OP_CHAR) {
		write_char(pen, value);
	} else {
		text_number(pen->to, field, value);
	}
}

static void write_struct(struct pen *pen, const struct object *object)
{
	buf_text(pen->to, "{\n");
	pen->depth++;
	for (size_t i = 0; i < object->type->field_count && !pen_is_full(pen); i++)
		write_field(pen, object, i);
	pen->depth--;
	buf_byte(pen->to, '\n');
	pen_indent(pen);
	buf_byte(pen->to, '}');
}

static const struct pen_format format = { write_null, write_leaf, write_struct };

static void write_array(struct pen *pen, const struct field *field,
			const struct value *value)
{
	struct elements array = pen_short_elements(pen, field, value);
	const char *between = "";

	buf_byte(pen->to, '[');
	for (; pen_next_element(pen, &array); between = ", ") {
		buf_text(pen->to, between);
		pen_value(pen, &array.field, array.values, &format);
	}
	buf_byte(pen->to, ']');
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
	buf_text(pen->to, "{\n      \"type\": ");
	write_string(pen->to, pen->event.type->name);
	buf_text(pen->to, ", \n      \"values\": ");
	pen->depth = 3;
	write_struct(pen, &pen->event);
	buf_text(pen->to, "\n    }");
}

static void begin(struct buf *to)
{
	buf_text(to, "{\n  \"recording\": {\n    \"events\": [");
}

static void end(struct buf *to)
{
	buf_text(to, "]\n  }\n}");
}

const struct printer json_printer = {
	.begin = begin,
	.event = write_event,
	.between = ", ",
	.end = end,
	.label = label,
	.field_depth = 4,
	.by_time = false,
};
