/*
 * numbers.h - numbers of types and metadata that mean the same in all chunks.
 *
 * The JDK keeps constants by the number of their type, from one chunk to the next, and
 * assumes that it stays the same type. It does not read metadata that has the number of
 * that before. Chunks of different programs, joined in one file, make it stop. So a
 * type whose number belonged to another one before gets a new number, which is the same
 * for the same name, fields (layout.h) and old number; and so does metadata that differs
 * from that before.
 *
 * Where recordings are merged, the same key may stand for something else in the next
 * chunk. There types are told apart by the space that their keys belong to, too; and
 * event types of the same name have the same number, by which the JDK counts events.
 */
#ifndef COPY_NUMBERS_H
#define COPY_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "copy/accept.h"
#include "jfr/pool.h"

/* A zeroed struct is a valid one that knows no types. */
struct numbers {
	struct map names;		/* from a type's number to a hash of what it is */
	bool has_metadata;
	int64_t metadata, body;		/* of the last chunk: the number, and a hash */
	/* Set before each chunk where recordings are merged, else zero. */
	const uint32_t *spaces;		/* of the types' keys, by type index */
	bool is_foreign;		/* not of the run of the first chunk */
	/* Of event types there; else empty. */
	struct map event_names;		/* from a number to a hash of its name */
	struct map event_places;	/* from that hash to a place in event_numbers */
	VEC(int64_t) event_numbers;
};

/*
 * Changes accept->ids where that is needed, and remembers them. `pools` are the chunk's
 * (NULL: none). False: no memory.
 */
bool numbers_settle(struct numbers *numbers, struct accept *accept,
		    struct pool *const *pools);

/* A number for metadata that is made of nothing but its body: all that is behind it. */
int64_t numbers_of_body(struct str body);

/* The same for metadata whose types got the numbers in accept->ids. */
int64_t numbers_of_types(struct str body, const struct accept *accept);

/* The number for metadata that had this one: the same, if that can be. */
int64_t numbers_metadata(struct numbers *numbers, int64_t number, struct str body);

void numbers_clear(struct numbers *numbers);

#endif
