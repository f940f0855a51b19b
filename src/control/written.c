#include "control/written.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "control/places.h"

/* "complete:2049:12345:1764530000123456789:/home/me/app.jfr" */
#define FORMAT "%s:%ju:%ju:%jd:%s"
#define COMPLETE "complete"
#define PARTIAL "partial"

/* Numbers of files are used again: when it was written tells them apart. */
static int64_t nanos_of(const struct stat *status)
{
	return status->st_mtim.tv_sec * INT64_C(1000000000) + status->st_mtim.tv_nsec;
}

static bool put(const char *repository, const char *text)
{
	char *name = path_within(repository, PLACES_OUTPUT);
	char *part = path_within(repository, PLACES_OUTPUT ".part");
	bool is_put = false;

	if (name && part) {
		unlink(part);
		is_put = symlink(text, part) == 0 && rename(part, name) == 0;
	}
	free(name);
	free(part);
	return is_put;
}

bool written_say(const char *repository, const char *path, bool is_complete)
{
	bool is_file = strcmp(path, "-") != 0;
	char *absolute = is_file ? path_absolute(path) : strdup(path), *text = NULL;
	struct stat status = { .st_dev = 0 };
	bool is_said;

	if (!absolute || (is_file && stat(absolute, &status) != 0 && errno != ENOENT) ||
	    asprintf(&text, FORMAT, is_complete ? COMPLETE : PARTIAL,
		     (uintmax_t)status.st_dev, (uintmax_t)status.st_ino,
		     (intmax_t)nanos_of(&status), absolute) < 0)
		text = NULL;
	is_said = text && put(repository, text);
	free(absolute);
	free(text);
	return is_said;
}

static bool read_text(struct written *written, const char *text)
{
	uintmax_t device, inode;
	intmax_t nanos;
	char word[sizeof(COMPLETE)];
	int at = 0;

	if (sscanf(text, "%8[a-z]:%ju:%ju:%jd:%n", word, &device, &inode, &nanos,
		   &at) != 4 || !at)
		return false;
	written->is_complete = strcmp(word, COMPLETE) == 0;
	written->device = (dev_t)device;
	written->inode = (ino_t)inode;
	written->nanos = nanos;
	snprintf(written->path, sizeof(written->path), "%s", text + at);
	return written->is_complete || strcmp(word, PARTIAL) == 0;
}

void written_ask(struct written *written, const char *repository)
{
	char *name = path_within(repository, PLACES_OUTPUT);
	char text[PATH_MAX];
	ssize_t size = name ? readlink(name, text, sizeof(text) - 1) : -1;

	free(name);
	*written = (struct written){ .path = "" };
	if (size < 0)
		return;
	text[size] = '\0';
	if (!read_text(written, text))
		*written = (struct written){ .path = "" };
}

bool written_is(const struct written *written, const struct stat *status)
{
	return written->inode && status->st_ino == written->inode &&
	       status->st_dev == written->device && nanos_of(status) == written->nanos;
}
