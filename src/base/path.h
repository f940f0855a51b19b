/*
 * path.h - names of files, as texts; only path_absolute asks the system.
 *
 * What they give is the caller's, to be freed. NULL with errno: no memory, or no
 * current directory.
 */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/str.h"

/*
 * The path seen from the root, as Java tells it: "." and ".." stay, as do links, but
 * slashes that mean nothing go.
 */
char *path_absolute(const char *path);

/* What `name` in the folder is called: "folder/name". */
char *path_within(const char *folder, const char *name);

/* The last part of it: "a.jfr" of "x/a.jfr", "x" of "x/"; empty if there is none. */
struct str path_last(const char *path);

#endif
