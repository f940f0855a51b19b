/*
 * finder.h - many texts, sought in others all at once.
 *
 *	struct finder finder = { .limit = ... };
 *
 *	finder_add(&finder, STR("secret"))
 *	finder_build(&finder)
 *	if (finder_has(&finder, text)) ...
 *	finder_clear(&finder);
 *
 * The time that a search takes grows with the length of the text alone, whatever the texts
 * sought are (Aho and Corasick). Bytes are compared. Once built it may be read by any
 * number of threads.
 */
#ifndef BASE_FINDER_H
#define BASE_FINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

/* A beginning of texts sought; that without any byte is the first. */
struct finder_node {
	uint32_t parent;
	uint32_t depth;		/* bytes */
	uint32_t back;		/* the longest other one that this one ends with */
	uint32_t found;		/* bytes of the longest text that it ends with, 0: none */
	unsigned char byte;	/* its last */
};

struct finder {
	/* Of bytes in all texts, equal beginnings counted once; 0: there is none. */
	size_t limit;
	/* private */
	VEC(struct finder_node) nodes;
	struct map children;	/* by node and byte */
	uint32_t first[256];	/* children of the first one, 0: none */
};

struct finder_span {
	size_t start, end;
};

/* Where texts were found, in order; where they overlap, that is one. */
struct finder_spans {
	VEC(struct finder_span) spans;
};

/* Empty texts are not sought. False without memory, or beyond the limit. */
bool finder_add(struct finder *finder, struct str text);

/* After the last was added, before anything is sought. False without memory. */
bool finder_build(struct finder *finder);

/* True if one of the texts occurs. Without any text nothing does. */
bool finder_has(const struct finder *finder, struct str text);

/* Finds all; what is in spans before is forgotten. False without memory. */
bool finder_find(const struct finder *finder, struct str text,
		 struct finder_spans *spans);

void finder_clear(struct finder *finder);

#endif
