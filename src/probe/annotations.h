/*
 * annotations.h - the names of annotations that classes have, for who misspelt one.
 *
 * Only the first so many. Zeroed it is empty. Any thread; a lock is held for short.
 */
#ifndef PROBE_ANNOTATIONS_H
#define PROBE_ANNOTATIONS_H

#include <pthread.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

#define ANNOTATIONS_MAX 1000

struct annotations {
	pthread_mutex_t lock;
	VEC(struct str) names;		/* with dots */
	struct map seen;		/* hashes of the names */
	struct arena arena;
};

/* Adds those of a class file and of its methods. What is none is passed over. */
void annotations_add(struct annotations *annotations, const void *bytes, size_t size);

/* Once nobody adds any more. */
void annotations_clear(struct annotations *annotations);

#endif
