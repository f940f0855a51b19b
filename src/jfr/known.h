/*
 * known.h - metadata met before in the same recording.
 *
 * Chunks of one run mostly repeat the same metadata. What is equal byte for byte
 * is decoded once and shared: a recording of a thousand small chunks costs the
 * memory of one.
 */
#ifndef JFR_KNOWN_H
#define JFR_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "jfr/metadata.h"

/* More than a few in one recording, or large ones, stay with their chunks. */
#define KNOWN_MAX 8
#define KNOWN_BYTES_MAX ((size_t)48 << 20)

struct known_entry {
	struct str body;	/* of the event, behind its id; in the arena */
	struct metadata metadata;
	struct arena arena;
};

struct known {
	struct known_entry entries[KNOWN_MAX];
	size_t count;
	size_t bytes;		/* of all arenas */
	const struct known_entry *newest;	/* what was added or found last; NULL: none */
};

/*
 * Gives a copy of the struct, whose memory stays with `known`; false if there is
 * none with that body.
 */
bool known_find(struct known *known, struct str body, struct metadata *metadata);

/*
 * Takes metadata and arena over; false, and nothing taken, if it has no room. `body` must
 * lie in the arena.
 */
bool known_add(struct known *known, struct str body, const struct metadata *metadata,
	       struct arena *arena);

void known_clear(struct known *known);

#endif
