/*
 * tables.h - attributes of code that tell where something is: moved along with it.
 *
 * LineNumberTable, LocalVariableTable, LocalVariableTypeTable, annotations of types. No
 * JVM needs them to run the code. So a table that is not what it should be is no fault,
 * but is left out, as is one that nobody here knows: what it tells would be wrong.
 */
#ifndef CLASSFILE_TABLES_H
#define CLASSFILE_TABLES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "classfile/layout.h"

/*
 * Appends the content of the attribute, moved. False, and nothing is appended: it is none
 * of these, or is damaged.
 */
bool tables_write(const struct layout *layout, struct str name,
		  struct classfile_part content, struct buf *to);

#endif
