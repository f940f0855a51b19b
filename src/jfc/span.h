/*
 * span.h - timespans as they stand in settings: a number, a blank, a unit.
 *
 * "20ms" and "20 ms" are both "20 ms" there. Only whole numbers with one unit are; see
 * base/timespan.h for what people write elsewhere.
 */
#ifndef JFC_SPAN_H
#define JFC_SPAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/*
 * The timespan as it stands in settings, in the arena. False with ERR_USAGE and what is
 * wrong, or with ERR_MEMORY.
 */
bool span_read(struct str text, struct arena *arena, struct str *span, struct err *err);

#endif
