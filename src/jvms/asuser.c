#include "jvms/asuser.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void asuser_end(struct asuser *asuser)
{
	int error = errno;

	if (asuser->is_other) {
		/* The real and the saved user are root all the time: it cannot fail. */
		if (seteuid(0) == 0 && setegid(asuser->gid) == 0)
			(void)!setgroups((size_t)asuser->count, asuser->groups);
		free(asuser->groups);
	}
	memset(asuser, 0, sizeof(*asuser));
	errno = error;
}

static bool keep_groups(struct asuser *asuser)
{
	asuser->gid = getegid();
	asuser->count = getgroups(0, NULL);
	if (asuser->count < 0)
		return false;
	asuser->groups = calloc((size_t)asuser->count + 1, sizeof(*asuser->groups));
	return asuser->groups &&
	       getgroups(asuser->count, asuser->groups) == asuser->count;
}

bool asuser_begin(struct asuser *asuser, uid_t uid, gid_t gid, struct err *err)
{
	memset(asuser, 0, sizeof(*asuser));
	if (geteuid() != 0 || (uid == 0 && gid == getegid()))
		return true;
	if (!keep_groups(asuser)) {
		free(asuser->groups);
		return err_memory(err);
	}
	asuser->is_other = true;
	if (setgroups(0, NULL) == 0 && setegid(gid) == 0 && seteuid(uid) == 0)
		return true;
	asuser_end(asuser);
	return err_system(err,
			  "what is user %u's can only be done in that user's place, "
			  "and that is not allowed here",
			  (unsigned)uid);
}

char *asuser_name(uid_t uid)
{
	struct passwd *user = getpwuid(uid);
	char *name;

	if (user && *user->pw_name)
		return strdup(user->pw_name);
	return asprintf(&name, "%u", (unsigned)uid) < 0 ? NULL : name;
}
