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

/* One that is there is as good: then it counts as `there`. */
static bool make_one(const char *path, size_t *there)
{
	if (mkdir(path, 0777) == 0)
		return true;
	if (errno != EEXIST)
		return false;
	*there = strlen(path);
	return true;
}

/* Makes the folder and those it lies in. */
static bool make_all(char *path, size_t *there)
{
	for (char *at = path + 1; *at; at++) {
		bool is_good;

		if (*at != '/')
			continue;
		*at = '\0';
		is_good = make_one(path, there);
		*at = '/';
		if (!is_good)
			return false;
	}
	return make_one(path, there);
}

/* Removes what make_all made, as far as it is empty. */
static void unmake_all(char *path, size_t there)
{
	while (strlen(path) > there && rmdir(path) == 0)
		*strrchr(path, '/') = '\0';
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

	if (!absolute)
		return err_memory(err);
	folder->base = absolute;
	folder->base_there = strlen(absolute);
	if (base && !make_all(absolute, &folder->base_there))
		return err_system(err, "cannot make the folder '%s'", absolute);
	folder->path = path_within(absolute, "cjfr-XXXXXX");
	if (!folder->path)
		return err_memory(err);
	if (mkdtemp(folder->path))
		return true;
	err_system(err, "cannot make a folder in '%s'", absolute);
	free(folder->path);
	folder->path = NULL;
	return false;
}

bool folder_make(struct folder *folder, const char *base, struct err *err)
{
	*folder = (struct folder){ .path = NULL };
	if (!make(folder, base, err)) {
		folder_close(folder, false);
		return false;
	}
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
	if (folder->base)
		unmake_all(folder->base, folder->base_there);
	free(folder->base);
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
