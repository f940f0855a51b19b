#include "engine/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fileid.h"
#include "base/siphash.h"
#include "jfr/header.h"
#include "jfr/writer.h"

#define STATE_AT 64	/* in the header */
#define STATE_REWRITE ((char)255)
#define STATE_ENDED 0

struct sink {
	struct constants *constants;
	struct repository *repository;
	struct writer writer;
	struct schema schema;
	struct arena arena;
	const struct element *metadata;	/* of all chunks, */
	int64_t metadata_id;		/* and its number */
	int fd;				/* of the open chunk; -1: none is */
	struct fileid file;		/* that it was opened for */
	unsigned epoch;
	struct header flushed;		/* the header that is in the file */
	uint64_t missing;
};

/* The zone, as metadata has it: milliseconds east of UTC, and those of summer. */
static void set_zone(struct schema *schema)
{
	time_t now = time(NULL);
	struct tm parts;

	if (!localtime_r(&now, &parts))
		return;
	schema->dst = parts.tm_isdst > 0 ? 3600000 : 0;
	schema->gmt_offset = (int)parts.tm_gmtoff * 1000 - schema->dst;
}

/*
 * The number of the metadata is made from it: readers take metadata of the same number
 * for the same, also if it comes from another producer or another version of us.
 */
static bool number_metadata(struct sink *sink)
{
	static const struct siphash_key key = { { 0x63, 0x6a } };
	struct buf buf = { 0 };
	bool is_there;

	element_write(sink->metadata, &buf);
	is_there = !buf.failed;
	if (is_there)
		sink->metadata_id = (int64_t)(siphash(&key, buf.bytes, buf.size) >> 34 |
					      1u << 30);
	buf_clear(&buf);
	return is_there;
}

static bool open_metadata(struct sink *sink)
{
	set_zone(&sink->schema);
	schema_add(&sink->schema, eventtypes);
	sink->metadata = schema_tree(&sink->schema, &sink->arena, NULL);
	return sink->metadata && number_metadata(sink);
}

struct sink *sink_new(struct constants *constants, struct repository *repository)
{
	struct sink *sink = calloc(1, sizeof(*sink));

	if (!sink)
		return NULL;
	sink->constants = constants;
	sink->repository = repository;
	sink->fd = -1;
	if (!open_metadata(sink)) {
		sink_free(sink);
		return NULL;
	}
	return sink;
}

static void close_file(struct sink *sink)
{
	fileid_close(&sink->file, sink->fd);
	sink->fd = -1;
}

void sink_free(struct sink *sink)
{
	if (!sink)
		return;
	if (sink->fd >= 0)
		close_file(sink);
	writer_clear(&sink->writer);
	schema_clear(&sink->schema);
	arena_clear(&sink->arena);
	free(sink);
}

/*
 * The process is not ours: others may close what they did not open, and remove files.
 */
static bool is_ours(const struct sink *sink, struct err *err)
{
	const char *path = repository_last(sink->repository);

	if (!fileid_is(&sink->file, sink->fd))
		return err_set(err, ERR_SYSTEM,
			       "cannot write %s: the program closed it", path);
	if (fileid_is_removed(&sink->file, sink->fd))
		return err_set(err, ERR_SYSTEM,
			       "cannot write %s: it was removed", path);
	return true;
}

static bool write_at(const struct sink *sink, const void *bytes, size_t size,
		     uint64_t at, struct err *err)
{
	const char *from = bytes;

	if (!is_ours(sink, err))
		return false;
	while (size > 0) {
		ssize_t count = pwrite(sink->fd, from, size, (off_t)at);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			errno = count == 0 ? ENOSPC : errno;
			return err_system(err, "cannot write %s",
					  repository_last(sink->repository));
		}
		from += count;
		size -= (size_t)count;
		at += (uint64_t)count;
	}
	return true;
}

/*
 * Who reads meanwhile sees by the state that the rest changes, and when it has. What is
 * before the state makes all count that it covers, and nothing takes that back: if only
 * the state fails, the next flush writes it, or finds out what is wrong. Behind the
 * last one there is none.
 */
static bool write_header(struct sink *sink, const struct header *header,
			 struct err *err)
{
	const char rewrite = STATE_REWRITE;
	const bool is_end = header->state == STATE_ENDED;
	struct buf bytes = { 0 };
	bool is_written;

	header_write(header, &bytes);
	is_written = (!bytes.failed || err_memory(err)) &&
		     write_at(sink, &rewrite, 1, STATE_AT, err) &&
		     write_at(sink, bytes.bytes, STATE_AT, 0, err);
	if (is_written) {
		sink->flushed = *header;
		is_written = write_at(sink, bytes.bytes + STATE_AT,
				      HEADER_SIZE - STATE_AT, STATE_AT,
				      is_end ? err : NULL) || !is_end;
	}
	buf_clear(&bytes);
	return is_written;
}

/* What the writer holds goes behind what is in the file. */
static bool write_held(struct sink *sink, struct err *err)
{
	struct writer *writer = &sink->writer;

	writer_end(writer);
	if (writer->buf.failed)
		return err_memory(err);
	if (!write_at(sink, writer->buf.bytes, writer->buf.size, writer->taken, err))
		return false;
	writer_taken(writer);
	return true;
}

