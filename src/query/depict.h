/*
 * depict.h - what a chunk holds, as values that do not need it any more.
 *
 * Each constant is looked at once. Nothing refers back: the thing made of a thread, a
 * method or a stack trace holds its texts. Not for threads to share.
 */
#ifndef QUERY_DEPICT_H
#define QUERY_DEPICT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "jfr/chunk.h"
#include "jfr/object.h"
#include "query/datum.h"
#include "query/lexicon.h"
#include "query/plan.h"

/* What is decoded for one event, at most; more is cut. */
#define DEPICT_EVENT_MAX ((size_t)16 << 20)

/* Of the constants of a type what an input has of each. */
struct recall {
	const struct type *type;
	enum reach reach;
	struct str path;		/* of the input, behind the constant */
	struct map places;		/* key -> index in data */
	VEC(struct datum) data;
};

struct depict {
	const struct chunk *chunk;
	struct lexicon *lexicon;
	struct recall **plain;		/* by type index: the constants themselves */
	VEC(struct recall *) recalls;	/* all */
	struct arena arena;		/* recalls */
	struct arena scratch;		/* what is decoded for one value */
	struct buf text, compact;
	bool failed;			/* no memory, but for scratch: it tells by itself */
};

/*
 * For a chunk, whose constants must be loaded before any is asked for. False without
 * memory; close it all the same.
 */
bool depict_open(struct depict *depict, const struct chunk *chunk,
		 struct lexicon *lexicon);

void depict_close(struct depict *depict);

/* Where it is kept what that input has of constants of a type; NULL without memory. */
struct recall *depict_recall(struct depict *depict, const struct type *type,
			     enum reach reach, struct str path);

/* The same of one constant; null if it is missing. */
struct datum depict_constant(struct depict *depict, struct recall *recall,
			     uint64_t key);

/* A value of a field; of one that refers to a constant, that. */
struct datum depict_value(struct depict *depict, const struct field *field,
			  const struct value *value);

/* What an input has of an object that is not a constant: behind the path from there. */
struct datum depict_object(struct depict *depict, const struct object *object,
			   enum reach reach, struct str path);

#endif
