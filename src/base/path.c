#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes away, in place, slashes that follow a slash, and the last one. */
static char *without_idle_slashes(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from++) {
		if (*from != '/' || to == path || to[-1] != '/')
			*to++ = *from;
	}
	if (to > path + 1 && to[-1] == '/')
		to--;
	*to = '\0';
	return path;
}

char *path_within(const char *folder, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	return without_idle_slashes(path);
}

char *path_absolute(const char *path)
{
	char *here, *there;

	if (*path == '/') {
		there = strdup(path);
		return there ? without_idle_slashes(there) : NULL;
	}
	here = getcwd(NULL, 0);
	if (!here)
		return NULL;
	there = path_within(here, path);
	free(here);
	return there;
}

struct str path_last(const char *path)
{
	struct str text = str_of(path);

	while (text.size && text.bytes[text.size - 1] == '/')
		text.size--;
	return str_after_last(text, '/');
}
