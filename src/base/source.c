#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const unsigned char nothing[1];

static int path_open(const char *path)
{
	int fd;

	do
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	return fd;
}

/* As read(2), but waits also where the pipe is set not to block. */
static ssize_t file_read(struct source *source, unsigned char *to, size_t size,
			 struct err *err)
{
	struct pollfd wait = { .fd = source->fd, .events = POLLIN };
	ssize_t got;

	for (;;) {
		got = read(source->fd, to, size);
		if (got >= 0)
			return got;
		if (errno == EAGAIN) {
			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			err_system(err, "cannot read '%s'", source->name);
			return -1;
		}
	}
}

/* What was read ahead comes first. */
static ssize_t packed_read(void *context, unsigned char *to, size_t size,
			   struct err *err)
{
	struct source *source = context;
	size_t left = source->head_size - source->head_at;

	if (left == 0)
		return file_read(source, to, size, err);
	left = left < size ? left : size;
	memcpy(to, source->head + source->head_at, left);
	source->head_at += left;
	return (ssize_t)left;
}

/* Fewer than size bytes only at the end of the input. */
static bool head_read(struct source *source, struct err *err)
{
	while (source->head_size < sizeof(source->head)) {
		ssize_t got = file_read(source, source->head + source->head_size,
					sizeof(source->head) - source->head_size, err);

		if (got < 0)
			return false;
		if (got == 0)
			break;
		source->head_size += (size_t)got;
	}
	return true;
}

/* How the input is packed, going by its first bytes; NULL: not in a way we know. */
static const char *packing(const unsigned char *bytes, size_t size)
{
	static const struct {
		const char *magic, *name;
	} packings[] = {
		{ "\x1f\x8b", "gzip" },	   { "PK\3\4", "zip" },
		{ "\x28\xb5\x2f\xfd", "zstd" }, { "\x04\x22\x4d\x18", "lz4" },
		{ "\xfd" "7zXZ", "xz" },   { "BZh", "bzip2" },
	};

	for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		size_t length = strlen(packings[i].magic);

		if (size > length && memcmp(bytes, packings[i].magic, length) == 0)
			return packings[i].name;
	}
	return NULL;
}

/* False if it is packed and cannot be unpacked. */
static bool unpack(struct source *source, const struct unpacker *unpacker,
		   struct err *err)
{
	const char *name = packing(source->head, source->head_size);

	if (!name)
		return true;
	if (!unpacker)
		return err_set(err, ERR_FORMAT, "compressed with %s; decompress it first",
			       name);
	source->unpacking = unpacker->open(packed_read, source, err);
	source->unpacker = source->unpacking ? unpacker : NULL;
	return source->unpacking != NULL;
}

/*
 * Maps what lies behind the file's position: standard input may have been read in
 * part. Mappings begin on a page. An empty rest is mapped as well as need be.
 */
static bool file_map(struct source *source, off_t end, struct err *err)
{
	off_t position = lseek(source->fd, 0, SEEK_CUR);
	off_t within = position > 0 ? position % sysconf(_SC_PAGESIZE) : 0;
	void *mapped;
	size_t size;

	if (position < 0)
		return err_system(err, "cannot read '%s'", source->name);
	source->is_ended = true;
	if (position >= end)
		return true;
	size = (size_t)(end - position + within);
	if ((uintmax_t)size != (uintmax_t)(end - position + within)) {
		errno = EFBIG;
		return err_system(err, "cannot read '%s'", source->name);
	}
	mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, source->fd,
		      position - within);
	if (mapped == MAP_FAILED)
		return err_system(err, "cannot read '%s'", source->name);
	madvise(mapped, size, MADV_SEQUENTIAL);
	source->mapped = mapped;
	source->mapped_size = size;
	source->bytes = source->mapped + within;
	source->size = size - (size_t)within;
	return true;
}

static void file_unmap(struct source *source)
{
	if (source->mapped)
		munmap(source->mapped, source->mapped_size);
	source->mapped = NULL;
	source->bytes = nothing;
	source->size = 0;
}

/* A regular file is mapped to see how it begins, and unmapped if it is packed. */
static bool file_prepare(struct source *source, off_t size,
			 const struct unpacker *unpacker, struct err *err)
{
	off_t position = lseek(source->fd, 0, SEEK_CUR);

	source->file_size = (uint64_t)size;
	if (!file_map(source, size, err))
		return false;
	source->head_size = source->size < sizeof(source->head) ? source->size
								  : sizeof(source->head);
	memcpy(source->head, source->bytes, source->head_size);
	if (!packing(source->head, source->head_size))
		return true;
	file_unmap(source);
	source->is_ended = false;
	if (lseek(source->fd, position + (off_t)source->head_size, SEEK_SET) < 0)
		return err_system(err, "cannot read '%s'", source->name);
	return unpack(source, unpacker, err);
}

