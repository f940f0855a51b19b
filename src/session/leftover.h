/*
 * leftover.h - what recordings left behind that nobody uses any more.
 *
 * These are folders of sessions (control/places.h) with the repositories in them, and
 * repositories that lie by themselves, if there is something of ours in one: a spill
 * file, or a log. All who use one of these folders have it locked (flock), so what can
 * be locked is left behind. Only what belongs to this user counts; for root, all. A
 * folder with anything in it that is none of ours is left alone, as a whole, as are all
 * repositories of the JVM's own recorder.
 */
#ifndef SESSION_LEFTOVER_H
#define SESSION_LEFTOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

struct leftover {
	char *path;			/* of a repository; of a session that has none */
	char began[24];			/* "2026-11-30T11:00:00", local time of then */
	long pid;			/* 0: not known */
	uint64_t size;			/* bytes that the files in it take */
	bool has_recording;		/* events may be had from it */
	bool has_others;		/* something in it is none of ours: it stays */
	bool is_removed;
};

/* A zeroed struct has none. */
struct leftovers {
	VEC(struct leftover) all;	/* by path */
	size_t in_use;			/* folders that were left alone as somebody uses them */
	bool failed;			/* no memory */
};

/*
 * All that lie in the folder; where they `shall_go`, they are removed, each while it is
 * locked: what is not could not be. ERR_SYSTEM: the folder cannot be read; ERR_MEMORY. In
 * any case: leftovers_clear.
 */
bool leftovers_find(struct leftovers *leftovers, const char *base, bool shall_go,
		    struct err *err);
void leftovers_clear(struct leftovers *leftovers);

#endif
