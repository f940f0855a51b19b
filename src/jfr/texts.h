/*
 * texts.h - whether the strings in a value can be read.
 */
#ifndef JFR_TEXTS_H
#define JFR_TEXTS_H

#include <stdbool.h>

#include "jfr/cursor.h"
#include "jfr/value.h"

/*
 * Goes past one value of the program. False if it does not fit; or has a string that is
 * no UTF-8 (utf_is_java) where it should be, or is a key: there is no pool of strings.
 */
bool texts_check(const struct program *program, struct cursor *cursor);

#endif
