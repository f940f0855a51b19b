#include "render/text.h"

#include "base/decimal.h"
#include "base/utf.h"
#include "jfr/measure.h"
#include "render/units.h"

static void add_text(struct pen *pen, struct str text)
{
	utf_add_output(pen->to, text.bytes ? text : STR("null"));
}

/* Text with dots for slashes. */
static void add_dotted(struct buf *to, struct str name)
{
	size_t start = to->size;

	utf_add_output(to, name);
	for (size_t i = start; i < to->size; i++) {
		if (to->bytes[i] == '/')
			to->bytes[i] = '.';
	}
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

void text_class_name(struct pen *pen, const struct object *class)
{
	struct str name = object_text(class, "name", &pen->arena);

	add_dotted(pen->to, name.bytes ? name : STR("<unknown>"));
}

void text_class_source_name(struct pen *pen, const struct object *class)
{
	struct str name = object_text(class, "name", &pen->arena);

	if (!name.bytes || !str_starts(name, STR("[")) ||
	    !text_descriptor(pen->to, &name, STR(""), false))
		text_class_name(pen, class);
}

void text_class(struct pen *pen, const struct object *class)
{
	struct object loader, type;
	struct str name;

	text_class_source_name(pen, class);
	buf_text(pen->to, " (classLoader = ");
	if (!object_child(class, "classLoader", &loader, &pen->arena)) {
		buf_text(pen->to, "null");
	} else {
		name = object_text(&loader, "name", &pen->arena);
		if (!name.bytes && object_child(&loader, "type", &type, &pen->arena))
			text_class_name(pen, &type);
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
	text_class_name(pen, &type);
	buf_text(pen->to, " (id = ");
	buf_integer(pen->to, (int64_t)loader->key);
	buf_byte(pen->to, ')');
}

static struct str primitive_name(char letter)
{
	static const char letters[] = "IJZDFSCB";
	static const struct str names[] = {
		STR("int"),   STR("long"),  STR("boolean"), STR("double"),
		STR("float"), STR("short"), STR("char"),    STR("byte"),
	};
	const char *found = letter ? strchr(letters, letter) : NULL;

	return found ? names[found - letters] : STR("<unknown-descriptor-type>");
}

/* Takes "Ljava/lang/String;" or "I" off the front. */
static struct str take_type(struct str *descriptor)
{
	const char *start = descriptor->bytes;
	const char *end = memchr(start, ';', descriptor->size);
	struct str name = primitive_name(*start);
	size_t used = 1;

	if (*start == 'L') {
		used = end ? (size_t)(end - start) + 1 : descriptor->size;
		name = (struct str){ start + 1, end ? used - 2 : used - 1 };
	}
	descriptor->bytes += used;
	descriptor->size -= used;
	return name;
}

bool text_descriptor(struct buf *to, struct str *descriptor, struct str size,
		     bool is_simple)
{
	size_t dimensions = 0;
	struct str name;

	while (dimensions < descriptor->size && descriptor->bytes[dimensions] == '[')
		dimensions++;
	if (dimensions == descriptor->size)
		return false;
	descriptor->bytes += dimensions;
	descriptor->size -= dimensions;
	name = take_type(descriptor);
	if (is_simple)
		name = str_after_last(str_after_last(name, '/'), '.');
	add_dotted(to, name);
	for (size_t i = 0; i < dimensions; i++) {
		buf_byte(to, '[');
		buf_str(to, i == 0 ? size : STR(""));
		buf_byte(to, ']');
	}
	return true;
}

void text_method_name(struct pen *pen, const struct object *method)
{
	struct object type;

	if (object_child(method, "type", &type, &pen->arena))
		text_class_name(pen, &type);
	else
		buf_text(pen->to, "<unknown>");
	buf_byte(pen->to, '.');
	add_text(pen, object_text(method, "name", &pen->arena));
}

/* "Object, int[]" of "(Ljava/lang/Object;[I)V" */
static void add_parameters(struct buf *to, struct str descriptor)
{
	const char *between = "", *end;

	if (descriptor.size < 2)
		return;
	descriptor.bytes++;
	end = memrchr(descriptor.bytes, ')', descriptor.size - 1);
	descriptor.size = end ? (size_t)(end - descriptor.bytes) : 0;
	for (; descriptor.size; between = ", ") {
		buf_text(to, between);
		if (!text_descriptor(to, &descriptor, STR(""), true))
			break;
	}
}

void text_method(struct pen *pen, const struct object *method)
{
	text_method_name(pen, method);
	buf_byte(pen->to, '(');
	add_parameters(pen->to, object_text(method, "descriptor", &pen->arena));
	buf_byte(pen->to, ')');
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

bool text_frame_is_java(const struct object *frame)
{
	return object_exact(frame, OP_BOOLEAN, "javaFrame", 1) != 0;
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

	if (!text_frame_is_java(frame))
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
