/*
 * element.h - the tree of named elements inside a metadata event.
 *
 *	root
 *	  metadata
 *	    class name= id= ...  with setting, field and annotation below
 *	  region gmtOffset= dst= locale=
 *
 * Names and values are strings out of a table in front of the tree.
 */
#ifndef JFR_ELEMENT_H
#define JFR_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

struct attribute {
	struct str name;
	struct str text;
};

struct element {
	struct str name;
	const struct attribute *attributes;
	size_t attribute_count;
	struct element *children;	/* the first one */
	struct element *next;		/* the next child of the same parent */
};

/* Reads a whole metadata event; NULL and err on failure. */
const struct element *element_read(const unsigned char *bytes, size_t size,
				   struct arena *arena, struct err *err);

/* The value of an attribute, or { NULL, 0 }. */
struct str element_text(const struct element *element, const char *name);

/* The value as a decimal number; `otherwise` if missing or no number of 64 bits. */
int64_t element_number(const struct element *element, const char *name,
		       int64_t otherwise);

/* The first child of that name, and the next sibling of the same name. */
const struct element *element_child(const struct element *element, const char *name);
const struct element *element_next(const struct element *element);

/* How many children have that name. */
size_t element_count(const struct element *element, const char *name);

/*
 * Appends string table and tree, as they stand in a metadata event behind its id.
 * Recursive: for trees of our own or read by element_read, whose depth is bounded.
 */
void element_write(const struct element *root, struct buf *to);

#endif
