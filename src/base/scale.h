/*
 * scale.h - the unit behind a number: kB, MiB, GHz.
 */
#ifndef BASE_SCALE_H
#define BASE_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* One that a unit can have: the names of it, in small letters, with blanks between. */
struct scale {
	unsigned step;		/* from k to M to G: 1000, or 1024, where "i" may follow */
	const char *names;
};

extern const struct scale scale_of_bytes;

/*
 * How many of the smallest unit that is; 1 if there is no text. Case does not matter.
 * False if the scale has no such name.
 */
bool scale_read(const struct scale *scale, struct str text, uint64_t *factor);

#endif
