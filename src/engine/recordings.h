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
#include <stdint.h>

#include "base/vec.h"
#include "control/eventsettings.h"
#include "control/facts.h"
#include "control/orders.h"
#include "jfr/sieve.h"

/* What a recording wanted from a chunk on, and whether others wanted more. */
struct recording_wish {
	uint64_t chunk;			/* number of the first */
	bool is_all;			/* all that is in it is wanted */
	struct sieve sieve;
};

struct recording {
	uint64_t id;
	struct orders orders;		/* its own */
	struct event_settings settings;	/* of these */
	enum facts_state state;
	struct str why;			/* FACTS_FAILED; in the orders' arena */
	int64_t begun, ended;		/* nanoseconds since 1970; 0: not yet */
	int64_t due;			/* ticks when it begins, or ends; INT64_MAX: never */
	uint64_t first, last;		/* chunks by number: those between, inclusive */
	uint64_t lost_before;		/* events the store had lost when it began */
	VEC(struct recording_wish) wishes;
};

struct recordings {
	VEC(struct recording *) all;	/* by id */
	uint64_t next_id;
	struct event_settings united;	/* of those that run */
	struct arena texts;		/* of these */
};

#endif
