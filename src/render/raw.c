#include "render/raw.h"

#include <math.h>

#include "base/utf.h"
#include "jfr/measure.h"
#include "jfr/naming.h"
#include "render/text.h"
#include "jfr/units.h"

static bool add_timespan(struct pen *pen, const struct field *field, int64_t number)
{
	struct time span = measure_timespan(field, number, &pen->page->chunk.clock);

	if (time_is(span, TIME_MISSING))
		return false;
	buf_integer(pen->to, time_nanos(span));
	return true;
}

static bool add_timestamp(struct pen *pen, const struct field *field, int64_t number)
{
	const struct chunk *chunk = &pen->page->chunk;
	struct time when = measure_timestamp(field, number, &chunk->clock);

	if (time_is(when, TIME_MISSING))
		return false;
	units_iso_exact(pen->to, when, chunk->zone);
	return true;
}

bool raw_number(struct pen *pen, const struct field *field, const struct value *value)
{
	enum op_kind primitive = field->shown->primitive;
	bool is_real = primitive == OP_FLOAT || primitive == OP_DOUBLE;

	if (is_real && !isfinite(value->real))
		return false;
	if (unit_is_timespan(field->unit))
		return add_timespan(pen, field, value->number);
	if (unit_is_timestamp(field->unit))
		return add_timestamp(pen, field, value->number);
	if (field->unit == UNIT_ADDRESS && !is_real)
		buf_unsigned(pen->to, (uint64_t)measure_integer(field, value->number));
	else
		text_number(pen->to, field, value);
	return true;
}

static bool add_name(struct pen *pen, const struct object *object)
{
	size_t start = pen->to->size;
	bool has_name = naming_add(pen->to, object, &pen->arena);

	utf_end_output(pen->to, start);
	return has_name;
}

/* The loader of the JVM itself, which Java knows as null, has no class. */
static bool add_class_loader(struct pen *pen, const struct object *loader)
{
	struct str name = object_text(loader, "name", &pen->arena);
	struct object class;

	if (!object_child(loader, "type", &class, &pen->arena) &&
	    str_is(name, STR("bootstrap")))
		return false;
	return add_name(pen, loader);
}

static bool add_method(struct pen *pen, const struct object *method)
{
	text_method(pen, method);
	return true;
}

static bool (*const names[])(struct pen *pen, const struct object *object) = {
	[TYPE_THREAD_GROUP] = add_name,
	[TYPE_CLASS] = add_name,
	[TYPE_CLASS_LOADER] = add_class_loader,
	[TYPE_METHOD] = add_method,
	[TYPE_OLD_OBJECT] = NULL,	/* the last one */
};

bool raw_has_name(const struct type *type)
{
	return names[type->role] != NULL;
}

bool raw_name(struct pen *pen, const struct object *object)
{
	return names[object->type->role](pen, object);
}
