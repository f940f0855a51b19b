/*
 * types.h - the metadata of a chunk that is written again.
 *
 * It stays as it is if it can: if the JDK's readers accept it (accept.h, mend.h), and its
 * numbers mean what they meant in the chunks before (numbers.h).
 */
#ifndef COPY_TYPES_H
#define COPY_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "copy/accept.h"
#include "copy/mend.h"
#include "copy/numbers.h"
#include "jfr/chunk.h"
#include "jfr/element.h"

struct types {
	struct accept accept;
	struct str event;	/* as it lies in the chunk; bytes NULL: that is of no use */
	const struct element *tree;	/* to be written instead, if that has to be */
	int64_t id;			/* with this number */
	enum mend mended;	/* because of the JDK */
	bool is_renumbered;	/* types mean something else than in the chunks before */
	bool is_taken;		/* so does the number of all of it */
};

/*
 * All lives in the arena, and borrows from the chunk, whose pools are loaded. False with
 * err.
 */
bool types_read(struct types *types, const struct chunk *chunk, struct numbers *numbers,
		struct arena *arena, struct err *err);

/* True if the event can be written as it lies in the chunk. */
bool types_are_as_they_were(const struct types *types);

#endif
