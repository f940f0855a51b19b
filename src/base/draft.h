/*
 * draft.h - a file that is written beside its place, and put there when it is complete.
 *
 *	if (!draft_open(&draft, path)) ...
 *	... writes to draft.fd ...
 *	is_good = draft_place(&draft);
 *	draft_drop(&draft);
 *
 * Until then it has no name, or, where the file system has no such files, another one in
 * the same folder: PATH.PID. It gets the rights of the file that is there already, or
 * those of a new one. Whatever fails is told by errno.
 */
#ifndef BASE_DRAFT_H
#define BASE_DRAFT_H

#include <stdbool.h>

struct draft {
	char *path;		/* where it will be: no link; NULL: not open */
	char *name;		/* its own; NULL: it has none yet */
	int fd;
};

/*
 * Links are followed, also to a file that is not there yet, which is then made there.
 * False: then there is nothing to drop.
 */
bool draft_open(struct draft *draft, const char *path);

/* On the disk, and then under its name: what is there is replaced. */
bool draft_place(struct draft *draft);

/* The same, in the same folder, but EEXIST if there is something under that name. */
bool draft_place_new(struct draft *draft, const char *path);

/* Closes it; if it was not placed, it is gone. */
void draft_drop(struct draft *draft);

#endif
