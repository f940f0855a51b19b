/*
 * source.h - an input as read-only bytes.
 *
 * A regular file is mapped, and must not become shorter while it is: reading what is
 * no longer there ends the program (SIGBUS). A pipe is copied to an unlinked temporary
 * file (in $TMPDIR, else /tmp) and that is mapped. Everything decoded borrows from the
 * source: close it last. Any number of threads may read the bytes.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct source {
	const unsigned char *bytes;	/* never NULL once opened, even if empty */
	size_t size;
	const char *name;		/* as given, or "standard input"; borrowed */
	bool is_borrowed;		/* the bytes are somebody else's */
};

/*
 * Opens a file by path; "-" is standard input, from where it stands on. False with
 * ERR_SYSTEM if it cannot be opened, read, mapped or, from a pipe, kept; then there is
 * nothing to close. An empty file is none of these.
 */
bool source_open(struct source *source, const char *path, struct err *err);

/* True if standard input is something to read from: a pipe, socket or file. */
bool source_waits(void);

/* Also of a source that is closed already. */
void source_close(struct source *source);

#endif
