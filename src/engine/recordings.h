/*
 * recordings.h - the recordings that a recorder makes at once: part of the recorder.
 *
 * All write into the same chunks: settings are united, and each event is written once. A
 * recording has those chunks that were begun while it ran, as long as its limits let
 * them; a new chunk begins whenever one starts, stops, or is set otherwise, so that all
 * of a chunk was wanted in the same way. A chunk file goes when nobody has it. Where
 * others wanted more than a recording did, its copy of the chunk goes through a
 * sieve (jfr/sieve.h).
 *
 * If a recording that runs goes to disk, all do; else what is kept in memory is kept
 * once, for the longest. Under the recorder's lock.
 */
#ifndef ENGINE_RECORDINGS_H
#define ENGINE_RECORDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "control/eventsettings.h"
#include "control/facts.h"
#include "control/orders.h"
#include "engine/repository.h"
#include "engine/wishes.h"

/* (A struct recording is one that is read: jfr/recording.h.) */
struct tape {
	uint64_t id;
	struct orders orders;		/* its own */
	struct event_settings settings;	/* of these */
	enum facts_state state;
	struct str why;			/* FACTS_FAILED; in the orders' arena */
	int64_t begun, ended;		/* nanoseconds since 1970; 0: not yet */
	int64_t due;			/* ticks when it begins, or ends; INT64_MAX: never */
	uint64_t first, last;		/* chunks by number: those between, inclusive */
	/* Events the store had lost when it began, and when it ended. */
	uint64_t lost_before, lost_after;
	/* It stopped by itself, and nothing was made of it yet; ticks when that is due. */
	bool is_news;
	int64_t news_due;
	struct wishes wishes;
};

struct recordings {
	VEC(struct tape *) all;	/* by id */
	uint64_t last_id;		/* the highest that was taken: by who begins one */
	struct event_settings united;	/* of those that run */
	struct arena texts;		/* of these */
};

/* What those that run want of chunks: the least of all. Zeroed: nobody runs. */
struct recordings_limits {
	size_t running;
	bool to_disk;			/* one does */
	int64_t flush_interval;
	uint64_t chunk_size;		/* bytes */
	int64_t chunk_age;
	int64_t kept_age;		/* of those in memory, the longest; 0: without limit */
	size_t kept_size;
};

/* Zeroed they are empty. */
void recordings_clear(struct recordings *recordings);

/*
 * Takes over the orders in any case; the new one, which does not run, is the last of
 * `all`. Its number is free: nobody else gets it when it has become last_id. NULL with ERR_USAGE: a setting that cannot be, or a name that is there;
 * ERR_MEMORY.
 */
struct tape *recordings_add(struct recordings *recordings, struct orders *orders,
				 struct err *err);

/* It is forgotten. */
void recordings_remove(struct recordings *recordings, struct tape *recording);

/* NULL: there is none. */
struct tape *recordings_find(const struct recordings *recordings, uint64_t id);

/* By name, else by number; as recorder_named says. */
const struct tape *recordings_named(const struct recordings *recordings,
					 struct str name, struct err *err);

/* "checkout", or "1" where it has no name: into `room` then. */
#define TAPE_NAME_ROOM 24
struct str tape_name(const struct tape *recording,
			  char room[TAPE_NAME_ROOM]);

/* Part of memory_size that a recording in memory keeps. */
size_t tape_kept_size(const struct orders *orders);

/*
 * Settings are put over its own; its orders are new ones then, and *old the former, to
 * be cleared when nobody has texts of them. ERR_USAGE, ERR_MEMORY: nothing changes.
 */
bool tape_set(struct tape *recording, const struct orders *orders,
		   struct orders *old, struct err *err);

/*
 * Unites the settings of those that run. Texts of before are in *old then, to be cleared
 * when nobody has any. False without memory: nothing changes.
 */
bool recordings_unite(struct recordings *recordings, struct arena *old);

struct recordings_limits recordings_limits(const struct recordings *recordings);

/*
 * What those that run want of the chunk with that number, and of those behind it:
 * `before` is what was united until then, which may be in that one, too. Without memory
 * they take all there is.
 */
void recordings_wish(struct recordings *recordings, const struct event_settings *before,
		     uint64_t chunk);

/* What is wanted of a chunk; NULL: all that is in it. */
static inline const struct sieve *tape_sieve(const struct tape *recording, uint64_t chunk)
{
	return wishes_sieve(&recording->wishes, chunk);
}

/* True if the chunk is one of its own. */
static inline bool tape_has(const struct tape *recording, uint64_t chunk)
{
	return recording->first <= chunk && chunk <= recording->last;
}

/*
 * Those that run give up chunks that are too old, or too much; and files go that nobody
 * has. `kept`: bytes that are in memory. Gives the epoch of the oldest file of those that
 * run; UINT_MAX: there is none.
 */
unsigned recordings_retain(struct recordings *recordings, struct repository *repository,
			   int64_t now_nanos, uint64_t kept);

#endif
