#include "cmd/target.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the file will be: a link to it stays a link. */
static char *resolve(const char *path)
{
	char *real = realpath(path, NULL);

	return real || errno != ENOENT ? real : strdup(path);
}

static bool is_direct(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static void forget(struct target *target)
{
	free(target->path);
	free(target->temporary);
	*target = (struct target){ .path = NULL };
}

/* A new file beside the one to be, with the rights that it would have. */
static bool open_temporary(struct target *target)
{
	mode_t mask = umask(0);

	umask(mask);
	if (asprintf(&target->temporary, "%s.XXXXXX", target->path) < 0) {
		target->temporary = NULL;
		errno = ENOMEM;
		return false;
	}
	target->out.fd = mkostemp(target->temporary, O_CLOEXEC);
	if (target->out.fd < 0)
		return false;
	return fchmod(target->out.fd, 0666 & ~mask) == 0;
}

bool target_open(struct target *target, const char *path, struct err *err)
{
	bool is_open;

	*target = (struct target){ .out.fd = -1, .path = resolve(path) };
	if (!target->path)
		return err_system(err, "cannot write '%s'", path);
	if (is_direct(target->path)) {
		target->out.fd = open(target->path, O_WRONLY | O_CLOEXEC);
		is_open = target->out.fd >= 0;
	} else {
		is_open = open_temporary(target);
	}
	if (is_open)
		return true;
	err_system(err, "cannot write '%s'", path);
	if (target->out.fd >= 0) {
		close(target->out.fd);
		unlink(target->temporary);
	}
	forget(target);
	return false;
}

/* On the disk, and under its name. */
static bool settle(struct target *target)
{
	return fsync(target->out.fd) == 0 &&
	       rename(target->temporary, target->path) == 0;
}

bool target_close(struct target *target, bool is_good, struct err *err)
{
	struct err why = { 0 };
	bool is_written = out_close(&target->out, &why);

	if (is_written && is_good && target->temporary && !settle(target))
		is_written = err_system(&why, "cannot write '%s'", target->path);
	if (close(target->out.fd) != 0 && is_written)
		is_written = err_system(&why, "cannot write '%s'", target->path);
	if (target->temporary && !(is_good && is_written))
		unlink(target->temporary);
	if (is_good && !is_written && err)
		*err = why;
	forget(target);
	return is_good && is_written;
}
