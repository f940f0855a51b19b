#include "salvage/leftfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fully.h"
#include "base/held.h"
#include "base/path.h"
#include "jfr/spillread.h"

/* Who gave up writes it no more, though it may live on. */
static bool has_failed(int spill)
{
	struct spill_header header;

	return spill_look(spill, &header, NULL) && header.state == SPILL_FAILED;
}

/* Its process died before it was made: then there is nothing that it could hold. */
static bool is_unmade(int spill)
{
	const char none[sizeof(SPILL_MAGIC) - 1] = "";
	char magic[sizeof(none)];
	ssize_t size = pread(spill, magic, sizeof(magic), 0);

	return size == 0 || (size == (ssize_t)sizeof(magic) &&
			     memcmp(magic, none, sizeof(magic)) == 0);
}

/* Of a folder that cannot be opened that is told by who opens it. */
static bool is_worth_telling(const char *repository, int error)
{
	return error != ENOENT && error != ENOTDIR &&
	       (error != EACCES ||
		faccessat(AT_FDCWD, repository, R_OK, AT_EACCESS) == 0);
}

int leftfile_find(const char *repository, struct err *err)
{
	char *path = path_within(repository, SPILL_NAME);
	int fd = -1;

	err->kind = ERR_NONE;
	if (!path) {
		err_memory(err);
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && is_worth_telling(repository, errno))
		err_system(err, "cannot open '%s'", path);
	free(path);
	if (fd >= 0 && (is_unmade(fd) ||
			(held_is(AT_FDCWD, repository) && !has_failed(fd)))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool leftfile_is_in_use(const char *repository)
{
	char *path = path_within(repository, SPILL_NAME);
	bool is_there = path && access(path, F_OK) == 0;

	free(path);
	return is_there && held_is(AT_FDCWD, repository);
}

bool leftfile_has_events(const char *repository)
{
	struct err err;
	int fd = leftfile_find(repository, &err);
	bool has_events = fd >= 0 && spill_may_have_events(fd);

	if (fd >= 0)
		close(fd);
	return has_events;
}

/* So many bytes, to the same place; false with errno. */
static bool copy_range(int from, int to, off_t at, off_t end)
{
	char bytes[16384];

	if (lseek(to, at, SEEK_SET) != at)
		return false;
	while (at < end) {
		size_t most = (size_t)(end - at) < sizeof(bytes) ? (size_t)(end - at)
								 : sizeof(bytes);
		ssize_t got = pread(from, bytes, most, at);

		if (got <= 0)
			return got == 0;
		if (!fully_write(to, bytes, (size_t)got))
			return false;
		at += got;
	}
	return true;
}

/* What has no space stays so. */
static bool copy_file(int from, int to)
{
	struct stat status;
	off_t at = 0, end = 0;

	if (fstat(from, &status) != 0 || ftruncate(to, status.st_size) != 0)
		return false;
	while ((at = lseek(from, end, SEEK_DATA)) >= 0) {
		end = lseek(from, at, SEEK_HOLE);
		if (end < 0 || !copy_range(from, to, at, end))
			return false;
	}
	return errno == ENXIO;
}

/* Under another name first: what has the right one is whole. */
static bool keep(int spill, const char *part, const char *path)
{
	int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool is_good = fd >= 0 && copy_file(spill, fd);
	int reason = errno;

	if (fd >= 0 && close(fd) != 0 && is_good) {
		is_good = false;
		reason = errno;
	}
	if (is_good && rename(part, path) == 0)
		return true;
	if (fd >= 0)
		unlink(part);
	errno = is_good ? errno : reason;
	return false;
}

bool leftfile_keep(int spill, const char *repository, struct err *err)
{
	char *path = path_within(repository, SPILL_NAME);
	char *part = path_within(repository, SPILL_NAME ".part");
	struct stat status;
	bool is_good = path && part;

	if (!is_good) {
		err_memory(err);
	} else if (fstat(spill, &status) != 0 || status.st_nlink == 0) {
		mkdir(repository, 0700);
		is_good = keep(spill, part, path) ||
			  err_system(err, "cannot write '%s'", path);
	}
	free(part);
	free(path);
	return is_good;
}
