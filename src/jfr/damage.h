/*
 * damage.h - what could not be read, and where.
 *
 * Reading goes on after a fault; each kind of fault is told once, with the place
 * of its first occurrence and a count. Kinds are told apart by the text of the
 * cause, which must be a string literal. Not for threads to share: each has its
 * own, merged in order.
 */
#ifndef JFR_DAMAGE_H
#define JFR_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct fault {
	const char *cause;	/* "event is shorter than its fields" */
	char type[96];		/* event type or pool of the first one, may be "" */
	size_t chunk;		/* 0-based */
	uint64_t at;		/* byte offset in the file */
	uint64_t count;
};

struct damage {
	VEC(struct fault) faults;
	size_t lost_chunks;	/* left out, because they could not be opened */
	struct err lost;	/* why, of the first of them */
	struct err stop;	/* why reading ended too early; ERR_NONE: it did not */
};

void damage_add(struct damage *damage, const char *cause, struct str type, size_t chunk,
		uint64_t at);

/* A chunk is left out; `why` begins with where it is. */
void damage_add_chunk(struct damage *damage, const struct err *why);

/*
 * Adds all that `from` holds and empties it. Where only one can be told (the reason of
 * the first lost chunk, the end of reading) that of `damage` stays.
 */
void damage_merge(struct damage *damage, struct damage *from);

/* Nothing was lost. */
static inline bool damage_is_none(const struct damage *damage)
{
	return damage->faults.count == 0 && damage->lost_chunks == 0 &&
	       damage->stop.kind == ERR_NONE;
}

/* Gives the memory back: nothing was lost. */
void damage_clear(struct damage *damage);

#endif
