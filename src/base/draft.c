#include "base/draft.h"

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

/* So many names are tried: others may be left of processes that were killed. */
#define NAMES_MAX 1000

/* --- the place -------------------------------------------------------------------- */

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

/* Where the file will be; NULL with errno. */
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

/* --- the draft -------------------------------------------------------------------- */

/* /proc is where it will get its name from. */
static int open_nameless(const char *path, mode_t rights)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = -1;

	if (folder && access("/proc/self/fd", X_OK) == 0)
		fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, rights);
	free(folder);
	return fd;
}

static char *name_of(const char *path, int number)
{
	char *name;
	int size = number ? asprintf(&name, "%s.%ld-%d", path, (long)getpid(), number)
			  : asprintf(&name, "%s.%ld", path, (long)getpid());

	if (size >= 0)
		return name;
	errno = ENOMEM;
	return NULL;
}

static int open_named(struct draft *draft, mode_t rights)
{
	for (int i = 0; i < NAMES_MAX; i++) {
		int fd = -1;

		draft->name = name_of(draft->path, i);
		if (draft->name)
			fd = open(draft->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				  rights);
		if (fd >= 0)
			return fd;
		free(draft->name);
		draft->name = NULL;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

/* Nobody but who may read the file that is there may read this one. */
static bool open_draft(struct draft *draft)
{
	struct stat status;
	bool is_there = stat(draft->path, &status) == 0;
	mode_t rights = is_there ? status.st_mode & 0777 : 0666;

	draft->fd = open_nameless(draft->path, rights);
	if (draft->fd < 0)
		draft->fd = open_named(draft, rights);
	return draft->fd >= 0 && (!is_there || fchmod(draft->fd, rights) == 0);
}

bool draft_open(struct draft *draft, const char *path)
{
	int reason;

	*draft = (struct draft){ .path = resolve(path), .fd = -1 };
	if (draft->path && open_draft(draft))
		return true;
	reason = errno;
	draft_drop(draft);
	errno = reason;
	return false;
}

/* --- its names -------------------------------------------------------------------- */

static bool link_nameless(const struct draft *draft, const char *name)
{
	char descriptor[sizeof("/proc/self/fd/") + 3 * sizeof(int)];

	snprintf(descriptor, sizeof(descriptor), "/proc/self/fd/%d", draft->fd);
	return linkat(AT_FDCWD, descriptor, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Gives a nameless one its own name. */
static bool name_it(struct draft *draft)
{
	for (int i = 0; i < NAMES_MAX && !draft->name; i++) {
		char *name = name_of(draft->path, i);

		if (!name)
			return false;
		if (link_nameless(draft, name)) {
			draft->name = name;
			break;
		}
		free(name);
		if (errno != EEXIST)
			return false;
	}
	return draft->name != NULL;
}

static void forget_name(struct draft *draft)
{
	free(draft->name);
	draft->name = NULL;
}

bool draft_place(struct draft *draft)
{
	if (fsync(draft->fd) != 0 || !name_it(draft) ||
	    rename(draft->name, draft->path) != 0)
		return false;
	forget_name(draft);
	return true;
}

/* Some file systems have no hard links, others cannot rename so. */
static bool move_new(const struct draft *draft, const char *path)
{
	if (renameat2(AT_FDCWD, draft->name, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	return link(draft->name, path) == 0 && unlink(draft->name) == 0;
}

bool draft_place_new(struct draft *draft, const char *path)
{
	if (fsync(draft->fd) != 0)
		return false;
	if (!draft->name)
		return link_nameless(draft, path);
	if (!move_new(draft, path))
		return false;
	forget_name(draft);
	return true;
}

void draft_drop(struct draft *draft)
{
	if (draft->name)
		unlink(draft->name);
	if (draft->fd >= 0)
		close(draft->fd);
	free(draft->name);
	free(draft->path);
	*draft = (struct draft){ .fd = -1 };
}
