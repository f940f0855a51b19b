/*
 * constpool.h - constants of a class file: found, or added behind those it has.
 *
 * The same constant is there once, as far as it was asked for here. When there is no
 * index left for one, 0 is given for it, and is_full stays true until constpool_begin.
 */
#ifndef CLASSFILE_CONSTPOOL_H
#define CLASSFILE_CONSTPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "classfile/classfile.h"
#include "classfile/constant.h"

struct constpool {
	const struct classfile *file;
	uint32_t count;			/* indexes 1 to count - 1 are in use */
	struct buf added;		/* their bytes */
	bool is_full;
	bool failed;			/* without memory */
	/* private */
	struct buf text;		/* of the one that is looked for */
	uint32_t *places;		/* of those that were added, in `added` */
	uint16_t *next;			/* from one to the next of the same head */
	uint16_t *heads;		/* of chains of constants, by hash; 0: none */
	uint32_t head_count;		/* a power of two */
	uint32_t capacity;		/* of next */
};

void constpool_open(struct constpool *pool, const struct classfile *file);
void constpool_close(struct constpool *pool);

/* From here on, is_full tells of what is asked for from here on. */
static inline void constpool_begin(struct constpool *pool)
{
	pool->is_full = false;
}

/* Gives the index; 0: full, or without memory. */
uint16_t constpool_utf8(struct constpool *pool, struct str text);
uint16_t constpool_class(struct constpool *pool, struct str name);
uint16_t constpool_integer(struct constpool *pool, int32_t number);
uint16_t constpool_method(struct constpool *pool, struct str owner,
			  struct str name, struct str descriptor);

#endif
