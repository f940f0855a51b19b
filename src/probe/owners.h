/*
 * owners.h - the classes that have methods with probes, or may come to have them.
 *
 * They are found by loader and name, by the key that they get when they are ready, and all
 * of a loader. Each has an index while it is known. A zeroed table is empty, but for the
 * limits of `waiting`. Not for threads to share.
 */
#ifndef PROBE_OWNERS_H
#define PROBE_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "classfile/classfile.h"
#include "probe/counters.h"
#include "probe/outcome.h"
#include "probe/waiting.h"

struct owner_method {
	struct str name, descriptor;
	uint16_t access;
	unsigned kinds;
	unsigned kinds_before;		/* until the class is looked at in this run */
	uint32_t id;
	struct outcomes outcomes;
	struct counter before;		/* what it had when it was to be counted anew */
};

struct owner {
	uint64_t loader;
	uint64_t key;			/* 0: not ready */
	struct str name;		/* of the arena, as all texts here */
	bool is_left, is_asked;
	bool has_probes;		/* was made with some, and not without since */
	unsigned run;			/* in which its bytes were seen last (probed.h) */
	VEC(struct owner_method) methods;
	struct arena arena;
	uint32_t next;			/* of the same hash */
	uint32_t before, behind;	/* of the same loader */
	struct waiter waiter;		/* if it is new, and not taken */
};

struct owners {
	VEC(struct owner *) all;	/* NULL: free */
	VEC(uint32_t) free;
	struct map by_name;		/* hash of loader and name: the first */
	struct map by_key;
	struct map by_loader;		/* the first */
	struct waiting waiting;
};

/* MAP_NONE: it is not known. */
uint32_t owners_find(const struct owners *owners, uint64_t loader, struct str name);

/* The one that is known, or a new one, that may wait to be taken. MAP_NONE without memory. */
uint32_t owners_add(struct owners *owners, uint64_t loader, struct str name, bool waits);

/* It waits no more, ready or not. */
void owners_stay(struct owners *owners, uint32_t at);

/* It is ready, with that key. Without memory it has none. */
void owners_bind(struct owners *owners, uint32_t at, uint64_t key);

/* It is of that loader now, and has no key. Without memory false, and it is as it was. */
bool owners_move(struct owners *owners, uint32_t at, uint64_t loader);

/* It is not known any more. */
void owners_remove(struct owners *owners, uint32_t at);

/* NULL: it is not known. */
struct owner_method *owners_find_method(struct owner *owner, struct str name,
					struct str descriptor);

/* A new one, behind the others; it has no number yet. NULL without memory. */
struct owner_method *owners_add_method(struct owner *owner,
				       const struct classfile_method *of);

void owners_clear(struct owners *owners);

#endif
