/*
 * elements.h - the elements of an array, decoded one after the other.
 *
 *	struct elements elements = elements_of(chunk, field, value, arena);
 *
 *	while (elements_next(&elements))
 *		... elements.values, as those of the field elements.field
 */
#ifndef JFR_ELEMENTS_H
#define JFR_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "jfr/chunk.h"

struct elements {
	const struct chunk *chunk;
	struct arena *arena;
	struct cursor cursor;
	uint32_t left;
	const struct program *program;
	struct value *values;	/* of one element, until the next */
	struct field field;	/* the array's, as one element of it */
};

/* The field must be an array of a declared type. What is decoded lives in the arena. */
struct elements elements_of(const struct chunk *chunk, const struct field *field,
			    const struct value *value, struct arena *arena);

/* False at the end, where bytes do not fit, and without memory (arena->failed). */
bool elements_next(struct elements *elements);

#endif
