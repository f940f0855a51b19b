/*
 * classmaker.h - class files for the unit tests, by names alone.
 */
#ifndef UNIT_CLASSMAKER_H
#define UNIT_CLASSMAKER_H

#include <stdint.h>

#include "base/buf.h"

struct made_method {
	const char *name;
	const char *descriptor;
	uint16_t access;		/* ACCESS_ABSTRACT, ACCESS_NATIVE: without code */
	const char *annotation;		/* "Lp/A;"; NULL: none */
};

struct made_class {
	const char *name;		/* "a/b/C" */
	const char *annotation;
	const char *constant;		/* a Class constant more; NULL: none */
	const struct made_method *methods;	/* up to one without a name */
};

/* Appends it; each method's code is a return. */
void classmaker_make(struct buf *to, const struct made_class *made);

#endif
