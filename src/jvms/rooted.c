#include "jvms/rooted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *link_at(int folder, const char *name)
{
	char text[PATH_MAX];
	ssize_t size = readlinkat(folder, name, text, sizeof(text));

	if (size <= 0 || (size_t)size >= sizeof(text) || *text != '/')
		return NULL;
	return strndup(text, (size_t)size);
}

bool rooted_begin(struct rooted *rooted, const struct process *process)
{
	rooted->path = NULL;
	rooted->fd = openat(process->folder, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (rooted->fd < 0)
		return false;
	rooted->path = link_at(process->folder, "root");
	return true;
}

void rooted_end(struct rooted *rooted)
{
	if (rooted->fd >= 0)
		close(rooted->fd);
	free(rooted->path);
	*rooted = (struct rooted){ .fd = -1 };
}

/* The next name of a path: "a" of "/a/b". False: there is none. */
static bool next_name(struct str *path, char name[NAME_MAX + 1])
{
	struct str piece;

	while (str_split(path, '/', &piece)) {
		if (!piece.size || str_is(piece, STR(".")))
			continue;
		if (piece.size > NAME_MAX) {
			errno = ENAMETOOLONG;
			return false;
		}
		memcpy(name, piece.bytes, piece.size);
		name[piece.size] = '\0';
		return true;
	}
	errno = 0;
	return false;
}

static bool is_last(struct str path)
{
	while (path.size && *path.bytes == '/') {
		path.bytes++;
		path.size--;
	}
	return !path.size;
}

int rooted_open_stepwise(int root, const char *path, int flags, mode_t mode)
{
	int at = openat(root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct str rest = str_of(path);
	char name[NAME_MAX + 1];

	while (at >= 0 && next_name(&rest, name)) {
		bool ends = is_last(rest);
		int next, error;

		errno = EXDEV;
		next = strcmp(name, "..") == 0 ? -1
		     : ends ? openat(at, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
			    : openat(at, name,
				     O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		error = errno;
		close(at);
		/* A link is no folder: that is how the system tells of it. */
		errno = error == ENOTDIR && !ends ? ELOOP : error;
		if (ends || next < 0)
			return next;
		at = next;
	}
	if (at >= 0 && errno == 0)
		return at; /* the root itself */
	if (at >= 0)
		close(at);
	return -1;
}

int rooted_open(const struct rooted *rooted, const char *path, int flags, mode_t mode)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.mode = flags & O_CREAT ? mode : 0,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd;

	/* EAGAIN: something was renamed meanwhile. */
	for (int tries = 0; tries < 16; tries++) {
		fd = (int)syscall(SYS_openat2, rooted->fd, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	/* EPERM: some filters of system calls do not know it yet. */
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
	return rooted_open_stepwise(rooted->fd, path, flags, mode);
}

static bool is_same(int folder, const char *name, const char *ours)
{
	struct stat its, own;

	return fstatat(folder, name, &its, 0) == 0 && stat(ours, &own) == 0 &&
	       its.st_dev == own.st_dev && its.st_ino == own.st_ino;
}

bool rooted_is_elsewhere(const struct process *process)
{
	return !is_same(process->folder, "root", "/") ||
	       !is_same(process->folder, "ns/mnt", "/proc/self/ns/mnt");
}

/* In another mount namespace the system tells paths from that one's root. */
char *rooted_inside(const struct rooted *rooted, const char *path)
{
	const char *root = rooted->path;
	size_t size = root && strcmp(root, "/") != 0 ? strlen(root) : 0;

	if (!root || strncmp(path, root, size) != 0 ||
	    (path[size] && path[size] != '/'))
		return NULL;
	return strdup(path[size] ? path + size : "/");
}

char *rooted_path(const struct rooted *rooted, int fd)
{
	char name[64], *path, *inside;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	path = link_at(AT_FDCWD, name);
	inside = path ? rooted_inside(rooted, path) : NULL;
	free(path);
	return inside;
}
