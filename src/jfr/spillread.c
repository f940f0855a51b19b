#include "jfr/spillread.h"

#include <stdlib.h>
#include <string.h>

#include "jfr/encode.h"
#include "jfr/frame.h"
#include "jfr/header.h"
#include "jfr/spilljoin.h"

#define PIECE ((size_t)64 << 10)	/* of events and records, at a time */
#define FRAME_HEAD_MAX 18		/* bytes of an event's size and type */

/* --- bytes of a slot, of a block, or of a stream ------------------------------- */

struct stretch {
	uint64_t at, end;		/* which are still to be read */
	uint64_t base;			/* of byte 0 in the file; or else: */
	const struct spill_part *parts;	/* the stream they are in */
	size_t count;
};

static size_t block_room(const struct spill *spill)
{
	return spill->header.block_size - sizeof(struct spill_block);
}

/* The first part of a stream with that number, or a higher one. */
static size_t find_part(const struct stretch *stretch, uint64_t number)
{
	size_t low = 0, high = stretch->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stretch->parts[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where the next byte is in the file, and how many there are from there on. */
static size_t locate(const struct spill *spill, const struct stretch *stretch,
		     uint64_t *place)
{
	uint64_t left = stretch->end - stretch->at, number, in;
	const struct spill_part *part;
	size_t index;

	if (!stretch->parts) {
		*place = stretch->base + stretch->at;
		return left;
	}
	number = stretch->at / block_room(spill);
	in = stretch->at % block_room(spill);
	index = find_part(stretch, number);
	part = &stretch->parts[index];
	if (index == stretch->count || part->number != number || part->used <= in)
		return 0;
	*place = spill_block_at(&spill->header, part->place) +
		 sizeof(struct spill_block) + in;
	return part->used - in < left ? part->used - in : left;
}

/* Appends the next bytes, `most` at most, to spill->buf. None: they are not there. */
static bool fetch(struct spill *spill, struct stretch *stretch, size_t most,
		  size_t *got, struct err *err)
{
	uint64_t place = 0;
	size_t size = locate(spill, stretch, &place);
	char *to;

	*got = 0;
	if (size > most)
		size = most;
	if (size == 0)
		return true;
	to = buf_room(&spill->buf, size);
	if (!to)
		return err_memory(err);
	if (!spill_read(spill, to, size, place, got, err))
		return false;
	spill->buf.size += *got;
	stretch->at += *got;
	return true;
}

/* spill->buf becomes the next `size` bytes of it, or fewer: the rest is not there. */
static bool fetch_all(struct spill *spill, struct stretch *stretch, size_t size,
		      struct err *err)
{
	size_t got = 1;

	buf_reset(&spill->buf);
	while (got > 0 && spill->buf.size < size) {
		size_t left = size - spill->buf.size;

		if (!fetch(spill, stretch, left < PIECE ? left : PIECE, &got, err))
			return false;
	}
	return true;
}

/* --- records ------------------------------------------------------------------ */

/* Who is shown them. Parts of values wait until all are known. */
struct viewer {
	spill_take_record *take;
	void *context;
	struct join join;
};

/* `at` is where its value lies in the file. */
static bool show_record(struct spill *spill, struct viewer *viewer,
			const struct spill_record *record, const char *bytes,
			uint64_t at)
{
	if (record->type == SPILL_GONE)
		return true;
	if (record->size > record->room) {
		spill->damaged++;
		return true;
	}
	if (record->type == SPILL_PART) {
		join_add(&viewer->join, record->key, bytes, record->size, at);
		return true;
	}
	return viewer->take(viewer->context, record->type, record->key, bytes,
			    record->size);
}

/*
 * A record is whole, or gone: its type comes last. Its place and room never change.
 * `base` is where they lie in the file.
 */
static bool show_records(struct spill *spill, struct viewer *viewer, uint64_t base)
{
	const struct buf *buf = &spill->buf;
	struct spill_record record;
	size_t at = 0;

	while (buf->size - at >= sizeof(record)) {
		memcpy(&record, buf->bytes + at, sizeof(record));
		at += sizeof(record);
		if (record.room > buf->size - at) {
			spill->damaged++;
			break;
		}
		if (!show_record(spill, viewer, &record, buf->bytes + at, base + at))
			return false;
		at += (record.room + (size_t)7) & ~(size_t)7;
		if (at > buf->size)
			break;
	}
	return true;
}

static bool show_blocks(struct spill *spill, struct viewer *viewer, struct err *err)
{
	for (size_t i = 0; i < spill->records.count; i++) {
		const struct spill_part *part = &spill->records.items[i];
		struct stretch stretch = {
			.end = part->used,
			.base = spill_block_at(&spill->header, part->place) +
				sizeof(struct spill_block),
		};

		if (!fetch_all(spill, &stretch, part->used, err))
			return false;
		if (spill->buf.size < part->used)
			spill->damaged++;
		if (!show_records(spill, viewer, stretch.base))
			return false;
	}
	return !viewer->join.failed || err_memory(err);
}

/* spill->buf becomes the value of these parts. */
static bool fetch_value(struct spill *spill, const struct join_part *parts,
			struct err *err)
{
	char *to;

	buf_reset(&spill->buf);
	for (uint32_t i = 0; i < parts->of.count; i++) {
		size_t got;

		to = buf_room(&spill->buf, parts[i].size);
		if (!to)
			return err_memory(err);
		if (!spill_read(spill, to, parts[i].size, parts[i].at, &got, err))
			return false;
		spill->buf.size += got;
	}
	return true;
}

static bool show_joined(struct spill *spill, struct viewer *viewer, struct err *err)
{
	const struct join_part *parts;

	join_sort(&viewer->join);
	while ((parts = join_next(&viewer->join))) {
		if (!fetch_value(spill, parts, err))
			return false;
		if (spill->buf.size < parts->of.size)
			spill->damaged++;
		else if (!viewer->take(viewer->context, parts->of.type, parts->of.key,
				       spill->buf.bytes, spill->buf.size))
			return false;
	}
	return true;
}

bool spill_records(struct spill *spill, spill_take_record *take, void *context,
		   struct err *err)
{
	struct viewer viewer = { .take = take, .context = context };
	bool is_good = show_blocks(spill, &viewer, err) &&
		       show_joined(spill, &viewer, err);

	spill->damaged += viewer.join.damaged;
	join_clear(&viewer.join);
	return is_good;
}

/* --- events ------------------------------------------------------------------- */

/* Metadata and checkpoints come from nobody who writes events. */
static bool is_of_event(uint64_t type_id)
{
	return type_id != EVENT_METADATA && type_id != EVENT_CHECKPOINT;
}

/* The end of the whole events that the bytes begin with: at least size and type. */
static size_t whole_events(const struct buf *buf)
{
	const unsigned char *bytes = (const unsigned char *)buf->bytes;
	struct frame frame;
	size_t at = 0;

	while (at < buf->size && !frame_read(bytes, buf->size, at, &frame) &&
	       frame.body <= bytes + at + frame.size && is_of_event(frame.type_id))
		at += frame.size;
	return at;
}

/* True if the bytes may begin an event, of which `left` more may follow. */
static bool may_go_on(const struct buf *buf, uint64_t left)
{
	struct cursor cursor = cursor_of((const unsigned char *)buf->bytes, buf->size);
	uint64_t size = cursor_varint(&cursor);
	uint64_t type_id = cursor_varint(&cursor);

	if (cursor.bad)
		return buf->size < FRAME_HEAD_MAX;
	return size > buf->size && size - buf->size <= left &&
	       size <= ENCODE_EVENT_MAX && is_of_event(type_id);
}

static void drop(struct buf *buf, size_t size)
{
	buf->size -= size;
	if (size > 0 && buf->size > 0)
		memmove(buf->bytes, buf->bytes + size, buf->size);
}

/* Whole events are handed over as they come; memory is for the longest of them. */
static bool show_events(struct spill *spill, struct stretch stretch, uint64_t lane,
			spill_take_events *take, void *context, struct err *err)
{
	struct buf *buf = &spill->buf;

	buf_reset(buf);
	while (stretch.at < stretch.end) {
		size_t got, whole;

		if (!fetch(spill, &stretch, PIECE, &got, err))
			return false;
		whole = whole_events(buf);
		if (whole > 0 && !take(context, lane, buf->bytes, whole))
			return false;
		drop(buf, whole);
		if (got == 0 ||
		    (buf->size > 0 && !may_go_on(buf, stretch.end - stretch.at)))
			break;
	}
	if (buf->size > 0 || stretch.at < stretch.end)
		spill->damaged++;
	return true;
}

static bool show_pieces(struct spill *spill, spill_take_events *take, void *context,
			struct err *err)
{
	for (size_t i = 0; i < spill->pieces.count; i++) {
		const struct spill_piece *piece = &spill->pieces.items[i];
		struct stretch stretch = {
			.at = spill_start(spill, piece),
			.end = piece->committed,
			.base = spill_slot_at(&spill->header, piece->place) +
				sizeof(struct spill_slot),
		};

		if (!show_events(spill, stretch, piece->lane, take, context, err))
			return false;
	}
	return true;
}

/* --- kept events -------------------------------------------------------------- */

/*
 * Of a flush that is known to be done kept_begin says more than flush_kept, which may
 * already be that of the next one.
 */
static uint64_t kept_begin(const struct spill *spill)
{
	const struct spill_header *header = &spill->header;
	bool is_newer = header->flush > header->committed && spill->is_done &&
			header->flush_kept > header->kept_begin;

	return is_newer ? header->flush_kept : header->kept_begin;
}

static struct stretch kept_stretch(const struct spill *spill, uint64_t at, uint64_t end)
{
	return (struct stretch){
		.at = at,
		.end = end,
		.parts = spill->kept.items,
		.count = spill->kept.count,
	};
}

/* The batch there, which ends before `end`. False without err: there is none. */
static bool read_batch(struct spill *spill, uint64_t at, uint64_t end,
		       struct spill_batch *batch, struct err *err)
{
	struct stretch stretch = kept_stretch(spill, at, end);

	if (end - at < sizeof(*batch) ||
	    !fetch_all(spill, &stretch, sizeof(*batch), err) ||
	    spill->buf.size < sizeof(*batch))
		return false;
	memcpy(batch, spill->buf.bytes, sizeof(*batch));
	return batch->flush > 0 && batch->size <= end - at - sizeof(*batch);
}

/* A batch behind there that a block knows of; `end`: there is none. */
static uint64_t next_batch(const struct spill *spill, uint64_t at, uint64_t end)
{
	struct stretch stretch = kept_stretch(spill, at, end);
	size_t room = block_room(spill), i = find_part(&stretch, at / room);

	for (; i < stretch.count && stretch.parts[i].number <= end / room; i++) {
		const struct spill_part *part = &stretch.parts[i];
		uint64_t found = part->number * room + part->first - 1;

		if (part->first > 0 && part->first <= part->used && found > at)
			return found < end ? found : end;
	}
	return end;
}

/* Blocks may be missing: not all of them had space in the file. */
static bool show_kept(struct spill *spill, spill_take_events *take, void *context,
		      struct err *err)
{
	uint64_t at = kept_begin(spill), end = spill->header.kept_end;
	struct spill_batch batch;
	struct err failure = { 0 };

	while (spill->kept.count > 0 && at < end) {
		uint64_t begin = at + sizeof(batch);

		if (!read_batch(spill, at, end, &batch, &failure)) {
			if (failure.kind)
				return err_set(err, failure.kind, "%s", failure.text);
			spill->damaged++;
			at = next_batch(spill, at, end);
			continue;
		}
		if (spill_is_done(spill, batch.flush) &&
		    !show_events(spill, kept_stretch(spill, begin, begin + batch.size),
				 0, take, context, err))
			return false;
		at = begin + ((batch.size + 7) & ~UINT64_C(7));
	}
	return true;
}

bool spill_events(struct spill *spill, spill_take_events *take, void *context,
		  struct err *err)
{
	return show_kept(spill, take, context, err) &&
	       show_pieces(spill, take, context, err);
}

bool spill_has_events(const struct spill *spill)
{
	for (size_t i = 0; i < spill->pieces.count; i++) {
		const struct spill_piece *piece = &spill->pieces.items[i];

		if (spill_start(spill, piece) < piece->committed)
			return true;
	}
	return spill->kept.count > 0 && kept_begin(spill) < spill->header.kept_end;
}

bool spill_may_have_events(int fd)
{
	struct spill spill;
	bool has;

	if (!spill_open(&spill, fd, NULL))
		return false;
	has = spill_has_events(&spill);
	spill_close(&spill);
	return has;
}

/* --- metadata ----------------------------------------------------------------- */

bool spill_metadata(struct spill *spill, struct buf *to, struct err *err)
{
	struct stretch stretch = {
		.end = INT64_MAX,
		.parts = spill->metadata.items,
		.count = spill->metadata.count,
	};
	const struct buf *buf = &spill->buf;
	struct frame frame;

	if (stretch.count == 0)
		return true;
	if (!fetch_all(spill, &stretch, ENCODE_EVENT_MAX, err))
		return false;
	if (buf->size == 0 ||
	    frame_read((const unsigned char *)buf->bytes, buf->size, 0, &frame) ||
	    frame.type_id != EVENT_METADATA) {
		spill->damaged++;
		return true;
	}
	buf_add(to, buf->bytes, frame.size);
	return !to->failed || err_memory(err);
}
