#include "session/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/entries.h"
#include "base/fully.h"
#include "base/held.h"
#include "base/path.h"
#include "control/places.h"

#define TRIES 100

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

char *folder_base(const char *base)
{
	const char *usual = getenv("TMPDIR");

	if (base)
		return path_absolute(base);
	return path_absolute(usual && *usual ? usual : "/tmp");
}

/*
 * Makes and locks it. Whoever looks for what is left behind (leftover.h) may come in
 * between and take it for that: then another one is made. Where nothing can be locked,
 * nothing is left behind either.
 */
static bool make_locked(struct folder *folder)
{
	struct stat status;

	for (int i = 0; i < TRIES; i++) {
		folder->path = path_within(folder->base, PLACES_SESSION);
		if (!folder->path || !mkdtemp(folder->path))
			break;
		folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (folder->lock >= 0 &&
		    (flock(folder->lock, LOCK_EX | LOCK_NB) == 0 ||
		     errno != EWOULDBLOCK) &&
		    fstat(folder->lock, &status) == 0 && status.st_nlink > 0)
			return true;
		if (folder->lock >= 0)
			close(folder->lock);
		folder->lock = -1;
		rmdir(folder->path);
		free(folder->path);
	}
	free(folder->path);
	folder->path = NULL;
	return false;
}

static bool make(struct folder *folder, const char *base, struct err *err)
{
	folder->base = folder_base(base);
	if (!folder->base)
		return err_memory(err);
	folder->base_there = strlen(folder->base);
	if (base && !make_all(folder->base, &folder->base_there))
		return err_system(err, "cannot make the folder '%s'", folder->base);
	if (!make_locked(folder))
		return err_system(err, "cannot make a folder in '%s'", folder->base);
	folder->orders = path_within(folder->path, PLACES_ORDERS);
	folder->socket = path_within(folder->path, PLACES_SOCKET);
	return (folder->orders && folder->socket) || err_memory(err);
}

bool folder_make(struct folder *folder, const char *base, struct err *err)
{
	*folder = (struct folder){ .lock = -1 };
	if (make(folder, base, err))
		return true;
	folder_close(folder, false);
	return false;
}

bool folder_write_orders(const struct folder *folder, struct str text, struct err *err)
{
	int fd = open(folder->orders, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool is_written = fd >= 0 && fully_write(fd, text.bytes, text.size);

	if (fd >= 0 && close(fd) != 0)
		is_written = false;
	return is_written || err_system(err, "cannot write '%s'", folder->orders);
}

void folder_forget(const struct folder *folder, const char *repository)
{
	struct str name = path_last(repository);
	size_t size = strlen(folder->path);

	if (strncmp(repository, folder->path, size) == 0 &&
	    repository + size + 1 == name.bytes && !str_is(name, STR("..")) &&
	    !str_is(name, STR(".")))
		places_discard(repository);
}

/* But not one whose JVM lives. */
static bool remove_repository(int session, const char *name, void *context)
{
	char *path = held_is(session, name) ? NULL : path_within(context, name);

	if (path)
		places_discard(path);
	free(path);
	return true;
}

static void remove_own(const struct folder *folder)
{
	if (folder->orders)
		unlink(folder->orders);
	if (folder->socket)
		unlink(folder->socket);
}

void folder_close(struct folder *folder, bool keep)
{
	remove_own(folder);
	if (folder->path && !keep)
		entries_each(folder->lock, remove_repository, folder->path);
	if (folder->path)
		rmdir(folder->path);
	if (folder->lock >= 0)
		close(folder->lock);
	if (folder->base)
		unmake_all(folder->base, folder->base_there);
	free(folder->base);
	free(folder->path);
	free(folder->orders);
	free(folder->socket);
	*folder = (struct folder){ .lock = -1 };
}

bool folder_has_recording(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool has = folder >= 0 && places_has_chunks(folder);

	if (folder >= 0)
		close(folder);
	return has;
}
