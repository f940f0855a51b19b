/*
 * vec.h - typed arrays that grow.
 *
 *	VEC(struct span) spans = { 0 };
 *	if (!vec_push(&spans, span)) ...	out of memory
 *	for (size_t i = 0; i < spans.count; i++) use(spans.items[i]);
 *	vec_clear(&spans);
 *
 * A zeroed vec is a valid empty one.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define VEC(type) struct { type *items; size_t count, capacity; }

/* A larger copy of the items, NULL without memory; used by vec_push alone. */
static inline void *vec_grow(void *items, size_t *capacity, size_t size)
{
	size_t wanted = *capacity ? *capacity * 2 : 8;
	void *grown = wanted > SIZE_MAX / size ? NULL : realloc(items, wanted * size);

	if (grown)
		*capacity = wanted;
	return grown;
}

/* Appends a copy of the item; false when memory runs out. */
#define vec_push(vec, item)                                                    \
	({                                                                     \
		void *room_ = (vec)->items;                                    \
		if ((vec)->count == (vec)->capacity)                           \
			room_ = vec_grow((vec)->items, &(vec)->capacity,       \
					 sizeof(*(vec)->items));               \
		if (room_) {                                                   \
			(vec)->items = room_;                                  \
			(vec)->items[(vec)->count++] = (item);                 \
		}                                                              \
		room_ != NULL;                                                 \
	})

#define vec_clear(vec)                                                         \
	(free((vec)->items), (vec)->items = NULL,                              \
	 (vec)->count = (vec)->capacity = 0)

#endif
