/*
 * calls.h - whose static methods a class calls.
 *
 * By its instructions: what a JVM shows of a class that was changed and is as it was again
 * has constants for calls that are there no more.
 */
#ifndef CLASSFILE_CALLS_H
#define CLASSFILE_CALLS_H

#include <stdbool.h>

#include "base/arena.h"
#include "classfile/classfile.h"

/*
 * True if some method calls one of the class "a/b/C". Methods that cannot be read, as any
 * without memory, call none. Leaves memory to the arena.
 */
bool calls_static_of(const struct classfile *file, struct str class_name,
		     struct arena *arena);

#endif
