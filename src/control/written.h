/*
 * written.h - what was made of a repository so far: who comes later sees it.
 *
 * A symbolic link in the repository, which leads nowhere: its text is what is known. So
 * it is there as a whole or not at all, and none who reads recordings looks at it.
 */
#ifndef CONTROL_WRITTEN_H
#define CONTROL_WRITTEN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Zeroed: nobody has said anything. */
struct written {
	char path[PATH_MAX];	/* where its recording is to be; "": not said */
	dev_t device;		/* of the file that was put there; 0, 0: none */
	ino_t inode;
	int64_t nanos;		/* when it was written, since 1970 */
	bool is_complete;	/* there is no more to be written */
};

/*
 * Says that the file at the path was made of the repository, if there is one, and else
 * that it will be. "-" is standard output. False with errno.
 */
bool written_say(const char *repository, const char *path, bool is_complete);

/* What was said last. */
void written_ask(struct written *written, const char *repository);

/* True if that is the file. */
bool written_is(const struct written *written, const struct stat *status);

#endif
