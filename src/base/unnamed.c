#include "base/unnamed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *unnamed_place(void)
{
	const char *place = getenv("TMPDIR");

	return place && *place ? place : "/tmp";
}

int unnamed_open(void)
{
	const char *place = unnamed_place();
	char path[PATH_MAX];
	int fd = open(place, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;

	/* Not every file system knows O_TMPFILE, and errors for that differ. */
	if (snprintf(path, sizeof(path), "%s/cjfr-XXXXXX", place) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}
