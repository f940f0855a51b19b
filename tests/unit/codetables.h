/*
 * codetables.h - the attributes of a method's code, beside what was made of them. A
 * part of strip.
 */
#ifndef UNIT_CODETABLES_H
#define UNIT_CODETABLES_H

#include "aligned.h"

/*
 * Lines, variables and annotations of types are where they were, by instruction; other
 * attributes are the same; a StackMapTable is there if one was there.
 */
bool codetables_check(const struct aligned *aligned, struct err *err);

#endif
