/*
 * tables.h - attributes of code that tell where something is: moved along with it.
 *
 * LineNumberTable, LocalVariableTable, LocalVariableTypeTable, annotations of types. No
 * JVM needs them to run the code, but it checks the first three, and does not take a class
 * where one is not what it should be. Annotations that are not are left out, as is what
 * nobody here knows: what it tells would be wrong. So are single ranges that are not from
 * one instruction to another, in classes old enough for JVMs to take them.
 */
#ifndef CLASSFILE_TABLES_H
#define CLASSFILE_TABLES_H

#include "base/buf.h"
#include "base/str.h"
#include "classfile/layout.h"

enum tables_result {
	TABLES_DONE,
	TABLES_LEFT_OUT,		/* none of these, or damaged, and no JVM minds */
	TABLES_DAMAGED,			/* a JVM does not take it */
};

/* Appends the content of the attribute, moved; nothing if it is not done. */
enum tables_result tables_write(const struct layout *layout, struct str name,
				struct classfile_part content, struct buf *to);

#endif
