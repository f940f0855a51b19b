/*
 * raw.h - single values for programs to read: numbers in one unit, names in one word.
 *
 * NDJSON and CSV have the same ones (cjfr-format(5)). All append to pen->to, without
 * quotes.
 */
#ifndef RENDER_RAW_H
#define RENDER_RAW_H

#include "jfr/object.h"
#include "render/pen.h"

/*
 * A value that is neither a string nor a character: a timestamp in ISO 8601, a
 * timespan in nanoseconds, any other number as it is stored. False, and nothing, if it
 * is null: missing, or not finite.
 */
bool raw_number(struct pen *pen, const struct field *field, const struct value *value);

/* Structs of that type have a name that says what they are. */
bool raw_has_name(const struct type *type);

/*
 * Its name: "java.lang.String[]" of a class, that of a class loader or thread group,
 * a method as text_method has it. False, and nothing, if it has none after all.
 */
bool raw_name(struct pen *pen, const struct object *object);

#endif
