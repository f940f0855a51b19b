/*
 * filter.h - which event types are wanted.
 *
 * The grammar is the JDK's: patterns separated by commas, `*` any run, `?` one
 * character. An event matches by its full name or the part after the last dot, a
 * category by its name or its acronym ("JVM" for "Java Virtual Machine").
 */
#ifndef JFR_FILTER_H
#define JFR_FILTER_H

#include <stdbool.h>

#include "base/str.h"
#include "jfr/metadata.h"

/* Bytes NULL: no such condition. Both conditions must hold; zeroed takes all. */
struct filter {
	struct str events;
	struct str categories;
};

bool filter_accepts(const struct filter *filter, const struct type *type);

#endif
