#include "jfr/sieve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fully.h"
#include "jfr/encode.h"
#include "jfr/frame.h"
#include "jfr/header.h"

#define ROOM ((size_t)128 << 10)	/* bytes of the chunk in memory */

/* What is looked at of an event: for a copy of the header, the most that one has. */
#define HEAD_MAX ((size_t)FRAME_HEAD_MAX + 8 * ENCODE_VARINT_MAX + 1 + HEADER_SIZE)

/*
 * Events that stay move to the front of the memory, over those that go, until there is
 * no more to read in it:
 *
 *	0   kept      at          end
 *	| stays |     | not seen  |
 */
struct sieving {
	const struct sieve *sieve;
	int from, to;
	struct header header;		/* as it was */
	bool has_duration[EVENT_COUNT];
	unsigned char *bytes;
	size_t kept, at, end;
	uint64_t read;			/* of the chunk, so far: what ends at `end` */
	uint64_t written;
	uint64_t chained_at;		/* the last checkpoint, as it was; 0: none yet */
	uint64_t checkpoint_at, metadata_at;	/* the last ones, as they become; 0 */
	struct buf buf;
	struct err *err;
};

/* Where what is not seen yet begins, in the chunk that is read. */
static uint64_t old_place(const struct sieving *sieving)
{
	return sieving->read - (sieving->end - sieving->at);
}

static uint64_t new_place(const struct sieving *sieving)
{
	return sieving->written + sieving->kept;
}

static uint64_t left(const struct sieving *sieving)
{
	return (uint64_t)sieving->header.chunk_size - old_place(sieving);
}

static bool fail(const struct sieving *sieving, const char *why)
{
	return err_set(sieving->err, ERR_FORMAT, "at byte %llu: %s",
		       (unsigned long long)old_place(sieving), why);
}

/* --- memory ------------------------------------------------------------------------ */

/* As much of the chunk as there is room for. */
static bool fill(struct sieving *sieving)
{
	uint64_t chunk_size = (uint64_t)sieving->header.chunk_size;

	while (sieving->end < ROOM && sieving->read < chunk_size) {
		uint64_t more = chunk_size - sieving->read;
		size_t most = ROOM - sieving->end;
		ssize_t got = pread(sieving->from, sieving->bytes + sieving->end,
				    more < most ? (size_t)more : most,
				    (off_t)sieving->read);

		if (got == 0)
			return fail(sieving, "the file ends before its chunk");
		if (got < 0 && errno != EINTR)
			return err_system(sieving->err, "a chunk cannot be read");
		if (got > 0) {
			sieving->end += (size_t)got;
			sieving->read += (uint64_t)got;
		}
	}
	return true;
}

static bool write_kept(struct sieving *sieving)
{
	if (!fully_write(sieving->to, sieving->bytes, sieving->kept))
		return err_system(sieving->err, "a chunk cannot be written");
	sieving->written += sieving->kept;
	sieving->kept = 0;
	return true;
}

/* So much of what comes next is there then, or all that is left of the chunk. */
static bool need(struct sieving *sieving, size_t size)
{
	size_t there = sieving->end - sieving->at;

	if (there >= size || there == left(sieving))
		return true;
	if (!write_kept(sieving))
		return false;
	memmove(sieving->bytes, sieving->bytes + sieving->at, there);
	sieving->at = 0;
	sieving->end = there;
	return fill(sieving);
}

static bool keep(struct sieving *sieving, uint64_t size)
{
	while (size > 0) {
		size_t there = sieving->end - sieving->at;

		if (there > size)
			there = (size_t)size;
		memmove(sieving->bytes + sieving->kept, sieving->bytes + sieving->at,
			there);
		sieving->kept += there;
		sieving->at += there;
		size -= there;
		if (size > 0 && !need(sieving, 1))
			return false;
	}
	return true;
}

static void drop(struct sieving *sieving, uint64_t size)
{
	size_t there = sieving->end - sieving->at;

	if (there > size)
		there = (size_t)size;
	sieving->at += there;
	sieving->read += size - there;
}

/* --- checkpoints ------------------------------------------------------------------- */

/* A header as it becomes: the chunk has that size then. */
static bool put_header(struct sieving *sieving, const struct header *was,
		       unsigned char *to, uint64_t size)
{
	struct header header = *was;

	header.chunk_size = (int64_t)size;
	header.checkpoint_at = (int64_t)sieving->checkpoint_at;
	header.metadata_at = (int64_t)sieving->metadata_at;
	buf_reset(&sieving->buf);
	header_write(&header, &sieving->buf);
	if (sieving->buf.failed)
		return err_memory(sieving->err);
	memcpy(to, sieving->buf.bytes, HEADER_SIZE);
	return true;
}

/* The copy of the header, if that is what stands in the checkpoint, alone. */
static bool patch_copy(struct sieving *sieving, struct cursor cursor, uint32_t size)
{
	struct header header;
	bool is_copy = cursor_varint(&cursor) == 1 &&
		       cursor_varint(&cursor) == POOL_CHUNK_HEADER &&
		       cursor_varint(&cursor) == 1;

	cursor_varint(&cursor);	/* key */
	is_copy = is_copy && cursor_varint(&cursor) == HEADER_SIZE;
	if (!is_copy || cursor.bad ||
	    !header_read(&header, cursor.at, cursor_left(&cursor), NULL))
		return true;
	return put_header(sieving, &header,
			  sieving->bytes + (cursor.at - sieving->bytes),
			  new_place(sieving) + size);
}

/*
 * The way back to the one before gets shorter, in as many bytes as there are: a way back
 * has nine, as it is negative.
 */
