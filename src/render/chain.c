#include "render/chain.h"

#include "base/digits.h"
#include "base/map.h"
#include "base/utf.h"
#include "render/text.h"

/* One object of a chain: its class, then what is known of it. */
static bool write_object(struct pen *pen, const struct object *object, int64_t size)
{
	struct object class;
	struct str text;
	char digits[24];
	struct str length = { digits, 0 };

	if (size > 0)
		length.size = (size_t)(digits_write(digits, (uint64_t)size) - digits);
	if (!type_field(object->type, "type"))
		return false;
	if (object_child(object, "type", &class, &pen->arena)) {
		text_class_name(pen, &class, length);
		if (!type_field(object->type, "description"))
			return false;
		text = object_text(object, "description", &pen->arena);
		if (text.bytes) {
			buf_byte(pen->to, ' ');
			utf_add_output(pen->to, text);
		}
	}
	buf_byte(pen->to, '\n');
	return true;
}

/* Whether there is one of the two, and that it has the fields it needs. */
static bool find_holder(struct pen *pen, const struct object *reference,
			const char *name, struct object *holder, bool *is_there)
{
	bool is_array = strcmp(name, "array") == 0;

	*is_there = object_child(reference, name, holder, &pen->arena);
	if (!*is_there)
		return type_field(reference->type, name) != NULL;
	if (is_array)
		return type_field(holder->type, "index") &&
		       type_field(holder->type, "size");
	return type_field(holder->type, "name") != NULL;
}

/* What holds an object: "[3] : " or "field : ". Gives the size of a holding array. */
static bool write_holder(struct pen *pen, const struct object *reference, int64_t *size)
{
	struct object array, field;
	bool is_in_array, is_in_field;

	if (!type_field(reference->type, "skip"))
		return false;
	if (object_number(reference, "skip", 0) > 0) {
		pen_indent(pen);
		buf_text(pen->to, "...\n");
	}
	if (!find_holder(pen, reference, "array", &array, &is_in_array) ||
	    !find_holder(pen, reference, "field", &field, &is_in_field))
		return false;
	*size = is_in_array ? object_number(&array, "size", 0) : 0;
	pen_indent(pen);
	if (is_in_field) {
		struct str name = object_text(&field, "name", &pen->arena);

		utf_add_output(pen->to, name.bytes ? name : STR("null"));
	} else if (is_in_array) {
		buf_byte(pen->to, '[');
		buf_integer(pen->to, object_number(&array, "index", 0));
		buf_byte(pen->to, ']');
	}
	buf_text(pen->to, " : ");
	return true;
}

static void write_chain(struct pen *pen, const struct object *first)
{
	struct object object = *first, reference, held;
	struct map seen = { 0 };
	int64_t size = object_number(&pen->event, "arrayElements", 0);

	if (!type_field(pen->event.type, "arrayElements") ||
	    !write_object(pen, &object, size))
		return;
	while (!pen_is_full(pen) &&
	       object_child(&object, "referrer", &reference, &pen->arena)) {
		if (map_find(&seen, reference.key) != MAP_NONE)	/* a ring */
			break;
		if (!map_put(&seen, reference.key, 0)) {
			pen->failed = true;
			break;
		}
		if (!write_holder(pen, &reference, &size))
			break;
		if (!object_child(&reference, "object", &held, &pen->arena))
			break;
		object = held;
		if (!write_object(pen, &object, size))
			break;
	}
	map_clear(&seen);
}

void chain_write(struct pen *pen, const struct object *object)
{
	buf_text(pen->to, " [\n");
	pen->depth++;
	pen_indent(pen);
	write_chain(pen, object);
	pen->depth--;
	pen_indent(pen);
	buf_byte(pen->to, ']');
}
