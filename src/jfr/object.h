/*
 * object.h - a decoded struct, asked by the names of its fields.
 *
 * For threads, classes, methods and the like, whose layout differs between
 * producers: nothing is bound by position. Missing fields and missing constants
 * give the value the JDK gives. Not for the fast path: names are compared.
 */
#ifndef JFR_OBJECT_H
#define JFR_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "jfr/chunk.h"

struct object {
	const struct chunk *chunk;
	const struct type *type;
	const struct value *values;	/* of the type's program */
	uint64_t key;			/* in the pool of the type; 0 if inline */
};

/*
 * The constant at that place of its pool; false if it cannot be decoded. Of a simple
 * type, the object is what that stands for. Values live in the arena.
 */
bool object_at(struct object *object, const struct chunk *chunk,
	       const struct pool *pool, uint32_t index, struct arena *arena);

/* The constant with that key; false for Java's null. Values live in the arena. */
bool object_constant(struct object *object, const struct chunk *chunk,
		     const struct type *type, uint64_t key, struct arena *arena);

/* A string field, also a pooled one; bytes NULL for null and for no such field. */
struct str object_text(const struct object *object, const char *name,
		       struct arena *arena);

/* An integer or boolean field; `otherwise` if there is none of that name. */
int64_t object_number(const struct object *object, const char *name, int64_t otherwise);

/*
 * The same, of a field that is declared as this primitive and as no other: where a
 * producer chose another width, the JDK finds nothing.
 */
int64_t object_exact(const struct object *object, enum op_kind kind, const char *name,
		     int64_t otherwise);

/* A field that is a struct, pooled or inline; false for null or no such field. */
bool object_child(const struct object *object, const char *name, struct object *child,
		  struct arena *arena);

/* The same for a field already found, whose values start at `values`. */
bool object_of_field(const struct chunk *chunk, const struct field *field,
		     const struct value *values, struct object *child,
		     struct arena *arena);

/* True if a stack frame is one of Java, as all are that do not say otherwise. */
static inline bool object_is_java_frame(const struct object *frame)
{
	return object_exact(frame, OP_BOOLEAN, "javaFrame", 1) != 0;
}

#endif
