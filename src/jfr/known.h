/*
 * known.h - metadata met before.
 *
 * Chunks of a run mostly repeat the same metadata, and so do those of other runs of the
 * same JDK. What is equal byte for byte is decoded once and shared: a recording of a
 * thousand small chunks costs the memory of one. What was met last is remembered; and
 * it lives as long as somebody holds it. Any thread may let go of it, all else is for
 * one at a time.
 */
#ifndef JFR_KNOWN_H
#define JFR_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/shared.h"
#include "base/str.h"
#include "jfr/metadata.h"

/* More than a few are forgotten, as are large ones. */
#define KNOWN_MAX 8
#define KNOWN_BYTES_MAX ((size_t)48 << 20)

struct known_entry {
	struct str body;	/* of the event, behind its id; in the arena */
	struct metadata metadata;
	struct arena arena;
	struct shared shared;
};

struct known {
	struct known_entry *entries[KNOWN_MAX];	/* what was met last comes first */
	size_t count;
	size_t bytes;		/* of all arenas */
};

/* What has that body, held for the caller; NULL if there is none. */
struct known_entry *known_find(struct known *known, struct str body);

/*
 * Takes metadata and arena over, and holds them for the caller, too. NULL, and nothing
 * taken, if that is too much to be remembered. `body` must lie in the arena.
 */
struct known_entry *known_add(struct known *known, struct str body,
			      const struct metadata *metadata, struct arena *arena);

void known_hold(struct known_entry *entry);

/* Also of NULL. */
void known_release(struct known_entry *entry);

/* Forgets all. */
void known_clear(struct known *known);

#endif
