/*
 * splice.h - the instructions of a method, written to their new places.
 */
#ifndef CLASSFILE_SPLICE_H
#define CLASSFILE_SPLICE_H

#include "base/buf.h"
#include "classfile/layout.h"

/* Appends prologue and old code, with `exit` before each return, as the layout says. */
void splice_code(const struct layout *layout, struct str prologue, struct str exit,
		 struct buf *to);

#endif
