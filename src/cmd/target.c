#include "cmd/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many links lead to each other at most; Linux itself stops there. */
#define LINKS_MAX 40

/* What the link says, seen from where the link is; NULL with errno. */
static char *read_link(const char *path)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash + 1 - path) : 0;
	char there[PATH_MAX], *joined;
	ssize_t size = readlink(path, there, sizeof(there));

	if (size < 0)
		return NULL;
	if (size == sizeof(there)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	if (there[0] == '/')
		folder = 0;
	if (asprintf(&joined, "%.*s%.*s", folder, path, (int)size, there) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	return joined;
}

/*
 * Where the file will be: a link to it stays a link, also if there is no such file yet.
 * NULL with errno.
 */
static char *resolve(const char *path)
{
	char *real = realpath(path, NULL), *at, *next;

	if (real || errno != ENOENT)
		return real;
	at = strdup(path);
	for (int links = 0; at; links++) {
		next = read_link(at);
		if (!next && (errno == EINVAL || errno == ENOENT))
			return at;	/* no link, or nothing at all */
		free(at);
		at = next;
		if (at && links == LINKS_MAX) {
			free(at);
			errno = ELOOP;
			return NULL;
		}
	}
	return NULL;
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

/* The rights of the file that is there already, or those that a new one gets. */
static mode_t rights_of(const char *path)
{
	struct stat status;
	mode_t mask = umask(0);

	umask(mask);
	return stat(path, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask;
}

/*
 * A file without a name, which is gone if the program is killed; -1 where the system, or
 * the folder, has no such files. /proc is where it will get its name from.
 */
static int open_nameless(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = -1;

	if (folder && access("/proc/self/fd", X_OK) == 0)
		fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(folder);
	return fd;
}

/* Gives a nameless file its temporary name. */
static bool name_file(const struct target *target)
{
	char descriptor[sizeof("/proc/self/fd/") + 3 * sizeof(int)];

	snprintf(descriptor, sizeof(descriptor), "/proc/self/fd/%d", target->out.fd);
	return linkat(AT_FDCWD, descriptor, AT_FDCWD, target->temporary,
		      AT_SYMLINK_FOLLOW) == 0;
}

/* A new file beside the one to be, with the rights that it will have. */
static bool open_temporary(struct target *target)
{
	target->out.fd = open_nameless(target->path);
	target->is_nameless = target->out.fd >= 0;
	if (asprintf(&target->temporary, target->is_nameless ? "%s.%ld" : "%s.XXXXXX",
		     target->path, (long)getpid()) < 0) {
		target->temporary = NULL;
		errno = ENOMEM;
		return false;
	}
	if (!target->is_nameless)
		target->out.fd = mkostemp(target->temporary, O_CLOEXEC);
	return target->out.fd >= 0 &&
	       fchmod(target->out.fd, rights_of(target->path)) == 0;
}

static void remove_temporary(struct target *target)
{
	if (target->temporary && !target->is_nameless)
		unlink(target->temporary);
}

bool target_open(struct target *target, const char *path, struct err *err)
{
	bool is_open;

	*target = (struct target){ .out.fd = -1, .path = is_direct(path) ? strdup(path)
									  : resolve(path) };
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
		remove_temporary(target);
	}
	forget(target);
	return false;
}

/* On the disk, and under its name. */
static bool settle(struct target *target)
{
	if (fsync(target->out.fd) != 0 || (target->is_nameless && !name_file(target)))
		return false;
	target->is_nameless = false;
	return rename(target->temporary, target->path) == 0;
}

bool target_close(struct target *target, bool is_good, struct err *err)
{
	struct err why = { 0 };
	bool is_written = out_close(&target->out, &why);

	if (is_written && is_good && target->temporary && !settle(target))
		is_written = err_system(&why, "cannot write '%s'", target->path);
	if (close(target->out.fd) != 0 && is_written)
		is_written = err_system(&why, "cannot write '%s'", target->path);
	if (!(is_good && is_written))
		remove_temporary(target);
	if (is_good && !is_written && err)
		*err = why;
	forget(target);
	return is_good && is_written;
}
