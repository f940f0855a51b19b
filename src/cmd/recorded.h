/*
 * recorded.h - the repository of a JVM becomes its recording, and what is said of it.
 */
#ifndef CMD_RECORDED_H
#define CMD_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/command.h"

enum recorded_how {
	RECORDED_FAILED,	/* a message says why */
	RECORDED_NOTHING,	/* there is nothing to write, and nothing was told */
	RECORDED_WRITTEN,
};

struct recorded {
	uint64_t chunks, events, bytes;
	bool is_unfinished;	/* the JVM had not written all of it; the rest was */
	bool is_complete;	/* and what it had not written is there, too */
};

/*
 * Writes it to the path, "-" is standard output, as assemble does: what a JVM that was
 * killed left unfinished is finished. `spill` is the spill file of a JVM that is no more,
 * which has what is in no file yet; -1: nothing is read but files. Damage is told.
 */
enum recorded_how recorded_write(const struct invocation *invocation,
				 const char *repository, int spill, const char *path,
				 bool is_quiet, struct recorded *recorded);

/* The same of several recordings, or folders of chunk files, as one: as merge does. */
enum recorded_how recorded_merge(const struct invocation *invocation,
				 const char *const *paths, size_t count,
				 const char *path, bool is_quiet,
				 struct recorded *recorded);

#endif
