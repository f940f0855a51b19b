/*
 * constants.h - constants of a class file: found, or added behind those it has.
 *
 * The same constant is there once, as far as it was asked for here. Once there is no
 * index left for one, is_full stays true, and 0 is given for what is not there.
 */
#ifndef CLASSFILE_CONSTANTS_H
#define CLASSFILE_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "classfile/classfile.h"
#include "classfile/constant.h"

struct constants {
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

void constants_open(struct constants *constants, const struct classfile *file);
void constants_finish(struct constants *constants);

/* Gives the index; 0: full, or without memory. */
uint16_t constants_utf8(struct constants *constants, struct str text);
uint16_t constants_class(struct constants *constants, struct str name);
uint16_t constants_integer(struct constants *constants, int32_t number);
uint16_t constants_method(struct constants *constants, struct str owner,
			  struct str name, struct str descriptor);

#endif
