#include "jfr/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "jfr/header.h"

#define PIECE ((size_t)64 << 10)

struct unpacking {
	struct archive *archive;
	source_read *read;
	void *context;
	struct err err;		/* of reading what is packed */
	bool is_in_file;	/* a file of the archive is open */
	bool has_file;		/* there was one to be read */
	unsigned char head[HEADER_MAGIC_SIZE];	/* of it, not yet given on */
	size_t head_size;
	unsigned char piece[PIECE];
};

/* Keeps the reason, which libarchive would not. */
static la_ssize_t read_packed(struct archive *archive, void *context,
			      const void **bytes)
{
	struct unpacking *unpacking = context;
	ssize_t got = unpacking->read(unpacking->context, unpacking->piece, PIECE,
				      &unpacking->err);

	*bytes = unpacking->piece;
	if (got < 0)
		archive_set_error(archive, ARCHIVE_FATAL, "%s", unpacking->err.text);
	return got;
}

static bool fail(const struct unpacking *unpacking, struct err *err)
{
	const char *reason = archive_error_string(unpacking->archive);

	if (unpacking->err.kind != ERR_NONE) {
		*err = unpacking->err;
		return false;
	}
	return err_set(err, ERR_FORMAT, "cannot be unpacked: %s",
		       reason ? reason : "unknown error");
}

static void unpack_close(void *context)
{
	struct unpacking *unpacking = context;

	if (unpacking->archive)
		archive_read_free(unpacking->archive);
	free(unpacking);
}

/* Not all that libarchive knows: for some packings it starts other programs. */
static void support(struct archive *archive)
{
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_bzip2(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_lz4(archive);
	archive_read_support_format_zip_streamable(archive);
	archive_read_support_format_raw(archive);
	archive_read_support_format_empty(archive);
}

static void *unpack_open(source_read *read, void *context, struct err *err)
{
	struct unpacking *unpacking = calloc(1, sizeof(*unpacking));

	if (!unpacking) {
		err_memory(err);
		return NULL;
	}
	unpacking->read = read;
	unpacking->context = context;
	unpacking->archive = archive_read_new();
	if (!unpacking->archive) {
		err_memory(err);
	} else {
		support(unpacking->archive);
		if (archive_read_open(unpacking->archive, unpacking, NULL, read_packed,
				      NULL) == ARCHIVE_OK)
			return unpacking;
		fail(unpacking, err);
	}
	unpack_close(unpacking);
	return NULL;
}

/* Reads how the file begins; false if it is to be passed over. */
static bool read_head(struct unpacking *unpacking)
{
	la_ssize_t got = archive_read_data(unpacking->archive, unpacking->head,
					   sizeof(unpacking->head));

	unpacking->head_size = got > 0 ? (size_t)got : 0;
	if (archive_format(unpacking->archive) == ARCHIVE_FORMAT_RAW)
		return true;
	return got == sizeof(unpacking->head) &&
	       memcmp(unpacking->head, header_magic, sizeof(unpacking->head)) == 0;
}

/* Nothing at all was packed. */
static bool is_empty(const struct unpacking *unpacking)
{
	return archive_format(unpacking->archive) == ARCHIVE_FORMAT_EMPTY;
}

/* Goes on to the next file to read; 0 at the end, -1 with err set. */
static int next_file(struct unpacking *unpacking, struct err *err)
{
	struct archive_entry *entry;
	int result;

	do {
		result = archive_read_next_header(unpacking->archive, &entry);
		if (result == ARCHIVE_EOF && (unpacking->has_file || is_empty(unpacking)))
			return 0;
		if (result == ARCHIVE_EOF)
			err_set(err, ERR_FORMAT, "the archive holds no recording");
		else if (result < ARCHIVE_WARN)
			fail(unpacking, err);
		if (result == ARCHIVE_EOF || result < ARCHIVE_WARN)
			return -1;
	} while (!read_head(unpacking));
	unpacking->is_in_file = unpacking->has_file = true;
	return 1;
}

/* The next bytes of the file that is open; 0 at its end. */
static la_ssize_t read_file(struct unpacking *unpacking, unsigned char *to, size_t size)
{
	size_t count = unpacking->head_size < size ? unpacking->head_size : size;

	if (count == 0)
		return archive_read_data(unpacking->archive, to, size);
	memcpy(to, unpacking->head, count);
	unpacking->head_size -= count;
	memmove(unpacking->head, unpacking->head + count, unpacking->head_size);
	return (la_ssize_t)count;
}

static ssize_t unpack_read(void *context, unsigned char *to, size_t size, struct err *err)
{
	struct unpacking *unpacking = context;

	for (;;) {
		la_ssize_t got = 0;
		int next;

		if (unpacking->is_in_file)
			got = read_file(unpacking, to, size);
		if (got > 0)
			return got;
		if (got < 0) {
			fail(unpacking, err);
			return -1;
		}
		next = next_file(unpacking, err);
		if (next <= 0)
			return next;
	}
}

const struct unpacker unpack_archive = { unpack_open, unpack_read, unpack_close };
