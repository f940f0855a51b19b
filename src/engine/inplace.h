/*
 * inplace.h - files that are written where they lie.
 *
 * On a file system that copies on write each write goes to a new place, also where
 * space was allocated for the file. When the system is full there is none, which is
 * SIGBUS for who writes through a mapping.
 */
#ifndef ENGINE_INPLACE_H
#define ENGINE_INPLACE_H

#include <stdbool.h>

/*
 * Sees to it that the file, which must be empty, is written where it lies; btrfs is
 * told so (as chattr +C does). False with errno EOPNOTSUPP: it is not.
 */
bool inplace_set(int fd);

#endif
