/*
 * own.h - the texts of the views that come with the program: views/jdk.view and
 * views/ours.view, as src/embed has made them into C.
 */
#ifndef QUERY_OWN_H
#define QUERY_OWN_H

#include "base/str.h"

extern const struct str own_jdk, own_ours;

#endif
