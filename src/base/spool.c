#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIECE ((size_t)256 << 10)
#define SMALLEST ((size_t)4 << 10)

/* Memory of all spools and blocks. */
static atomic_size_t held;

static const unsigned char nothing[1];

static const char *file_place(void)
{
	const char *place = getenv("TMPDIR");

	return place && *place ? place : "/tmp";
}

static bool file_error(struct err *err)
{
	return err_system(err, "cannot keep the input in %s", file_place());
}

/* A file without a name, gone when closed and unmapped; -1 and errno if there is none. */
static int file_open(void)
{
	const char *place = file_place();
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

static bool file_write(int fd, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t put = write(fd, bytes, size);

		if (put < 0 && errno != EINTR)
			return false;
		if (put > 0) {
			bytes += put;
			size -= (size_t)put;
		}
	}
	return true;
}

/* Memory for that many bytes; false if it is better kept in a file. */
static bool memory_grow(struct spool *spool, size_t size)
{
	size_t wanted = spool->capacity ? spool->capacity : SMALLEST;
	unsigned char *grown;

	while (wanted < size) {
		if (wanted > SPOOL_MEMORY)
			return false;
		wanted *= 2;
	}
	if (wanted > SPOOL_MEMORY - spool->capacity ||
	    atomic_load(&held) > SPOOL_MEMORY - (wanted - spool->capacity))
		return false;
	grown = realloc(spool->bytes, wanted);
	if (!grown)
		return false;
	atomic_fetch_add(&held, wanted - spool->capacity);
	spool->bytes = grown;
	spool->capacity = wanted;
	return true;
}

static void memory_free(void *bytes, size_t capacity)
{
	free(bytes);
	atomic_fetch_sub(&held, capacity);
}

/* Moves what is there into a file. */
static bool move_to_file(struct spool *spool, struct err *err)
{
	int fd = file_open();

	if (fd < 0)
		return file_error(err);
	spool->piece = malloc(PIECE);
	if (!spool->piece || !file_write(fd, spool->bytes, spool->size)) {
		bool is_written = spool->piece != NULL;

		free(spool->piece);
		spool->piece = NULL;
		(is_written ? file_error : err_memory)(err);
		close(fd);
		return false;
	}
	memory_free(spool->bytes, spool->capacity);
	spool->bytes = NULL;
	spool->capacity = 0;
	spool->is_file = true;
	spool->fd = fd;
	return true;
}

unsigned char *spool_room(struct spool *spool, size_t *room, struct err *err)
{
	size_t wanted = *room < PIECE ? *room : PIECE;

	if (!spool->is_file && (spool->capacity - spool->size >= wanted ||
				memory_grow(spool, spool->size + wanted))) {
		size_t free_room = spool->capacity - spool->size;

		*room = *room < free_room ? *room : free_room;
		return spool->bytes + spool->size;
	}
	if (!spool->is_file && !move_to_file(spool, err))
		return NULL;
	*room = wanted;
	return spool->piece;
}

bool spool_added(struct spool *spool, size_t count, struct err *err)
{
	if (spool->is_file && !file_write(spool->fd, spool->piece, count))
		return file_error(err);
	spool->size += count;
	return true;
}

const unsigned char *spool_bytes(struct spool *spool, struct err *err)
{
	void *mapped;

	if (spool->size == 0)
		return nothing;
	if (!spool->is_file || spool->capacity == spool->size)
		return spool->bytes;
	if (spool->bytes)
		munmap(spool->bytes, spool->capacity);
	spool->bytes = NULL;
	mapped = mmap(NULL, spool->size, PROT_READ, MAP_PRIVATE, spool->fd, 0);
	if (mapped == MAP_FAILED) {
		file_error(err);
		return NULL;
	}
	spool->bytes = mapped;
	spool->capacity = spool->size;
	return mapped;
}

/* Everything after `size` as a spool of its own. */
static bool split(const struct spool *spool, size_t size, struct spool *rest,
		  struct err *err)
{
	size_t at = size;

	*rest = (struct spool){ 0 };
	while (at < spool->size) {
		size_t room = spool->size - at;
		unsigned char *to = spool_room(rest, &room, err);

		if (to)
			memcpy(to, spool->bytes + at, room);
		if (!to || !spool_added(rest, room, err)) {
			spool_clear(rest);
			return false;
		}
		at += room;
	}
	return true;
}

bool spool_cut(struct spool *spool, size_t size, struct block *block, struct err *err)
{
	struct spool rest;

	if (!split(spool, size, &rest, err))
		return false;
	*block = (struct block){ spool->bytes ? spool->bytes : nothing, size,
				 spool->capacity, spool->is_file };
	if (spool->is_file)
		close(spool->fd);
	free(spool->piece);
	*spool = rest;
	return true;
}

void spool_drop(struct spool *spool, size_t size)
{
	struct spool rest;

	if (size < spool->size && !spool->is_file) {
		memmove(spool->bytes, spool->bytes + size, spool->size - size);
		spool->size -= size;
	} else if (size >= spool->size && !spool->is_file) {
		spool->size = 0;
	} else if (split(spool, size, &rest, NULL)) {
		spool_clear(spool);
		*spool = rest;
	} else {
		spool_clear(spool);
	}
}

void spool_clear(struct spool *spool)
{
	struct block block = { spool->bytes, spool->size, spool->capacity,
			       spool->is_file };

	block_free(&block);
	if (spool->is_file)
		close(spool->fd);
	free(spool->piece);
	*spool = (struct spool){ 0 };
}

void block_free(struct block *block)
{
	if (block->capacity && block->is_mapped)
		munmap((void *)(size_t)block->bytes, block->capacity);
	else if (block->capacity)
		memory_free((void *)(size_t)block->bytes, block->capacity);
	*block = (struct block){ 0 };
}
