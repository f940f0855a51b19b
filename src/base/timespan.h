/*
 * timespan.h - lengths of time as people write them: 20ms, 1.5 s, 1h30m, PT1M30S.
 *
 * Units are d, h, m (or min), s, ms, us and ns, the largest first and each once, with
 * or without blanks between. ISO 8601 is read as Java writes it, where each part may
 * have a sign. All that `print` shows can be read again.
 */
#ifndef BASE_TIMESPAN_H
#define BASE_TIMESPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/*
 * The text as nanoseconds; what is less than one is cut off. A number without a unit
 * is an error unless it is zero, and so is what does not fit 64 bits: ERR_USAGE, the
 * text says why. *is_negative (may be NULL) tells of a minus in front, also of "-0s".
 */
bool timespan_parse(struct str text, int64_t *nanos, bool *is_negative,
		    struct err *err);

#endif