static bool descriptor_prepare(struct source *source, const struct unpacker *unpacker,
			       struct err *err)
{
	struct stat status;

	if (fstat(source->fd, &status) != 0)
		return err_system(err, "cannot read '%s'", source->name);
	if (S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return err_system(err, "cannot read '%s'", source->name);
	}
	if (S_ISREG(status.st_mode))
		return file_prepare(source, status.st_size, unpacker, err);
	return head_read(source, err) && unpack(source, unpacker, err);
}

const char *source_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool source_open(struct source *source, const char *path,
		 const struct unpacker *unpacker, struct err *err)
{
	*source = (struct source){ .bytes = nothing, .name = source_name(path) };
	if (strcmp(path, "-") == 0) {
		source->fd = STDIN_FILENO;
	} else {
		source->fd = path_open(path);
		if (source->fd < 0)
			return err_system(err, "cannot open '%s'", path);
		source->is_own_fd = true;
	}
	if (descriptor_prepare(source, unpacker, err))
		return true;
	source_close(source);
	return false;
}

struct source source_of_bytes(const void *bytes, size_t size, const char *name)
{
	return (struct source){ .bytes = bytes, .size = size, .name = name,
				.is_ended = true };
}

/* Of so many bytes, those that are not cut off. */
static size_t uncut(const struct source *source, size_t wanted)
{
	uint64_t read = source->offset + source->spool.size, left;

	if (!source->cut)
		return wanted;
	left = source->cut > read ? source->cut - read : 0;
	return wanted < left ? wanted : (size_t)left;
}

/* One piece more; false at the end of the input, early or not. */
static bool read_piece(struct source *source, size_t wanted)
{
	struct err *err = &source->failure;
	unsigned char *to;
	ssize_t got;

	wanted = uncut(source, wanted);
	if (!wanted)
		return false;
	to = spool_room(&source->spool, &wanted, err);
	if (!to) {
		source->is_out_of_room = true;
		return false;
	}
	got = source->unpacking
		      ? source->unpacker->read(source->unpacking, to, wanted, err)
		      : packed_read(source, to, wanted, err);
	if (got <= 0)
		return false;
	source->is_out_of_room = !spool_added(&source->spool, (size_t)got, err);
	return !source->is_out_of_room;
}

static void show_spool(struct source *source)
{
	source->bytes = spool_bytes(&source->spool, &source->failure);
	source->size = source->bytes ? source->spool.size : 0;
	if (source->bytes)
		return;
	source->bytes = nothing;
	source->is_ended = source->is_out_of_room = true;
}

size_t source_fill(struct source *source, size_t size)
{
	if (source->is_ended || source->size >= size)
		return source->size;
	while (!source->is_ended && source->spool.size < size)
		source->is_ended = !read_piece(source, size - source->spool.size);
	show_spool(source);
	return source->size;
}

bool source_take(struct source *source, size_t size, struct block *block,
		 struct err *err)
{
	if (source->spool.size == 0) {
		*block = (struct block){ .bytes = source->bytes, .size = size };
		source->bytes += size;
		source->size -= size;
	} else {
		if (!spool_cut(&source->spool, size, block, err))
			return false;
		show_spool(source);
	}
	source->offset += size;
	return true;
}

void source_skip(struct source *source, size_t size)
{
	source->offset += size;
	if (source->spool.size == 0) {
		source->bytes += size;
		source->size -= size;
	} else {
		spool_drop(&source->spool, size);
		show_spool(source);
	}
}

void source_copy(struct source *source)
{
	if (!source->mapped)
		return;
	file_unmap(source);
	source->is_ended = false;
	source->head_size = source->head_at = 0;
}

void source_cut(struct source *source, uint64_t size)
{
	source->cut = size;
	if (source->size > size)
		source->size = (size_t)size;
	source->is_ended |= source->size == size;
}

uint64_t source_position(const struct source *source)
{
	off_t position = source->mapped ? -1 : lseek(source->fd, 0, SEEK_CUR);

	if (!source->file_size)
		return source->offset;
	return position < 0 ? source->offset : (uint64_t)position;
}

bool source_waits(void)
{
	struct stat status;

	if (fstat(STDIN_FILENO, &status) != 0)
		return false;
	return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ||
	       S_ISREG(status.st_mode);
}

void source_finish(struct source *source)
{
	if (source->unpacking)
		source->unpacker->close(source->unpacking);
	source->unpacking = NULL;
	spool_clear(&source->spool);
	if (source->is_own_fd)
		close(source->fd);
	source->is_own_fd = false;
	source->bytes = nothing;
	source->size = 0;
	source->is_ended = true;
}

void source_close(struct source *source)
{
	source_finish(source);
	file_unmap(source);
	*source = (struct source){ .bytes = nothing, .name = source->name,
				   .is_ended = true };
}
