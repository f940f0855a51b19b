/*
 * rooted.h - files of another process, by the names that it has for them.
 *
 * Below its root, which may be any folder of ours, or of a container. Whatever is there
 * may be set up against us: links lead to nowhere else than they would lead that process,
 * never out of its root, and never through its /proc.
 */
#ifndef JVMS_ROOTED_H
#define JVMS_ROOTED_H

#include <stdbool.h>
#include <sys/types.h>

#include "jvms/process.h"

struct rooted {
	int fd;			/* its root, for paths alone */
	char *path;		/* what we call it; of another mount namespace: what that
				   one does */
};

/* False, with errno: EACCES: it is not for us. Zeroed then; rooted_end in any case. */
bool rooted_begin(struct rooted *rooted, const struct process *process);
void rooted_end(struct rooted *rooted);

/* Opens what the path, from its root, is to it; flags and mode as open has them. */
int rooted_open(const struct rooted *rooted, const char *path, int flags, mode_t mode);

/*
 * The same without openat2 (Linux 5.6), below a folder: any link on the way is ELOOP, any
 * ".." is EXDEV.
 */
int rooted_open_stepwise(int root, const char *path, int flags, mode_t mode);

/* True if its paths are not ours: another root, or other mounts. */
bool rooted_is_elsewhere(const struct process *process);

/*
 * What the process calls a path that we see, or an open descriptor below its root; freed by
 * the caller. NULL: it cannot be told. Not to be trusted, but to be given to it.
 */
char *rooted_inside(const struct rooted *rooted, const char *path);
char *rooted_path(const struct rooted *rooted, int fd);

#endif
