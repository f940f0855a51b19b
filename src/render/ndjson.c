/*
 * ndjson.c - events as lines of JSON, the layout of `print --ndjson`.
 */
#include "render/ndjson.h"

#include "base/utf.h"
#include "jfr/measure.h"
#include "render/printer.h"
#include "render/quote.h"
#include "render/raw.h"

void ndjson_label(struct buf *to, const struct field *field, bool is_first, int depth)
{
	(void)depth;
	if (!is_first)
		buf_byte(to, ',');
	quote_add(to, field->name, QUOTE_UTF8);
	buf_byte(to, ':');
}

static void write_null(struct pen *pen)
{
	buf_text(pen->to, "null");
}

static void write_char(struct pen *pen, const struct value *value)
{
	char bytes[UTF_POINT_MAX];
	char *end = utf_write(bytes, (uint32_t)value->number);

	quote_add(pen->to, (struct str){ bytes, (size_t)(end - bytes) }, QUOTE_UTF8);
}

static void write_number(struct pen *pen, const struct field *field,
			 const struct value *value)
{
	const char *mark = unit_is_timestamp(field->unit) ? "\"" : "";
	size_t start = pen->to->size;

	buf_text(pen->to, mark);
	if (raw_number(pen, field, value)) {
		buf_text(pen->to, mark);
	} else {
		pen->to->size = start;
		write_null(pen);
	}
}

static void write_leaf(struct pen *pen, const struct field *field,
		       const struct value *value)
{
	if (field->shown->primitive == OP_STRING)
		quote_add(pen->to, value->text, QUOTE_UTF8);
	else if (field->shown->primitive == OP_CHAR)
		write_char(pen, value);
	else
		write_number(pen, field, value);
}

static const struct pen_format format = { write_null, write_leaf, ndjson_object };

static void write_value(struct pen *pen, const struct field *field,
			const struct value *value)
{
	if (field->array && field->shown)
		ndjson_array(pen, field, value);
	else
		pen_value(pen, field, value, &format);
}

void ndjson_array(struct pen *pen, const struct field *field,
		  const struct value *value)
{
	struct elements array = pen_short_elements(pen, field, value);
	const char *between = "";

	buf_byte(pen->to, '[');
	for (; pen_next_element(pen, &array); between = ",") {
		buf_text(pen->to, between);
		pen_value(pen, &array.field, array.values, &format);
	}
	buf_byte(pen->to, ']');
}

static void write_name(struct pen *pen, const struct object *object)
{
	size_t start = pen->to->size;

	if (raw_name(pen, object))
		quote_tail(pen->to, start);
	else
		write_null(pen);
}

static void write_struct(struct pen *pen, const struct object *object)
{
	const struct type *type = object->type;

	buf_byte(pen->to, '{');
	pen->depth++;
	for (size_t i = 0; i < type->field_count && !pen_is_full(pen); i++) {
		const struct field *field = &type->fields[i];

		pen_label(pen, type, i);
		write_value(pen, field, object->values + field->slot);
	}
	pen->depth--;
	buf_byte(pen->to, '}');
}

void ndjson_object(struct pen *pen, const struct object *object)
{
	if (raw_has_name(object->type))
		write_name(pen, object);
	else
		write_struct(pen, object);
}

static void write_event(struct pen *pen)
{
	buf_text(pen->to, "{\"v\":" NDJSON_VERSION ",\"type\":");
	quote_add(pen->to, pen->event.type->name, QUOTE_UTF8);
	buf_text(pen->to, ",\"values\":");
	pen->depth = 0;
	write_struct(pen, &pen->event);
	buf_text(pen->to, "}\n");
}

const struct printer ndjson_printer = {
	.begin = printer_add_nothing,
	.event = write_event,
	.between = "",
	.end = printer_add_nothing,
	.label = ndjson_label,
	.field_depth = 1,
	.by_time = false,
	.in_utc = true,
};
