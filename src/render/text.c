#include "render/text.h"

#include "base/decimal.h"
#include "base/utf.h"
#include "jfr/measure.h"
#include "jfr/naming.h"
#include "jfr/units.h"

static void add_text(struct pen *pen, struct str text)
{
	utf_add_output(pen->to, text.bytes ? text : STR("null"));
}

void text_thread(struct pen *pen, const struct object *thread)
{
	int64_t java_id = object_exact(thread, OP_LONG, "javaThreadId", -1);
	bool is_virtual = object_exact(thread, OP_BOOLEAN, "virtual", 0) != 0;
	bool is_java = java_id > 0;
	int64_t os_id = object_exact(thread, OP_LONG, "osThreadId", -1);
	const char *name = is_java ? "javaName" : "osName";

	if (is_virtual)
		os_id = -1;
	buf_byte(pen->to, '"');
	add_text(pen, object_text(thread, name, &pen->arena));
	buf_text(pen->to, is_java ? "\" (javaThreadId = " : "\" (osThreadId = ");
	buf_integer(pen->to, is_java ? java_id : os_id);
	if (is_java && is_virtual)
		buf_text(pen->to, ", virtual");
	buf_byte(pen->to, ')');
}

/* The name of a class as it is stored. */
static struct str class_name(struct pen *pen, const struct object *class)
{
	struct str name = object_text(class, "name", &pen->arena);

	return name.bytes ? name : STR("<unknown>");
}

static void add_class_name(struct pen *pen, const struct object *class)
{
	size_t start = pen->to->size;

	naming_add_dotted(pen->to, class_name(pen, class));
	utf_end_output(pen->to, start);
}

void text_class_name(struct pen *pen, const struct object *class, struct str length)
{
	size_t start = pen->to->size;

	naming_add_class(pen->to, class_name(pen, class), length);
	utf_end_output(pen->to, start);
}

void text_class(struct pen *pen, const struct object *class)
{
	struct object loader, type;
	struct str name;

	text_class_name(pen, class, STR(""));
	buf_text(pen->to, " (classLoader = ");
	if (!object_child(class, "classLoader", &loader, &pen->arena)) {
		buf_text(pen->to, "null");
	} else {
		name = object_text(&loader, "name", &pen->arena);
		if (!name.bytes && object_child(&loader, "type", &type, &pen->arena))
			add_class_name(pen, &type);
		else
			add_text(pen, name);
	}
	buf_byte(pen->to, ')');
}

void text_class_loader(struct pen *pen, const struct object *loader)
{
	struct object type;

	if (!object_child(loader, "type", &type, &pen->arena)) {
		buf_text(pen->to, "null");
		return;
	}
	add_class_name(pen, &type);
	buf_text(pen->to, " (id = ");
	buf_integer(pen->to, (int64_t)loader->key);
	buf_byte(pen->to, ')');
}

void text_method_name(struct pen *pen, const struct object *method)
{
	struct object type;

	if (object_child(method, "type", &type, &pen->arena))
		add_class_name(pen, &type);
	else
		buf_text(pen->to, "<unknown>");
	buf_byte(pen->to, '.');
	add_text(pen, object_text(method, "name", &pen->arena));
}

void text_method(struct pen *pen, const struct object *method)
{
	size_t start = pen->to->size;

	text_method_name(pen, method);
	naming_add_parameters(pen->to, object_text(method, "descriptor", &pen->arena));
	utf_end_output(pen->to, start);
}

/* The method of a frame in its own text, kept apart from that of the frame. */
static void add_frame_method(struct pen *pen, const struct object *frame,
			     size_t variant,
			     void (*draw)(struct pen *pen, const struct object *object))
{
	const struct field *field = type_field(frame->type, "method");
	struct object method;

	if (field && field->pooled && !field->array && field->type &&
	    pen_constant(pen, field->type, (uint64_t)frame->values[field->slot].number,
			 variant, draw))
		return;
	if (object_child(frame, "method", &method, &pen->arena))
		draw(pen, &method);
	else
		buf_text(pen->to, "<unknown>");
}

/* A line below 0 is not known. */
static void add_line(struct pen *pen, const struct object *frame, const char *mark)
{
	int64_t line = object_exact(frame, OP_INT, "lineNumber", -1);

	if (line >= 0) {
		buf_text(pen->to, mark);
		buf_integer(pen->to, line);
	}
}

void text_frame(struct pen *pen, const struct object *frame)
{
	add_frame_method(pen, frame, PAGE_FLAT, text_method);
	add_line(pen, frame, " line: ");
}

void text_frame_place(struct pen *pen, const struct object *frame)
{
	add_frame_method(pen, frame, PAGE_METHOD, text_method_name);
	add_line(pen, frame, ":");
}

static void mark_hidden(struct pen *pen, const struct object *method)
{
	if (object_exact(method, OP_BOOLEAN, "hidden", 0))
		buf_byte(pen->to, 'h');
}

/* As methods occur in many frames, the answer is kept: as a text that is taken back. */
bool text_frame_is_shown(struct pen *pen, const struct object *frame)
{
	const struct field *field = type_field(frame->type, "method");
	size_t start = pen->to->size;
	struct object method;
	bool is_hidden;

	if (!object_is_java_frame(frame))
		return false;
	if (field && field->pooled && !field->array && field->type)
		pen_constant(pen, field->type, (uint64_t)frame->values[field->slot].number,
			     PAGE_HIDDEN, mark_hidden);
	else if (object_child(frame, "method", &method, &pen->arena))
		mark_hidden(pen, &method);
	is_hidden = pen->to->size > start;
	pen->to->size = start;
	return !is_hidden;
}

void text_number(struct buf *to, const struct field *field, const struct value *value)
{
	switch (field->shown->primitive) {
	case OP_BOOLEAN:
		buf_text(to, value->number ? "true" : "false");
		break;
	case OP_CHAR:
		if (value->number >= 0xd800 && value->number < 0xe000)
			buf_byte(to, '?');
		else
			utf_add(to, (uint32_t)value->number);
		break;
	case OP_FLOAT:
		decimal_add_float(to, (float)value->real);
		break;
	case OP_DOUBLE:
		decimal_add_double(to, value->real);
		break;
	default:
		if (measure_is_huge(field, value->number))
			buf_unsigned(to, (uint64_t)value->number);
		else
			buf_integer(to, measure_integer(field, value->number));
	}
}

bool text_iso_time(struct pen *pen, const struct field *field,
		   const struct value *value)
{
	const struct chunk *chunk = &pen->page->chunk;
	const struct clock *clock = &chunk->clock;
	struct time time;

	if (unit_is_timespan(field->unit)) {
		time = measure_timespan(field, value->number, clock);
		units_iso_timespan(pen->to, time);
		return true;
	}
	if (unit_is_timestamp(field->unit)) {
		time = measure_timestamp(field, value->number, clock);
		units_iso_timestamp(pen->to, time, chunk->zone);
		return true;
	}
	return false;
}
