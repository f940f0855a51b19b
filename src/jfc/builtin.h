/*
 * builtin.h - the texts of the configurations that come with the program:
 * jfc/default.jfc and jfc/profile.jfc, as src/embed has made them into C.
 */
#ifndef JFC_BUILTIN_H
#define JFC_BUILTIN_H

#include "base/str.h"

extern const struct str own_default, own_profile;

#endif
