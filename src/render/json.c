/*
 * json.c - events as one JSON document, the layout of `print --json`.
 */
#include <math.h>

#include "base/surrogate.h"
#include "base/utf.h"
#include "jfr/measure.h"
#include "render/pen.h"
#include "render/printer.h"
#include "render/text.h"

static void write_field(struct pen *pen, const struct object *owner, size_t index);

static void escape_unit(struct buf *to, uint32_t unit)
{
	static const char hex[] = "0123456789abcdef";
	char text[6] = { '\\', 'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15],
			 hex[unit >> 4 & 15], hex[unit & 15] };

	buf_add(to, text, sizeof(text));
}

/* The letter of a two-character escape, or 0. The slash is escaped, too. */
static char short_escape(char byte)
{
	static const char from[] = "\b\n\t\f\r\"\\/";
	static const char letters[] = "bntfr\"\\/";
	const char *found = byte ? strchr(from, byte) : NULL;

	return found ? letters[found - from] : 0;
}

static bool is_plain(char byte)
{
	return (signed char)byte >= ' ' && byte != '"' && byte != '\\' && byte != '/';
}

static void write_special(struct buf *to, struct str *text)
{
	char letter = short_escape(*text->bytes);
	uint32_t point;

	if (letter) {
		buf_byte(to, '\\');
		buf_byte(to, letter);
		text->bytes++;
		text->size--;
		return;
	}
	point = utf_next(text);
	if (point > 0xffff) {
		escape_unit(to, surrogate_high(point));
		escape_unit(to, surrogate_low(point));
	} else {
		escape_unit(to, point);
	}
}

static void write_escaped(struct buf *to, struct str text)
{
	while (text.size) {
		size_t plain = 0;

		while (plain < text.size && is_plain(text.bytes[plain]))
			plain++;
		buf_add(to, text.bytes, plain);
		text.bytes += plain;
		text.size -= plain;
		if (text.size)
			write_special(to, &text);
	}
}

static void write_string(struct buf *to, struct str text)
{
	buf_byte(to, '"');
	write_escaped(to, text);
	buf_byte(to, '"');
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
	struct pen_array array = pen_short_array(pen, field, value);
	const char *between = "";

	buf_byte(pen->to, '[');
	for (; pen_array_next(pen, &array); between = ", ") {
		buf_text(pen->to, between);
		pen_value(pen, &array.element, array.values, &format);
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
