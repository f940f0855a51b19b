#include "jfr/header.h"

#include "jfr/cursor.h"
#include "jfr/encode.h"

const char header_magic[HEADER_MAGIC_SIZE] = { 'F', 'L', 'R', 0 };

static bool refuse_version(const struct header *header, struct err *err)
{
	return err_set(err, ERR_FORMAT,
		       "version %d.%d of the format is not supported%s; "
		       "versions 1.x and 2.x are",
		       (int)header->major, (int)header->minor,
		       header->major == 0 ? " (JDK 7 and Oracle JDK 8)" : "");
}

bool header_read(struct header *header, const unsigned char *bytes, size_t size,
		 struct err *err)
{
	struct cursor cursor = cursor_of(bytes, size);
	const unsigned char *start = cursor_bytes(&cursor, HEADER_MAGIC_SIZE);

	if (start && memcmp(start, header_magic, HEADER_MAGIC_SIZE) != 0)
		return err_set(err, ERR_FORMAT, "not a Flight Recorder chunk");
#define X(name, width) header->name = (int64_t)cursor_big(&cursor, width);
	HEADER_FIELDS(X)
#undef X
	/* The version stands first: it can be told even when the rest is missing. */
	if (size >= 8 && header->major != 1 && header->major != 2)
		return refuse_version(header, err);
	if (cursor.bad)
		return err_set(err, ERR_FORMAT,
			       "too short for a chunk header: %zu bytes", size);
	return true;
}

bool header_is_likely(const unsigned char *bytes, size_t size)
{
	struct header header;

	return size >= HEADER_SIZE &&
	       memcmp(bytes, header_magic, HEADER_MAGIC_SIZE) == 0 &&
	       header_read(&header, bytes, size, NULL) && header.minor <= 9 &&
	       header.start_nanos > 0 &&
	       header.ticks_per_second > 0 && header.pad == 0;
}

bool header_is_unfinished(const struct header *header)
{
	bool has_state = header->major == 2 && header->minor >= 1;

	if (has_state)
		return header->state != 0;
	return header->metadata_at == 0 && header->checkpoint_at == 0;
}

void header_write(const struct header *header, struct buf *to)
{
	buf_add(to, header_magic, HEADER_MAGIC_SIZE);
#define X(name, width) encode_big(to, (uint64_t)header->name, width);
	HEADER_FIELDS(X)
#undef X
}
