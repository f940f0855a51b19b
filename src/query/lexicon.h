/*
 * lexicon.h - things, each kept once.
 */
#ifndef QUERY_LEXICON_H
#define QUERY_LEXICON_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "query/datum.h"

struct lexicon_entry {
	const struct thing *thing;
	uint32_t older;			/* with the same digest; MAP_NONE: none */
};

struct lexicon_import;

/* Zeroed: empty. Not for threads to share. */
struct lexicon {
	struct map places;		/* digest -> index of the newest with it */
	VEC(struct lexicon_entry) entries;
	struct arena arena;
	uint64_t mark;			/* in all its things; seed of digests, secret */
	struct lexicon_import *imports;	/* the latest, by place of the foreign thing */
	VEC(const struct thing *) frames;	/* of a stack that is being imported */
};

/*
 * The thing with this content, which is copied if it is new. Its method and frames must be
 * of this lexicon. NULL without memory.
 */
const struct thing *lexicon_add(struct lexicon *lexicon, const struct thing *content);

/* A text; bytes NULL gives DATUM_NONE. Without memory, arena.failed is set. */
struct datum lexicon_text(struct lexicon *lexicon, struct str text);

/*
 * The same value in terms of this lexicon, of one that comes from another. A list is
 * copied; it holds no lists. Without memory, DATUM_NONE, and arena.failed is set.
 */
struct datum lexicon_import(struct lexicon *lexicon, const struct datum *foreign);

/* Room for a list of so many, to be filled by the caller; NULL without memory. */
struct datum_list *lexicon_list(struct lexicon *lexicon, size_t count);

/* Forgets all things, but keeps memory for more. */
void lexicon_reset(struct lexicon *lexicon);

void lexicon_clear(struct lexicon *lexicon);

#endif
