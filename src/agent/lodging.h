/*
 * lodging.h - the folder that an agent lives in, where others find it.
 *
 * One that was attached makes its own, as the folder of a session (control/places.h):
 * locked as long as it is there, and its repositories are in it. One that was launched
 * lives in its repository, whose lock is kept by others.
 */
#ifndef AGENT_LODGING_H
#define AGENT_LODGING_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/fileid.h"

struct lodging {
	char path[PATH_MAX];
	bool is_own;
	int lock;			/* of its own: the folder's descriptor; -1: none */
	struct fileid lock_id;
};

/*
 * Makes one in `base`; NULL: in $TMPDIR, or if that cannot be, in /tmp. ERR_SYSTEM with
 * errno.
 */
bool lodging_make(struct lodging *lodging, const char *base, struct err *err);

/* That folder, which somebody else made. */
void lodging_at(struct lodging *lodging, const char *path);

/* For now and then: locks it again if others closed our descriptor. */
void lodging_hold_again(struct lodging *lodging);

/* Removes one of its own, unless a repository is left in it. False: that stays, unlocked. */
bool lodging_leave(struct lodging *lodging);

#endif
