#include "salvage/chunkfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/entries.h"
#include "base/path.h"
#include "base/str.h"
#include "jfr/header.h"

/* A file, as it was left. */
struct left {
	struct header header;
	uint64_t size;
	bool has_header;		/* whole, of a chunk */
};

/* True if somebody began to write a header, but got no further. */
static bool is_beginning(const unsigned char *bytes, size_t size)
{
	size_t common = size < HEADER_MAGIC_SIZE ? size : HEADER_MAGIC_SIZE;

	return size < HEADER_SIZE && memcmp(bytes, header_magic, common) == 0;
}

/* False: it is no file of chunks. */
static bool read_left(struct left *left, int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	unsigned char bytes[HEADER_SIZE];
	struct stat status;
	ssize_t size = -1;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		size = pread(fd, bytes, sizeof(bytes), 0);
	close(fd);
	if (size < 0)
		return false;
	left->size = (uint64_t)status.st_size;
	left->has_header = header_read(&left->header, bytes, (size_t)size, NULL);
	return left->has_header || is_beginning(bytes, (size_t)size);
}

/* True if there is something in it that can be read. */
static bool has_chunk(const struct left *left)
{
	return left->has_header && left->header.chunk_size > HEADER_SIZE &&
	       left->header.metadata_at > 0;
}

/* True if there may be something behind what the header vouches for. */
static bool is_open(const struct left *left, const struct spill_header *spill)
{
	return !has_chunk(left) || header_is_unfinished(&left->header) ||
	       (left->header.start_nanos == spill->flush_chunk &&
		left->size > (uint64_t)left->header.chunk_size);
}

static void note_end(struct chunkfiles *files, const struct header *header)
{
	int64_t nanos, ticks;

	if (header->duration_nanos < 0 ||
	    __builtin_add_overflow(header->start_nanos, header->duration_nanos, &nanos) ||
	    __builtin_add_overflow(header->start_ticks, header->duration_nanos, &ticks) ||
	    (files->has_end && nanos < files->end_nanos))
		return;
	files->has_end = true;
	files->end_nanos = nanos;
	files->end_ticks = ticks;
}

/* Of several that are open, which is one too many, the newest is it. */
struct look {
	struct chunkfiles *files;
	const char *repository;
	const struct spill_header *spill;
	int64_t start;			/* of what is cut */
};

static bool cut(struct look *look, const struct left *left, const char *name)
{
	struct chunkfiles *files = look->files;
	int64_t start = has_chunk(left) ? left->header.start_nanos : INT64_MAX;

	if (files->cut && start < look->start)
		return true;
	free(files->cut);
	files->cut = path_within(look->repository, name);
	files->cut_size = has_chunk(left) ? (uint64_t)left->header.chunk_size : 0;
	look->start = start;
	return files->cut != NULL;
}

/* False without memory. */
static bool look_at(int folder, const char *name, void *context)
{
	struct look *look = context;
	const struct spill_header *spill = look->spill;
	struct left left;

	if (!str_ends(str_of(name), STR(".jfr")) || !read_left(&left, folder, name))
		return true;
	if (has_chunk(&left)) {
		note_end(look->files, &left.header);
		look->files->is_done |=
			spill->flush_chunk != 0 &&
			left.header.start_nanos == spill->flush_chunk &&
			(uint64_t)left.header.chunk_size > spill->flush_size;
	}
	return !is_open(&left, spill) || cut(look, &left, name);
}

bool chunkfiles_look(struct chunkfiles *files, const char *repository,
		     const struct spill_header *spill, struct err *err)
{
	struct look look = { .files = files, .repository = repository, .spill = spill };
	int folder = open(repository, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_good;

	*files = (struct chunkfiles){ .is_done = false };
	if (folder < 0)
		return errno == ENOENT ||
		       err_system(err, "cannot open '%s'", repository);
	is_good = entries_each(folder, look_at, &look);
	close(folder);
	return is_good || err_memory(err);
}
