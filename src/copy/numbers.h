/*
 * numbers.h - numbers of types and metadata that mean the same in all chunks.
 *
 * The JDK keeps constants by the number of their type, from one chunk to the next, and
 * assumes that it stays the same type. It does not read metadata that has the number of
 * that before. Chunks of different programs, joined in one file, make it stop. So a type
 * whose number belonged to another one before gets a new number, for the same name the
 * same; and so does metadata that differs from that before.
 */
#ifndef COPY_NUMBERS_H
#define COPY_NUMBERS_H

#include <stdbool.h>

#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "copy/accept.h"

/* A zeroed struct is a valid one that knows no types. */
struct numbers {
	struct map names;		/* from a type's number to a hash of its name */
	bool has_metadata;
	int64_t metadata, body;		/* of the last chunk: the number, and a hash */
};

/* Changes accept->ids where that is needed, and remembers them. False: no memory. */
bool numbers_settle(struct numbers *numbers, struct accept *accept);

/* A number for metadata that is made of nothing but its body: all that is behind it. */
int64_t numbers_of_body(struct str body);

/* The number for metadata that had this one: the same, if that can be. */
int64_t numbers_metadata(struct numbers *numbers, int64_t number, struct str body);

void numbers_clear(struct numbers *numbers);

#endif
