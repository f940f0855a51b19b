/*
 * flush.h - from the buffers to where events go: part of the recorder.
 *
 *	store ──drain──> batch ──put──> chunk file, or what is kept
 *
 * A batch is a flush (jfr/spill.h): all of it counts, or nothing. All functions run
 * under the recorder's lock.
 */
#ifndef ENGINE_FLUSH_H
#define ENGINE_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/recorderdata.h"

/*
 * What is taken from buffers as a flush; where no room is for all, there may be for
 * some.
 */
#define BATCH_SIZE ((size_t)256 << 10)

/* What is done otherwise on disk and in memory. */
struct recorder_way {
	/* A chunk begins; then, when observers have started or know of it, they tell. */
	bool (*begin)(struct recorder *recorder, struct instant at, struct err *err);
	void (*first)(struct recorder *recorder, int64_t now);
	/* Takes the batch, which is not empty, as a flush that is not announced yet. */
	bool (*put)(struct recorder *recorder, int64_t now, struct err *err);
	/* After each flush of a round: true if it is time for a new chunk; or a new epoch. */
	bool (*turn)(struct recorder *recorder, int64_t now);
	/* Gives up what is too old or too much: the oldest epoch that is left. */
	unsigned (*retain)(struct recorder *recorder, int64_t now);
	/* A chunk ends: what comes from here on is the end of it, on disk. */
	bool (*finish)(struct recorder *recorder, int64_t now, struct err *err);
	/* Writes what would be lost otherwise. */
	bool (*write)(struct recorder *recorder, int64_t now, struct err *err);
};

/* A line for the log. */
void recorder_say(const struct recorder *recorder, const char *text);

/* A new epoch; what is known of constants first, so that no event of it asks before. */
void flush_flip(struct recorder *recorder, int64_t now);

/* All that was committed goes its way, and what observers told. */
bool flush_all(struct recorder *recorder, int64_t now, struct err *err);

/* The same to nowhere: nobody wants it. */
void flush_nowhere(struct recorder *recorder);

/* Only what observers told. */
bool flush_told(struct recorder *recorder, struct err *err);

#endif
