/*
 * text.h - classes, methods, threads and frames as words, the way `print` shows
 * them.
 *
 * All append to pen->to. Names that are missing in a damaged or odd recording
 * appear as "null" or "<unknown>".
 */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include "jfr/object.h"
#include "render/pen.h"

/* "main" (javaThreadId = 1), or "VM Thread" (osThreadId = 4711). */
void text_thread(struct pen *pen, const struct object *thread);

/* java.lang.String[] (classLoader = bootstrap) */
void text_class(struct pen *pen, const struct object *class);

/* jdk.internal.loader.ClassLoaders$AppClassLoader (id = 3), or null */
void text_class_loader(struct pen *pen, const struct object *loader);

/* java.util.ArrayList.add(Object, Object[], int) */
void text_method(struct pen *pen, const struct object *method);

/* java.util.ArrayList.add */
void text_method_name(struct pen *pen, const struct object *method);

/* The same and " line: 7". */
void text_frame(struct pen *pen, const struct object *frame);

/* java.util.ArrayList.add:484 */
void text_frame_place(struct pen *pen, const struct object *frame);

/* True if stack traces show the frame: a Java method that is not hidden. */
bool text_frame_is_shown(struct pen *pen, const struct object *frame);

/* java.lang.String, int[][]; `length` goes into the first pair of brackets. */
void text_class_name(struct pen *pen, const struct object *class, struct str length);

/* A timespan or timestamp as ISO 8601 has it; false, and nothing, for other fields. */
bool text_iso_time(struct pen *pen, const struct field *field,
		   const struct value *value);

/* A boolean, number or character as Java's String.valueOf gives it. */
void text_number(struct buf *to, const struct field *field, const struct value *value);

#endif
