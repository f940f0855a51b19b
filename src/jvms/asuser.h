/*
 * asuser.h - root, for a while in the place of another user.
 *
 *	if (asuser_begin(&asuser, uid, gid, &err)) {
 *		... files and connections are that user's ...
 *		asuser_end(&asuser);
 *	}
 *
 * Effective ids, and no groups but that one: what that user may not do, we do not do
 * either, and what another one has laid for him does no more to us than to him. The real
 * ids stay ours, so he can neither stop nor trace us meanwhile. All threads of the
 * process change with it.
 */
#ifndef JVMS_ASUSER_H
#define JVMS_ASUSER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct asuser {
	bool is_other;		/* and has to be undone */
	gid_t gid;		/* that were ours */
	gid_t *groups;
	int count;
};

/*
 * Nothing happens if we are that user, or are not root: then we stay who we are. False:
 * ERR_SYSTEM, ERR_MEMORY, and we are who we were.
 */
bool asuser_begin(struct asuser *asuser, uid_t uid, gid_t gid, struct err *err);

/* Leaves errno as it was. */
void asuser_end(struct asuser *asuser);

/* The name of a user, or the number; freed by the caller. NULL without memory. */
char *asuser_name(uid_t uid);

#endif
