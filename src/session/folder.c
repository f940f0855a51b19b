#include "session/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

/* Makes the folder and those it lies in; one that is there is as good. */
static bool make_all(char *path)
{
	for (char *at = path + 1; *at; at++) {
		bool is_made;

		if (*at != '/')
			continue;
		*at = '\0';
		is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
		*at = '/';
		if (!is_made)
			return false;
	}
	return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static char *find_base(const char *base)
{
	const char *usual = getenv("TMPDIR");

	if (base)
		return path_absolute(base);
	return path_absolute(usual && *usual ? usual : "/tmp");
}

static bool make(struct folder *folder, const char *base, struct err *err)
{
	char *absolute = find_base(base);
	bool is_made;

	if (!absolute)
		return err_memory(err);
	if (base && !make_all(absolute)) {
		err_system(err, "cannot make the folder '%s'", absolute);
		free(absolute);
		return false;
	}
	folder->path = path_within(absolute, "cjfr-XXXXXX");
	is_made = folder->path && mkdtemp(folder->path);
	if (!folder->path)
		err_memory(err);
	else if (!is_made)
		err_system(err, "cannot make a folder in '%s'", absolute);
	free(absolute);
	if (!is_made) {
		free(folder->path);
		folder->path = NULL;
	}
	return is_made;
}

bool folder_make(struct folder *folder, const char *base, struct err *err)
{
	*folder = (struct folder){ .path = NULL };
	if (!make(folder, base, err))
		return false;
	folder->orders = path_within(folder->path, "orders");
	folder->socket = path_within(folder->path, "socket");
	if (folder->orders && folder->socket)
		return true;
	folder_close(folder, false);
	return err_memory(err);
}

static bool write_all(int fd, struct str text)
{
	while (text.size) {
		ssize_t size = write(fd, text.bytes, text.size);

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			return false;
		text.bytes += size;
		text.size -= (size_t)size;
	}
	return true;
}

bool folder_write_orders(const struct folder *folder, struct str text, struct err *err)
{
	int fd = open(folder->orders, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool is_written = fd >= 0 && write_all(fd, text);

	if (fd >= 0 && close(fd) != 0)
		is_written = false;
	return is_written || err_system(err, "cannot write '%s'", folder->orders);
}

typedef bool visit(int folder, const char *name, void *context);

/* Shows each name in the folder, as long as that gives true. */
static bool each(const char *path, visit *visited, void *context)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	bool goes_on = folder != NULL;

	while (goes_on && (entry = readdir(folder))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			goes_on = visited(dirfd(folder), entry->d_name, context);
	}
	if (folder)
		closedir(folder);
	return goes_on;
}

static bool remove_file(int folder, const char *name, void *context)
{
	(void)context;
	unlinkat(folder, name, 0);
	return true;
}

bool folder_remove(const char *path)
{
	each(path, remove_file, NULL);
	return rmdir(path) == 0 || errno == ENOENT;
}

void folder_forget(const struct folder *folder, const char *repository)
{
	struct str name = path_last(repository);
	size_t size = strlen(folder->path);

	if (strncmp(repository, folder->path, size) == 0 &&
	    repository + size + 1 == name.bytes && !str_is(name, STR("..")) &&
	    !str_is(name, STR(".")))
		folder_remove(repository);
}

static bool remove_repository(int folder, const char *name, void *context)
{
	char *path = path_within(context, name);

	(void)folder;
	if (path)
		folder_remove(path);
	free(path);
	return true;
}

void folder_close(struct folder *folder, bool keep)
{
	if (folder->orders)
		unlink(folder->orders);
	if (folder->socket)
		unlink(folder->socket);
	if (folder->path && !keep)
		each(folder->path, remove_repository, folder->path);
	if (folder->path)
		rmdir(folder->path);
	free(folder->path);
	free(folder->orders);
	free(folder->socket);
	*folder = (struct folder){ .path = NULL };
}

/* Goes on while there is none. */
static bool is_no_recording(int folder, const char *name, void *context)
{
	struct stat status;

	(void)context;
	return !str_ends(str_of(name), STR(".jfr")) ||
	       fstatat(folder, name, &status, 0) != 0 || status.st_size == 0;
}

bool folder_has_recording(const char *path)
{
	return access(path, R_OK) == 0 && !each(path, is_no_recording, NULL);
}
