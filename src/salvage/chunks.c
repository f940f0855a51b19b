#include "salvage/chunks.h"

#include <string.h>

#include "engine/holdings.h"
#include "jfr/compile.h"
#include "jfr/eventtypes.h"
#include "jfr/frame.h"
#include "jfr/texts.h"

/* Events of one chunk, in bytes about. */
#define CHUNK_SIZE ((size_t)32 << 20)

#define EPOCH 1		/* there is but one */

/* --- types -------------------------------------------------------------------- */

static bool read_types(struct chunks *chunks, struct err *err)
{
	const struct buf *event = &chunks->event;

	if (event->failed)
		return err_memory(err);
	if (!metadata_read(&chunks->metadata, (const unsigned char *)event->bytes,
			   event->size, &chunks->arena, err))
		return false;
	if (!holdings_know(&chunks->metadata))
		return err_set(err, ERR_FORMAT, "constants are of other types");
	return compile_types(&chunks->metadata, &chunks->arena) || err_memory(err);
}

/* The constants of those types, which are good. */
static bool open_constants(struct chunks *chunks, struct err *err)
{
	chunks->records = records_new(NULL);
	if (chunks->records)
		chunks->constants = constants_new(chunks->records, chunks->event.bytes,
						  chunks->event.size);
	return chunks->constants || err_memory(err);
}

static void forget_types(struct chunks *chunks)
{
	constants_free(chunks->constants);
	records_free(chunks->records);
	metadata_clear(&chunks->metadata);
	arena_clear(&chunks->arena);
	buf_clear(&chunks->event);
	chunks->constants = NULL;
	chunks->records = NULL;
	chunks->metadata = (struct metadata){ .type_count = 0 };
}

static bool take_types(struct chunks *chunks, struct str event, struct err *err)
{
	buf_str(&chunks->event, event);
	return read_types(chunks, err) && open_constants(chunks, err);
}

/* Our own. */
static bool take_usual_types(struct chunks *chunks, struct err *err)
{
	struct buf recording = { 0 };
	struct header header;
	bool is_good;

	is_good = eventtypes_recording(&recording, err) &&
		  header_read(&header, (const unsigned char *)recording.bytes,
			      recording.size, err);
	if (is_good)
		is_good = take_types(chunks,
				     (struct str){ recording.bytes + header.metadata_at,
						   recording.size -
							   (size_t)header.metadata_at },
				     err);
	buf_clear(&recording);
	return is_good;
}

bool chunks_open(struct chunks *chunks, const struct spill_header *spill,
		 const struct chunkfiles *files, struct str event, struct err *err)
{
	struct err why;

	*chunks = (struct chunks){ .spill = spill, .files = files };
	if (event.size > 0) {
		if (take_types(chunks, event, &why))
			return true;
		if (why.kind == ERR_MEMORY)
			return err_memory(err);
		chunks->damaged++;
		forget_types(chunks);
	}
	return take_usual_types(chunks, err);
}

bool chunks_know(struct chunks *chunks, enum pool_id type, uint64_t key,
		 const char *bytes, size_t size, struct err *err)
{
	const struct type *known = metadata_type(&chunks->metadata, type);
	struct cursor cursor = cursor_of((const unsigned char *)bytes, size);

	if (!known || !texts_check(&known->program, &cursor))
		return err_set(err, ERR_FORMAT, "a constant cannot be read");
	return constants_restore(chunks->constants, type, key, bytes, size, err);
}

/* --- one chunk ---------------------------------------------------------------- */

static void begin(struct chunks *chunks)
{
	struct writer *writer = &chunks->writer;
	struct header header = writer_header;

	header.flags = HEADER_COMPRESSED;
	constants_restart(chunks->constants);
	writer_restart(writer);
	writer_open(writer, &header);
	writer->header.metadata_at = (int64_t)writer_position(writer);
	buf_str(&writer->buf, buf_as_str(&chunks->event));
	chunks->first = INT64_MAX;
	chunks->last = INT64_MIN;
	chunks->count++;
}

/* The first follows the files, those behind it the one before by as little as can be. */
static void set_times(struct chunks *chunks)
{
	const struct spill_header *spill = chunks->spill;
	struct header *header = &chunks->writer.header;
	uint64_t nanos = (uint64_t)spill->start_nanos - (uint64_t)spill->start_ticks;
	int64_t first = chunks->first > spill->start_ticks ? chunks->first
							    : spill->start_ticks;

	if (chunks->count > 1)
		chunks->start++;
	else
		chunks->start = chunks->files->has_end ? chunks->files->end_ticks
						       : first;
	if (chunks->files->has_end)
		nanos = (uint64_t)chunks->files->end_nanos -
			(uint64_t)chunks->files->end_ticks;
	header->start_ticks = chunks->start;
	header->start_nanos = (int64_t)((uint64_t)chunks->start + nanos);
	header->duration_nanos = 1;
	if (chunks->last > chunks->start)
		header->duration_nanos =
			(int64_t)((uint64_t)chunks->last - (uint64_t)chunks->start);
}