static bool patch_checkpoint(struct sieving *sieving, struct cursor cursor,
			     uint32_t size)
{
	uint64_t at = old_place(sieving), place = new_place(sieving);
	unsigned char *delta_at;
	int64_t delta;

	cursor_varint(&cursor);	/* start */
	cursor_varint(&cursor);	/* duration */
	delta_at = sieving->bytes + (cursor.at - sieving->bytes);
	delta = (int64_t)cursor_varint(&cursor);
	cursor_byte(&cursor);	/* kind */
	if (cursor.bad)
		return fail(sieving, "a checkpoint is cut short");
	if (delta != (sieving->chained_at ? (int64_t)(sieving->chained_at - at) : 0))
		return fail(sieving, "the chain of checkpoints is broken");
	if (delta)
		encode_padded_at((char *)delta_at, sieving->checkpoint_at - place,
				 ENCODE_VARINT_MAX);
	sieving->chained_at = at;
	sieving->checkpoint_at = place;
	return patch_copy(sieving, cursor, size);
}

/* --- events ------------------------------------------------------------------------ */

static bool is_wanted(const struct sieving *sieving, uint64_t type,
		      struct cursor cursor)
{
	size_t at = (size_t)(type - EVENT_FIRST);
	int64_t least;

	if (type < EVENT_FIRST || type >= EVENT_END)
		return true;
	least = sieving->sieve->least[at];
	if (least <= 0 || least == SIEVE_NONE)
		return least <= 0;
	cursor_varint(&cursor);	/* start */
	return !sieving->has_duration[at] || (int64_t)cursor_varint(&cursor) >= least;
}

/* What is there of the event, behind its type. */
static struct cursor body_of(const struct sieving *sieving, const struct frame *frame)
{
	const unsigned char *start = sieving->bytes + sieving->at;
	size_t there = sieving->end - sieving->at;

	if (there > frame->size)
		there = frame->size;
	return cursor_of(frame->body, (size_t)(start + there - frame->body));
}

static bool pass_event(struct sieving *sieving)
{
	const unsigned char *start = sieving->bytes + sieving->at;
	const char *fault;
	struct cursor body;
	struct frame frame;

	fault = frame_read_head(start, sieving->end - sieving->at, left(sieving), &frame);
	if (!fault && (size_t)(frame.body - start) > frame.size)
		fault = "an event has no room for its type";
	if (fault)
		return fail(sieving, fault);
	body = body_of(sieving, &frame);
	if (frame.type_id == EVENT_CHECKPOINT &&
	    !patch_checkpoint(sieving, body, frame.size))
		return false;
	if (frame.type_id == EVENT_METADATA &&
	    old_place(sieving) <= (uint64_t)sieving->header.metadata_at)
		sieving->metadata_at = new_place(sieving);
	if (is_wanted(sieving, frame.type_id, body))
		return keep(sieving, frame.size);
	drop(sieving, frame.size);
	return true;
}

/* True if that checkpoint, or metadata, was where the header has it. */
static bool pass_events(struct sieving *sieving)
{
	uint64_t metadata_at = 0;

	while (left(sieving) > 0) {
		uint64_t before = sieving->metadata_at, at = old_place(sieving);

		if (!need(sieving, HEAD_MAX) || !pass_event(sieving))
			return false;
		if (sieving->metadata_at != before)
			metadata_at = at;
	}
	if (!metadata_at || metadata_at != (uint64_t)sieving->header.metadata_at ||
	    sieving->chained_at != (uint64_t)sieving->header.checkpoint_at)
		return fail(sieving, "its header points to other places");
	return true;
}

/* --- the chunk --------------------------------------------------------------------- */

static void find_durations(struct sieving *sieving)
{
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		const struct schema_field *field = &eventtypes[i].fields[1];

		sieving->has_duration[i] =
			field->name && strcmp(field->name, "duration") == 0;
	}
}

/* It is written as it is, at first. */
static bool begin(struct sieving *sieving)
{
	sieving->header.chunk_size = HEADER_SIZE;
	if (!fill(sieving) ||
	    !header_read(&sieving->header, sieving->bytes, sieving->end, sieving->err))
		return false;
	if (sieving->header.chunk_size < HEADER_SIZE ||
	    header_is_unfinished(&sieving->header))
		return err_set(sieving->err, ERR_FORMAT, "the chunk is not finished");
	return keep(sieving, HEADER_SIZE);
}

static bool end(struct sieving *sieving, off_t start)
{
	uint64_t size;

	if (!write_kept(sieving))
		return false;
	size = sieving->written;
	if (!put_header(sieving, &sieving->header, sieving->bytes, size))
		return false;
	return pwrite(sieving->to, sieving->bytes, HEADER_SIZE, start) == HEADER_SIZE ||
	       err_system(sieving->err, "the header of a chunk cannot be written");
}

bool sieve_chunk(const struct sieve *sieve, int from, int to, uint64_t *size,
		 struct err *err)
{
	off_t start = lseek(to, 0, SEEK_CUR);
	struct sieving sieving = {
		.sieve = sieve,
		.from = from,
		.to = to,
		.bytes = malloc(ROOM),
		.err = err,
	};
	bool is_good;

	if (start < 0)
		is_good = err_system(err, "a chunk cannot be written there");
	else
		is_good = sieving.bytes || err_memory(err);
	find_durations(&sieving);
	is_good = is_good && begin(&sieving) && pass_events(&sieving) &&
		  end(&sieving, start);
	*size = sieving.written;
	free(sieving.bytes);
	buf_clear(&sieving.buf);
	return is_good;
}
