/*
 * identifier.h - the characters of Java's names, as JDK 25 has them (Unicode 16).
 */
#ifndef JFC_IDENTIFIER_H
#define JFC_IDENTIFIER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Character.isJavaIdentifierPart of a code point. */
bool identifier_is_part(uint32_t point);

/* True for what a Java program can use as a name: `int` and `_` are none. */
bool identifier_is(struct str name);

#endif
