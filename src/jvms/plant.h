/*
 * plant.h - a folder of ours where a JVM may read and write: below its root, its user's.
 *
 * In the first of these that will do: its TMPDIR, /tmp, /dev/shm, /var/tmp, its current
 * directory. None that others may change, as they could put theirs in the place of ours;
 * for a library none that is mounted noexec. The name is random, the mode 0700.
 */
#ifndef JVMS_PLANT_H
#define JVMS_PLANT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "jvms/visit.h"

#define PLANT_FOLDER "cjfr-for-"	/* the JVM's number, and what is random, follow */

struct plant {
	int parent, folder;		/* descriptors; -1 */
	char *inside;			/* its path for the JVM */
	char name[64];			/* in the parent */
};

/*
 * Which of the places was looked at last, and what was wrong with those before: zeroed,
 * it begins with the first; buf_clear tried.
 */
struct plant_search {
	size_t place;
	struct buf tried;
};

/*
 * The next place that will do, as the JVM's user. False: ERR_SYSTEM with all that was tried.
 */
bool plant_make(struct plant *plant, struct plant_search *search,
		const struct visit *visit, bool is_for_library, struct err *err);

/*
 * Copies a library (a descriptor) into it, under that name. False: what was wrong is added
 * to search, and the plant is removed.
 */
bool plant_copy(struct plant *plant, struct plant_search *search, int library,
		const char *name);

/* It did not do for another reason. */
void plant_reject(struct plant *plant, struct plant_search *search, const char *why);

/* Removes it, with the files in it. */
void plant_remove(struct plant *plant);

#endif
