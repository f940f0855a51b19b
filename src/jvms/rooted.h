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

/* Its root: a descriptor, for paths alone. -1 with errno: EACCES: it is not for us. */
int rooted_root(const struct process *process);

/* Opens what the path, from its root, is to it; flags and mode as open has them. */
int rooted_open(int root, const char *path, int flags, mode_t mode);

/*
 * The same without openat2 (Linux 5.6): any link on the way is ELOOP, any ".." is EXDEV.
 */
int rooted_open_stepwise(int root, const char *path, int flags, mode_t mode);

/* True if its paths are not ours: another root, or other mounts. */
bool rooted_is_elsewhere(const struct process *process);

/*
 * The path that an open descriptor below that root has for the process; freed by the
 * caller. NULL: it cannot be told. Not to be trusted, but to be given to that process.
 */
char *rooted_path(const struct process *process, int fd);

/* The same of a path that we see. */
char *rooted_inside(const struct process *process, const char *path);

#endif
