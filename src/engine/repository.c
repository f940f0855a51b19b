#include "engine/repository.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "base/path.h"

/* So many names of the same second are tried. */
#define NAMES_MAX 10000

#define STAMP_SIZE sizeof("2026_11_29_22_07_32")

/* The second on the clock on the wall, as part of a name. */
static void write_stamp(char stamp[STAMP_SIZE], int64_t nanos)
{
	time_t seconds = (time_t)(nanos / SECOND);
	struct tm parts;

	if (!localtime_r(&seconds, &parts) ||
	    strftime(stamp, STAMP_SIZE, "%Y_%m_%d_%H_%M_%S", &parts) == 0)
		snprintf(stamp, STAMP_SIZE, "%lld", (long long)seconds);
}

static char *folder_path(const char *base, const char *stamp, int number)
{
	char name[STAMP_SIZE + 40];
	size_t size = (size_t)snprintf(name, sizeof(name), "%s_%ld", stamp,
				       (long)getpid());

	if (number > 0)
		snprintf(name + size, sizeof(name) - size, "_%d", number);
	return path_within(base, name);
}

/*
 * The folder, locked; -1: it is gone, or somebody else has the lock (errno
 * EWOULDBLOCK). Where folders cannot be locked, nothing says that this one is being
 * written.
 */
static int lock(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;

	if (fd >= 0 &&
	    (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
	    fstat(fd, &status) == 0 && status.st_nlink > 0)
		return fd;
	if (fd >= 0) {
		close(fd);
		errno = EWOULDBLOCK;
	}
	return -1;
}

/*
 * Who looks for what was left behind may come in between and take it for that: then it
 * is as if there had been such a folder. errno says what failed.
 */
static bool make_locked(struct repository *repository, const char *path)
{
	int error;

	if (mkdir(path, 0700) != 0)
		return false;
	repository->lock = lock(path);
	if (repository->lock >= 0) {
		repository->lock_id = fileid_of(repository->lock);
		return true;
	}
	error = errno;
	rmdir(path);
	errno = error == EWOULDBLOCK || error == ENOENT ? EEXIST : error;
	return false;
}

void repository_lock_again(struct repository *repository)
{
	int fd;

	if (repository->lock < 0 || fileid_is(&repository->lock_id, repository->lock))
		return;
	fd = lock(repository->path);
	if (fd < 0)
		return;
	if (fileid_is(&repository->lock_id, fd))
		repository->lock = fd;
	else
		close(fd);
}

void repository_unlock(struct repository *repository)
{
	fileid_close(&repository->lock_id, repository->lock);
	repository->lock_id = (struct fileid){ 0 };
	repository->lock = -1;
}

bool repository_open(struct repository *repository, const char *base, struct err *err)
{
	char stamp[STAMP_SIZE];

	*repository = (struct repository){ .lock = -1 };
	if (mkdir(base, 0700) != 0 && errno != EEXIST)
		return err_system(err, "cannot make the folder %s", base);
	write_stamp(stamp, now_nanos());
	for (int i = 0; i < NAMES_MAX; i++) {
		char *path = folder_path(base, stamp, i);

		if (!path)
			return err_memory(err);
		if (make_locked(repository, path)) {
			repository->path = path;
			return true;
		}
		if (errno != EEXIST) {
			err_system(err, "cannot make the folder %s", path);
			free(path);
			return false;
		}
		free(path);
	}
	return err_set(err, ERR_SYSTEM, "cannot make a folder in %s", base);
}

/* A file that was not there; NULL with errno EEXIST if it was, or with err. */
static char *try_file(const struct repository *repository, const char *stamp,
		      int number, int *fd, struct err *err)
{
	char name[STAMP_SIZE + 20];
	char *path;

	if (number > 0)
		snprintf(name, sizeof(name), "%s_%02d.jfr", stamp, number);
	else
		snprintf(name, sizeof(name), "%s.jfr", stamp);
	path = path_within(repository->path, name);
	if (!path) {
		err_memory(err);
		return NULL;
	}
	*fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*fd >= 0)
		return path;
	if (errno != EEXIST)
		err_system(err, "cannot make %s", path);
	free(path);
	return NULL;
}

/* Puts it behind the others; false without memory, and then there is no file. */
static bool add_file(struct repository *repository, char *path, unsigned epoch, int fd)
{
	struct chunkfile file = {
		.path = path,
		.number = repository->number + 1,
		.epoch = epoch,
	};

	if (vec_push(&repository->files, file)) {
		repository->number++;
		return true;
	}
	unlink(path);
	free(path);
	close(fd);
	return false;
}

int repository_begin(struct repository *repository, int64_t start_nanos, unsigned epoch,
		     struct err *err)
{
	struct err why = { ERR_NONE, "" };
	char stamp[STAMP_SIZE];
	char *path = NULL;
	int fd = -1;

	write_stamp(stamp, start_nanos);
	for (int i = 0; i < NAMES_MAX && !path && why.kind == ERR_NONE; i++)
		path = try_file(repository, stamp, i, &fd, &why);
	if (path && !add_file(repository, path, epoch, fd))
		err_memory(&why);
	else if (!path && why.kind == ERR_NONE)
		err_set(&why, ERR_SYSTEM, "cannot make a file in %s", repository->path);
	if (why.kind != ERR_NONE && err)
		*err = why;
	return why.kind == ERR_NONE ? fd : -1;
}

void repository_grown(struct repository *repository, uint64_t size, int64_t end_nanos)
{
	struct chunkfile *file = &repository->files.items[repository->files.count - 1];

	repository->size += size - file->size;
	file->size = size;
	file->end_nanos = end_nanos;
}

static void remove_file(struct repository *repository, size_t index)
{
	struct chunkfile *file = &repository->files.items[index];

	unlink(file->path);
	free(file->path);
	repository->size -= file->size;
	repository->files.count--;
	memmove(file, file + 1, (repository->files.count - index) * sizeof(*file));
}

void repository_abandon(struct repository *repository)
{
	if (repository->files.count > 0)
		remove_file(repository, repository->files.count - 1);
}

void repository_retain(struct repository *repository,
		       bool (*has_somebody)(const void *context, uint64_t number),
		       const void *context)
{
	size_t i = 0;

	while (i < repository->files.count) {
		const struct chunkfile *file = &repository->files.items[i];

		if (file->end_nanos == 0 || has_somebody(context, file->number))
			i++;
		else
			remove_file(repository, i);
	}
}

const char *repository_last(const struct repository *repository)
{
	size_t count = repository->files.count;

	return count > 0 ? repository->files.items[count - 1].path : NULL;
}

void repository_close(struct repository *repository)
{
	for (size_t i = 0; i < repository->files.count; i++)
		free(repository->files.items[i].path);
	vec_clear(&repository->files);
	free(repository->path);
	repository_unlock(repository);
	*repository = (struct repository){ .lock = -1 };
}
