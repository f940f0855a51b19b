#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fully.h"
#include "base/unnamed.h"

#define PIECE ((size_t)256 << 10)
#define SMALLEST ((size_t)4 << 10)	/* a file's mapping takes no less */

/* Memory of all spools and blocks. */
static atomic_size_t held;

static const unsigned char nothing[1];

static bool file_error(struct err *err)
{
	return err_system(err, "cannot keep the input in %s", unnamed_place());
}

/* Memory of just that size; false if it is better kept in a file. */
static bool memory_resize(struct spool *spool, size_t size)
{
	unsigned char *resized;

	if (size > SPOOL_MEMORY ||
	    (size > SMALLEST &&
	     atomic_load(&held) + (size - spool->capacity) > SPOOL_MEMORY))
		return false;
	resized = realloc(spool->memory, size);
	if (!resized)
		return false;
	atomic_fetch_add(&held, size - spool->capacity);
	spool->memory = resized;
	spool->capacity = size;
	return true;
}

/* Room in memory behind what is there; false if it is better kept in a file. */
static bool memory_room(struct spool *spool, size_t wanted)
{
	size_t capacity = spool->capacity ? spool->capacity : SMALLEST;

	/* Moved is what is little, or would have to be copied anyway. */
	if (spool->start >= spool->size || spool->capacity - spool->size < wanted) {
		if (spool->start)
			memmove(spool->memory, spool->memory + spool->start,
				spool->size);
		spool->start = 0;
	}
	while (capacity - spool->start - spool->size < wanted) {
		if (capacity > SPOOL_MEMORY)
			return false;
		capacity *= 2;
	}
	return capacity == spool->capacity || memory_resize(spool, capacity);
}

static void memory_free(void *bytes, size_t capacity)
{
	free(bytes);
	atomic_fetch_sub(&held, capacity);
}

/* Moves what is there into a file. */
static bool move_to_file(struct spool *spool, struct err *err)
{
	int fd = unnamed_open();

	if (fd < 0)
		return file_error(err);
	spool->piece = malloc(PIECE);
	if (!spool->piece ||
	    (spool->size &&
	     !fully_write(fd, spool->memory + spool->start, spool->size))) {
		bool is_written = spool->piece != NULL;

		free(spool->piece);
		spool->piece = NULL;
		(is_written ? file_error : err_memory)(err);
		close(fd);
		return false;
	}
	memory_free(spool->memory, spool->capacity);
	spool->memory = NULL;
	spool->capacity = spool->start = 0;
	spool->is_file = true;
	spool->fd = fd;
	return true;
}

/* Some of its bytes, which spool_bytes gave, as a spool of their own. */
static bool copy(const struct spool *spool, size_t at, size_t size, struct spool *to,
		 struct err *err)
{
	*to = (struct spool){ 0 };
	if (size)
		memory_resize(to, size);
	while (to->size < size) {
		size_t room = size - to->size;
		unsigned char *place = spool_room(to, &room, err);

		if (place)
			memcpy(place, spool->memory + spool->start + at + to->size,
			       room);
		if (!place || !spool_added(to, room, err)) {
			spool_clear(to);
			return false;
		}
	}
	return true;
}

/* Begins again with a file of nothing but what is still needed. */
static bool renew(struct spool *spool, struct err *err)
{
	struct spool fresh;

	if (!spool_bytes(spool, err) || !copy(spool, 0, spool->size, &fresh, err))
		return false;
	spool_clear(spool);
	*spool = fresh;
	return true;
}

unsigned char *spool_room(struct spool *spool, size_t *room, struct err *err)
{
	size_t wanted = *room < PIECE ? *room : PIECE;

	if (spool->is_file && spool->start > spool->size && !renew(spool, err))
		return NULL;
	if (!spool->is_file && memory_room(spool, wanted)) {
		size_t end = spool->start + spool->size;

		if (*room > spool->capacity - end)
			*room = spool->capacity - end;
		return spool->memory + end;
	}
	if (!spool->is_file && !move_to_file(spool, err))
		return NULL;
	*room = wanted;
	return spool->piece;
}

bool spool_added(struct spool *spool, size_t count, struct err *err)
{
	if (spool->is_file && !fully_write(spool->fd, spool->piece, count))
		return file_error(err);
	spool->size += count;
	return true;
}

const unsigned char *spool_bytes(struct spool *spool, struct err *err)
{
	size_t end = spool->start + spool->size;
	void *mapped;

	if (spool->size == 0)
		return nothing;
	if (spool->is_file && spool->capacity != end) {
		if (spool->memory)
			munmap(spool->memory, spool->capacity);
		spool->memory = NULL;
		spool->capacity = 0;
		mapped = mmap(NULL, end, PROT_READ, MAP_PRIVATE, spool->fd, 0);
		if (mapped == MAP_FAILED) {
			file_error(err);
			return NULL;
		}
		spool->memory = mapped;
		spool->capacity = end;
	}
	return spool->memory + spool->start;
}

/* All of the spool as a block. */
static struct block become_block(struct spool *spool)
{
	struct block block = { nothing, spool->size, spool->memory, spool->capacity,
			       spool->is_file };

	if (spool->memory)
		block.bytes = spool->memory + spool->start;
	if (spool->is_file)
		close(spool->fd);
	free(spool->piece);
	return block;
}

/* True if a block of that size would keep much more than its own memory. */
static bool is_wasteful(const struct spool *spool, size_t size)
{
	return !spool->is_file && size <= spool->capacity / 4;
}

bool spool_cut(struct spool *spool, size_t size, struct block *block, struct err *err)
{
	size_t rest = spool->size - size;
	struct spool other;

	if (rest < size && !is_wasteful(spool, size)) {
		if (!copy(spool, size, rest, &other, err))
			return false;
		spool->size = size;
		*block = become_block(spool);
		*spool = other;
		return true;
	}
	if (!copy(spool, 0, size, &other, err))
		return false;
	if (!spool_bytes(&other, err)) {
		spool_clear(&other);
		return false;
	}
	*block = become_block(&other);
	spool_drop(spool, size);
	return true;
}

void spool_drop(struct spool *spool, size_t size)
{
	spool->start += size;
	spool->size -= size;
	if (spool->size == 0 && spool->is_file)
		spool_clear(spool);
	else if (spool->size == 0)
		spool->start = 0;
}

void spool_clear(struct spool *spool)
{
	struct block block = { NULL, 0, spool->memory, spool->capacity,
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
		munmap(block->memory, block->capacity);
	else if (block->capacity)
		memory_free(block->memory, block->capacity);
	*block = (struct block){ 0 };
}
