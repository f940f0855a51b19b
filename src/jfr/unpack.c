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
	const unsigned char *block;	/* of it, not yet given on; libarchive's */
	size_t block_size;
	int result;		/* of looking for the block */
	struct err late;	/* what was wrong with one of several files */
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
		       reason ? reason : "it is damaged or cut short");
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

/*
 * Goes on to the next block of the file, where the last one is used up. Block by block, so
 * that what was unpacked in front of a fault is not lost.
 */
static void find_block(struct unpacking *unpacking)
{
	const void *block;
	la_int64_t offset;

	while (unpacking->block_size == 0 && unpacking->result >= ARCHIVE_WARN &&
	       unpacking->result != ARCHIVE_EOF) {
		unpacking->result = archive_read_data_block(
			unpacking->archive, &block, &unpacking->block_size, &offset);
		unpacking->block = block;
	}
}

/* True if the file, which was just opened, is to be read. */
static bool is_wanted(struct unpacking *unpacking)
{
	unpacking->block_size = 0;
	unpacking->result = ARCHIVE_OK;
	find_block(unpacking);
	if (archive_format(unpacking->archive) == ARCHIVE_FORMAT_RAW)
		return true;
	return unpacking->block_size >= HEADER_MAGIC_SIZE &&
	       memcmp(unpacking->block, header_magic, HEADER_MAGIC_SIZE) == 0;
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
	} while (!is_wanted(unpacking));
	unpacking->is_in_file = unpacking->has_file = true;
	return 1;
}

/* The next bytes of the file that is open; 0 at its end, -1 behind which is a fault. */
static ssize_t read_file(struct unpacking *unpacking, unsigned char *to, size_t size)
{
	size_t count;

	find_block(unpacking);
	count = unpacking->block_size < size ? unpacking->block_size : size;
	if (count == 0)
		return unpacking->result == ARCHIVE_EOF ? 0 : -1;
	memcpy(to, unpacking->block, count);
	unpacking->block += count;
	unpacking->block_size -= count;
	return (ssize_t)count;
}

/* There may be more files behind one that is broken: that is told at the end. */
static bool goes_on(struct unpacking *unpacking, struct err *err)
{
	fail(unpacking, err);
	if (unpacking->result == ARCHIVE_FATAL ||
	    archive_format(unpacking->archive) == ARCHIVE_FORMAT_RAW)
		return false;
	if (unpacking->late.kind == ERR_NONE)
		unpacking->late = *err;
	return true;
}

static ssize_t unpack_read(void *context, unsigned char *to, size_t size, struct err *err)
{
	struct unpacking *unpacking = context;

	for (;;) {
		ssize_t got = 0;
		int next;

		if (unpacking->is_in_file)
			got = read_file(unpacking, to, size);
		if (got > 0)
			return got;
		if (got < 0 && !goes_on(unpacking, err))
			return -1;
		next = next_file(unpacking, err);
		if (next == 0 && unpacking->late.kind != ERR_NONE) {
			*err = unpacking->late;
			return -1;
		}
		if (next <= 0)
			return next;
	}
}

const struct unpacker unpack_archive = { unpack_open, unpack_read, unpack_close };
