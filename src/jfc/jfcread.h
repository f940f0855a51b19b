/*
 * jfcread.h - .jfc files, read.
 *
 * They are XML in UTF-8, and come from anywhere: size and depth are limited, and
 * nothing outside the file is looked at, whatever it refers to.
 */
#ifndef JFC_JFCREAD_H
#define JFC_JFCREAD_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "jfc/configuration.h"

/* A larger file is none. */
#define JFCREAD_SIZE_MAX ((size_t)4 << 20)

/*
 * Reads a file and joins it to the others. False with ERR_FORMAT, "line 12: cause", or
 * with ERR_MEMORY; then what is in `all` is good for nothing but configuration_clear.
 */
bool jfcread(struct configuration *all, struct str text, struct err *err);

#endif
