/*
 * mend.h - metadata as the JDK's own readers accept it.
 *
 * Annotations and settings that they refuse are left out, and so are second types with
 * the same number. A type of which nothing can be read stays, as others may refer to
 * it, but has no fields and is no event. Missing parts are added. What events and
 * constants that can be read look like on disk, and what they mean, does not change. A
 * tree that was mended does not change any more.
 */
#ifndef COPY_MEND_H
#define COPY_MEND_H

#include <stdbool.h>

#include "base/arena.h"
#include "copy/accept.h"
#include "jfr/element.h"

/* What was done to a tree. */
enum mend {
	MEND_NOTHING,
	MEND_FORMS,	/* fields are declared otherwise (accept_form): by chance their */
			/* values would be read, but not shown */
	MEND_ALL,	/* else the JDK would refuse it, or read something else */
};

/*
 * The tree mended: a copy in the arena, which borrows texts; the one given is the one
 * that the metadata in `accept` was read from. NULL: no memory.
 */
const struct element *mend_tree(const struct element *root, const struct accept *accept,
				struct arena *arena, enum mend *done);

#endif