static bool put_away(struct chunks *chunks, struct err *err)
{
	const struct buf *from = &chunks->writer.buf;
	size_t at = 0;

	while (at < from->size) {
		size_t room = from->size - at;
		unsigned char *to = spool_room(&chunks->spool, &room, err);

		if (!to)
			return false;
		memcpy(to, from->bytes + at, room);
		if (!spool_added(&chunks->spool, room, err))
			return false;
		at += room;
	}
	return true;
}

static bool finish(struct chunks *chunks, bool is_last, struct err *err)
{
	struct writer *writer = &chunks->writer;

	set_times(chunks);
	writer->now = chunks->start;
	if (is_last)
		writer->header.flags |= HEADER_FINAL;
	constants_take(chunks->constants, writer, 0);
	writer_copy_header(writer, POOL_CHUNK_HEADER, 0, 0);
	return writer_close(writer, err) && put_away(chunks, err);
}

/* --- events ------------------------------------------------------------------- */

/* When it began and ended; ours say so first. */
static void note_times(struct chunks *chunks, const struct type *type,
		       const struct frame *frame, const unsigned char *end)
{
	struct cursor cursor = { frame->body, end, false };
	int64_t start, duration = 0, last;

	if (!type->has_plain_ticks)
		return;
	start = (int64_t)cursor_varint(&cursor);
	if (type->duration)
		duration = (int64_t)cursor_varint(&cursor);
	if (duration < 0 || __builtin_add_overflow(start, duration, &last))
		last = start;
	if (start < chunks->first)
		chunks->first = start;
	if (last > chunks->last)
		chunks->last = last;
}

/* It fits its type, and its strings can be read. */
static bool is_good(const struct type *type, const struct frame *frame,
		    const unsigned char *end)
{
	struct cursor cursor = { frame->body, end, false };

	return type && texts_check(&type->program, &cursor);
}

/* One that cannot be read is left out. */
static bool add(struct chunks *chunks, const char *bytes, const struct frame *frame,
		struct err *err)
{
	const struct type *type = metadata_event(&chunks->metadata, frame->type_id);
	const unsigned char *end = (const unsigned char *)bytes + frame->size;
	struct err why = { ERR_NONE, "" };

	if (chunks->count == 0)
		begin(chunks);
	if (!is_good(type, frame, end) ||
	    !constants_want(chunks->constants, bytes, frame->size, EPOCH,
			    &chunks->missing, &why)) {
		chunks->damaged++;
		return why.kind != ERR_MEMORY || err_memory(err);
	}
	note_times(chunks, type, frame, end);
	buf_add(&chunks->writer.buf, bytes, frame->size);
	chunks->events++;
	if (chunks->writer.buf.failed)
		return err_memory(err);
	return true;
}

/* An event is there that needs another chunk. */
static bool turn(struct chunks *chunks, struct err *err)
{
	if (chunks->count == 0 || chunks->writer.buf.size < CHUNK_SIZE)
		return true;
	if (!finish(chunks, false, err))
		return false;
	begin(chunks);
	return true;
}

bool chunks_add(struct chunks *chunks, const char *bytes, size_t size, struct err *err)
{
	struct frame frame;

	for (size_t at = 0; at < size; at += frame.size) {
		if (frame_read((const unsigned char *)bytes, size, at, &frame)) {
			chunks->damaged++;
			break;
		}
		if (!turn(chunks, err) || !add(chunks, bytes + at, &frame, err))
			return false;
	}
	return true;
}

bool chunks_end(struct chunks *chunks, struct block *block, struct err *err)
{
	*block = (struct block){ .size = 0 };
	if (chunks->events == 0)
		return true;
	return finish(chunks, true, err) && spool_bytes(&chunks->spool, err) &&
	       spool_cut(&chunks->spool, chunks->spool.size, block, err);
}

void chunks_clear(struct chunks *chunks)
{
	forget_types(chunks);
	writer_clear(&chunks->writer);
	spool_clear(&chunks->spool);
	*chunks = (struct chunks){ .count = 0 };
}
