/*
 * folder.h - the folder of a session, for its user only (control/places.h).
 */
#ifndef SESSION_FOLDER_H
#define SESSION_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct folder {
	char *path;		/* absolute */
	char *orders, *socket;
	char *base;		/* that it is in */
	size_t base_there;	/* so much of that path was there before */
	int lock;		/* the folder, locked (flock) as long as we use it */
};

/*
 * Makes it: in `base`, which is made if it is not there, or, if that is NULL, in
 * $TMPDIR or /tmp. ERR_SYSTEM, ERR_MEMORY.
 */
bool folder_make(struct folder *folder, const char *base, struct err *err);

/* Where sessions are made: as above, from the root; the caller's. NULL without memory. */
char *folder_base(const char *base);

/* Makes the file of orders. ERR_SYSTEM, also if there is one. */
bool folder_write_orders(const struct folder *folder, struct str text, struct err *err);

/*
 * Removes what only the session needs, and of the rest, which are repositories, nothing
 * (`keep`), or all but those that a JVM has locked; also the folders that it was put in,
 * if they were made for it and are empty again. What was moved away or cannot be removed is left. Frees the memory.
 */
void folder_close(struct folder *folder, bool keep);

/* Removes a repository in it; of what lies elsewhere, nothing. */
void folder_forget(const struct folder *folder, const char *repository);

/* True if there is a recording in it with anything in it. */
bool folder_has_recording(const char *path);

#endif
