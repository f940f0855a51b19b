#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)64 << 10)

static const unsigned char nothing[1];

static int path_open(const char *path)
{
	int fd;

	do
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static const char *spool_place(void)
{
	const char *place = getenv("TMPDIR");

	return place && *place ? place : "/tmp";
}

/* A file without a name, gone when closed; -1 and errno if there is none. */
static int spool_open(const char *place)
{
	char path[PATH_MAX];
	int fd = open(place, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;

	/* Not every file system knows O_TMPFILE, and errors for that differ. */
	if (snprintf(path, sizeof(path), "%s/cjfr-XXXXXX", place) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/* As read(2), but waits also where the pipe is set not to block. */
static ssize_t piece_read(int fd, unsigned char *piece)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	ssize_t got;

	for (;;) {
		got = read(fd, piece, PIECE);
		if (got >= 0)
			return got;
		if (errno == EAGAIN)
			poll(&wait, 1, -1);
		else if (errno != EINTR)
			return -1;
	}
}

static bool piece_write(int fd, const unsigned char *piece, size_t size)
{
	while (size) {
		ssize_t put = write(fd, piece, size);

		if (put < 0 && errno != EINTR)
			return false;
		if (put > 0) {
			piece += put;
			size -= (size_t)put;
		}
	}
	return true;
}

static bool spool_fill(const struct source *source, int spool, int fd, struct err *err)
{
	unsigned char piece[PIECE];
	ssize_t got;

	while ((got = piece_read(fd, piece)) > 0)
		if (!piece_write(spool, piece, (size_t)got))
			return err_system(err, "cannot keep %s in %s", source->name,
					  spool_place());
	if (got < 0)
		return err_system(err, "cannot read '%s'", source->name);
	return true;
}

/*
 * Maps what lies behind the file's position: standard input may have been read
 * in part. Mappings begin on a page; source_close rounds down likewise.
 */
static bool file_map(struct source *source, int fd, off_t end, struct err *err)
{
	off_t position = lseek(fd, 0, SEEK_CUR);
	off_t within = position > 0 ? position % sysconf(_SC_PAGESIZE) : 0;
	void *mapped;
	size_t size;

	if (position < 0)
		return err_system(err, "cannot read '%s'", source->name);
	if (position >= end)
		return true;
	size = (size_t)(end - position + within);
	if ((uintmax_t)size != (uintmax_t)(end - position + within)) {
		errno = EFBIG;
		return err_system(err, "cannot read '%s'", source->name);
	}
	mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, position - within);
	if (mapped == MAP_FAILED)
		return err_system(err, "cannot read '%s'", source->name);
	madvise(mapped, size, MADV_SEQUENTIAL);
	source->bytes = (unsigned char *)mapped + within;
	source->size = size - (size_t)within;
	return true;
}

static bool spool_map(struct source *source, int fd, struct err *err)
{
	int spool = spool_open(spool_place());
	off_t end;
	bool mapped;

	if (spool < 0)
		return err_system(err, "cannot keep %s in %s", source->name,
				  spool_place());
	mapped = spool_fill(source, spool, fd, err);
	if (mapped) {
		end = lseek(spool, 0, SEEK_CUR);
		lseek(spool, 0, SEEK_SET);
		mapped = file_map(source, spool, end, err);
	}
	close(spool);
	return mapped;
}

static bool descriptor_map(struct source *source, int fd, struct err *err)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return err_system(err, "cannot read '%s'", source->name);
	if (S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return err_system(err, "cannot read '%s'", source->name);
	}
	if (S_ISREG(status.st_mode))
		return file_map(source, fd, status.st_size, err);
	return spool_map(source, fd, err);
}

bool source_open(struct source *source, const char *path, struct err *err)
{
	bool opened;
	int fd;

	*source = (struct source){ .bytes = nothing, .name = path };
	if (strcmp(path, "-") == 0) {
		source->name = "standard input";
		return descriptor_map(source, STDIN_FILENO, err);
	}
	fd = path_open(path);
	if (fd < 0)
		return err_system(err, "cannot open '%s'", path);
	opened = descriptor_map(source, fd, err);
	close(fd);
	return opened;
}

bool source_waits(void)
{
	struct stat status;

	if (fstat(STDIN_FILENO, &status) != 0)
		return false;
	return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ||
	       S_ISREG(status.st_mode);
}

void source_close(struct source *source)
{
	if (source->size && !source->is_borrowed) {
		uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
		uintptr_t within = (uintptr_t)source->bytes & (page - 1);

		munmap((void *)(uintptr_t)(source->bytes - within),
		       source->size + within);
	}
	*source = (struct source){ .bytes = nothing, .name = source->name };
}
