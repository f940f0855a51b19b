/*
 * codetables.h - the attributes of a method's code, beside what was made of them. A
 * part of strip.
 */
#ifndef UNIT_CODETABLES_H
#define UNIT_CODETABLES_H

#include "aligned.h"

/*
 * Lines, variables and annotations of types are where they were, by instruction; a
 * StackMapTable is there if one was there. Of other attributes, and of tables that are
 * damaged, nobody can say what is to become of them.
 */
bool codetables_check(const struct aligned *aligned, struct err *err);

#endif
