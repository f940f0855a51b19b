/*
 * repository.h - the folder of a recording's chunk files.
 *
 *	BASE/2026_11_29_22_07_32_640/2026_11_29_22_07_32.jfr
 *
 * as HotSpot names them (format.md 8.2): local time, pid; "_1" where that exists, and
 * "_01" for the second file of a second. Mode 0700, files 0600. Who has a file is
 * known to recordings.h: one goes when nobody has it.
 */
#ifndef ENGINE_REPOSITORY_H
#define ENGINE_REPOSITORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fileid.h"
#include "base/vec.h"

struct chunkfile {
	char *path;
	uint64_t number;		/* from 1 on, in the repository never used again */
	uint64_t size;			/* bytes so far */
	int64_t end_nanos;		/* since 1970; 0: being written */
	unsigned epoch;			/* the first of which it has events */
};

struct repository {
	char *path;
	VEC(struct chunkfile) files;	/* oldest first */
	uint64_t size;			/* of all of them */
	uint64_t number;		/* of the newest there was; 0: there was none */
	int lock;			/* the folder's descriptor; -1: none */
	struct fileid lock_id;
};

/*
 * Makes the folder, and the base if it is not there. ERR_SYSTEM names it. From here on
 * others see by its lock (flock) that it is being written; a child that the process
 * forks has that, too, until it ends or becomes another program.
 */
bool repository_open(struct repository *repository, const char *base, struct err *err);

/* A new chunk file, for a chunk that starts then: its descriptor, or -1 with err. */
int repository_begin(struct repository *repository, int64_t start_nanos, unsigned epoch,
		     struct err *err);

/* The file of repository_begin has this size now; end_nanos not 0: it is complete. */
void repository_grown(struct repository *repository, uint64_t size, int64_t end_nanos);

/* Removes complete files that nobody has. */
void repository_retain(struct repository *repository,
		       bool (*has_somebody)(const void *context, uint64_t number),
		       const void *context);

/* Removes the file of the last repository_begin: nothing came of it. */
void repository_abandon(struct repository *repository);

/* The file of the last repository_begin; NULL: there was none. */
const char *repository_last(const struct repository *repository);

/*
 * For now and then: locks it again if others closed our descriptor, and nobody has the
 * lock. Nothing else changes.
 */
void repository_lock_again(struct repository *repository);

/* It is not being written any more. */
void repository_unlock(struct repository *repository);

/* Frees memory, and unlocks; the folder stays. */
void repository_close(struct repository *repository);

#endif
