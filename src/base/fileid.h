/*
 * fileid.h - is a descriptor still ours?
 *
 * In a process that is not ours anybody may close all descriptors, also those of others,
 * and then opens files under the same numbers. Who kept one asks before using it: a
 * stranger's file is neither written nor closed.
 */
#ifndef BASE_FILEID_H
#define BASE_FILEID_H

#include <stdbool.h>
#include <sys/types.h>

/* What is behind a descriptor. Zeroed, no file is it. */
struct fileid {
	dev_t device;
	ino_t inode;
	bool has_name;
};

/* Zeroed if there is no such descriptor. */
struct fileid fileid_of(int fd);

/* True if the descriptor is the same file as then. */
bool fileid_is(const struct fileid *id, int fd);

/* True if it is, and it had a name then and has none any more. */
bool fileid_is_removed(const struct fileid *id, int fd);

/* Closes it, if it is that file. */
void fileid_close(const struct fileid *id, int fd);

#endif