/* Brings the file, and then its header, up to date. */
static bool flush(struct sink *sink, int64_t now, bool is_end, struct err *err)
{
	struct writer *writer = &sink->writer;
	int64_t start = writer->header.start_ticks;

	writer->header.duration_nanos = now > start ? now - start : 1;
	writer_copy_header(writer, POOL_CHUNK_HEADER, is_end ? 0 : CHECKPOINT_FLUSH,
			   is_end ? 0 : (uint8_t)writer->header.state);
	return write_held(sink, err) &&
	       (is_end ? writer_close(writer, err) : writer_flush(writer, err)) &&
	       write_header(sink, &writer->header, err);
}

/* If the descriptor is lost, its file may be there. */
static void open_again(struct sink *sink)
{
	if (fileid_is(&sink->file, sink->fd))
		return;
	sink->fd = open(repository_last(sink->repository),
			O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (sink->fd < 0 || fileid_is(&sink->file, sink->fd))
		return;
	close(sink->fd);
	sink->fd = -1;
}

/* Finishes what can be read, and is done. */
static void give_up(struct sink *sink)
{
	struct header header = sink->flushed;

	header.state = STATE_ENDED;
	header.flags |= HEADER_FINAL;
	open_again(sink);
	if (header.chunk_size == 0) {
		repository_abandon(sink->repository);
	} else {
		if (ftruncate(sink->fd, (off_t)header.chunk_size) == 0)
			write_header(sink, &header, NULL);
		repository_grown(sink->repository, (uint64_t)header.chunk_size,
				 header.start_nanos + header.duration_nanos);
	}
	close_file(sink);
	buf_clear(&sink->writer.buf);
}

/* The end of a step: the file has grown, or something failed. */
static bool settle(struct sink *sink, bool is_good)
{
	if (is_good)
		repository_grown(sink->repository, sink_size(sink), 0);
	else
		give_up(sink);
	return is_good;
}

void sink_metadata(const struct sink *sink, struct buf *to)
{
	struct writer writer = { .now = 0 };
	size_t at;

	writer_open(&writer, NULL);
	at = writer.buf.size;
	writer_element_as(&writer, sink->metadata_id, sink->metadata);
	if (writer.buf.failed)
		to->failed = true;
	else
		buf_add(to, writer.buf.bytes + at, writer.buf.size - at);
	writer_clear(&writer);
}

static void open_writer(struct sink *sink, struct instant start)
{
	struct header header = writer_header;

	header.flags = HEADER_COMPRESSED;
	header.start_nanos = start.nanos;
	header.start_ticks = start.ticks;
	writer_restart(&sink->writer);
	sink->writer.now = start.ticks;
	writer_open(&sink->writer, &header);
	writer_element_as(&sink->writer, sink->metadata_id, sink->metadata);
}

bool sink_begin(struct sink *sink, struct instant start, unsigned epoch,
		struct err *err)
{
	sink->fd = repository_begin(sink->repository, start.nanos, epoch, err);
	if (sink->fd < 0)
		return false;
	sink->file = fileid_of(sink->fd);
	constants_restart(sink->constants);
	sink->flushed = (struct header){ 0 };
	sink->epoch = epoch;
	open_writer(sink, start);
	return settle(sink, flush(sink, start.ticks, false, err));
}

/* They go to the file without a copy. */
static bool add(struct sink *sink, struct str events, unsigned epoch, int64_t now,
		struct err *err)
{
	struct writer *writer = &sink->writer;

	writer->now = now;
	if (events.size > 0) {
		if (!constants_want(sink->constants, events.bytes, events.size, epoch,
				    &sink->missing, err) ||
		    !write_at(sink, events.bytes, events.size, writer->taken, err))
			return false;
		writer_passed(writer, events.size);
	}
	constants_take(sink->constants, writer, 0);
	return true;
}

bool sink_add(struct sink *sink, struct str events, unsigned epoch, int64_t now,
	      struct err *err)
{
	return settle(sink, add(sink, events, epoch, now, err) &&
				    write_held(sink, err));
}

bool sink_flush(struct sink *sink, int64_t now, struct err *err)
{
	sink->writer.now = now;
	return settle(sink, flush(sink, now, false, err));
}

bool sink_end(struct sink *sink, int64_t now, bool is_last, struct instant *end,
	      struct err *err)
{
	struct header *header = &sink->writer.header;

	sink->writer.now = now;
	if (is_last)
		header->flags |= HEADER_FINAL;
	if (!settle(sink, flush(sink, now, true, err)))
		return false;
	*end = (struct instant){ header->start_nanos + header->duration_nanos,
				 header->start_ticks + header->duration_nanos };
	repository_grown(sink->repository, sink_size(sink), end->nanos);
	close_file(sink);
	return true;
}

uint64_t sink_size(const struct sink *sink)
{
	return sink->fd < 0 ? 0 : (uint64_t)sink->flushed.chunk_size;
}

int64_t sink_start_nanos(const struct sink *sink)
{
	return sink->fd < 0 ? 0 : sink->flushed.start_nanos;
}

int64_t sink_start(const struct sink *sink)
{
	return sink->fd < 0 ? 0 : sink->flushed.start_ticks;
}

unsigned sink_epoch(const struct sink *sink)
{
	return sink->fd < 0 ? 0 : sink->epoch;
}

uint64_t sink_missing(const struct sink *sink)
{
	return sink->missing;
}
