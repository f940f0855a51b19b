#include "jfr/spillread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jfr/encode.h"
#include "jfr/frame.h"
#include "jfr/header.h"
#include "jfr/spilljoin.h"

#define WINDOW 4096			/* heads are read with what is near */
#define PIECE ((size_t)64 << 10)	/* of events and records, at a time */
#define FRAME_HEAD_MAX 18		/* bytes of an event's size and type */

/* --- the file ----------------------------------------------------------------- */

/* Fewer bytes where it ends. */
static bool read_at(const struct spill *spill, void *to, size_t size, uint64_t at,
		    size_t *got, struct err *err)
{
	*got = 0;
	while (*got < size) {
		ssize_t more = pread(spill->fd, (char *)to + *got, size - *got,
				     (off_t)(at + *got));

		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0)
			return err_system(err, "cannot read the spill file");
		if (more == 0)
			break;
		*got += (size_t)more;
	}
	return true;
}

/* Where there is something behind a hole, in which all is 0; UINT64_MAX: nowhere. */
static uint64_t behind_hole(const struct spill *spill, uint64_t at)
{
	off_t data = lseek(spill->fd, (off_t)at, SEEK_DATA);

	if (data >= 0)
		return (uint64_t)data;
	return errno == ENXIO ? UINT64_MAX : at;
}

/* --- heads of slots and blocks ------------------------------------------------ */

/* The slots, or the blocks. */
struct region {
	uint64_t base;			/* of the first, in the file */
	uint32_t size;			/* of each */
	uint32_t head;			/* of these, read here */
	uint32_t count;
	bool (*add)(struct spill *spill, uint32_t place, const void *head,
		    struct err *err);
};

struct window {
	uint64_t at;			/* in the file */
	size_t size;
	char bytes[WINDOW];
};

/* True if so many bytes from there on lie in the window. */
static bool is_in(const struct window *window, uint64_t at, size_t size)
{
	return at >= window->at && at - window->at <= window->size &&
	       size <= window->size - (at - window->at);
}

/* What lies there; 0 where the file ends. */
static bool look(struct spill *spill, struct window *window, uint64_t at, void *to,
		 size_t size, struct err *err)
{
	memset(to, 0, size);
	if (!is_in(window, at, size)) {
		window->at = at;
		if (!read_at(spill, window->bytes, WINDOW, at, &window->size, err))
			return false;
	}
	if (is_in(window, at, size))
		memcpy(to, window->bytes + (at - window->at), size);
	return true;
}

/* The first place from there on that does not lie in a hole as a whole. */
static uint64_t skip_hole(const struct spill *spill, const struct region *region,
			  uint64_t place)
{
	uint64_t at = region->base + place * region->size;
	uint64_t data = behind_hole(spill, at);

	return data > at ? (data - region->base) / region->size : place;
}

/*
 * Reads all heads but those in holes: the time goes with what there is in the file,
 * whatever it says of itself.
 */
static bool scan(struct spill *spill, const struct region *region, struct err *err)
{
	struct window window = { .size = 0 };
	union {
		struct spill_slot slot;
		struct spill_block block;
	} head;

	for (uint64_t place = 0; place < region->count; place++) {
		if (!is_in(&window, region->base + place * region->size, region->head))
			place = skip_hole(spill, region, place);
		if (place >= region->count)
			break;
		if (!look(spill, &window, region->base + place * region->size, &head,
			  region->head, err) ||
		    !region->add(spill, (uint32_t)place, &head, err))
			return false;
	}
	return true;
}

/* So many have space, as the header says, and are in a file of that size. */
static uint32_t count_there(struct spill *spill, const struct region *region,
			    uint64_t said, uint32_t most, uint64_t file)
{
	uint64_t count = said < most ? said : most, there = 0;

	if (file >= region->base + region->head)
		there = (file - region->base - region->head) / region->size + 1;
	if (said > most || count > there)
		spill->damaged++;
	return (uint32_t)(count < there ? count : there);
}

static bool is_done(const struct spill *spill, uint64_t flush)
{
	return flush <= spill->header.committed ||
	       (flush == spill->header.flush && spill->is_done);
}

/* What is behind it is in no chunk. */
static uint32_t start_of(const struct spill *spill, const struct spill_piece *piece)
{
	return is_done(spill, piece->flush) ? piece->drained : piece->consumed;
}

/*
 * The flusher changes consumed, flush, drained, in this order, and consumed becomes what
 * drained was: so consumed <= drained <= committed, at any moment. While a lane takes a
 * slot all may be there in any mixture, but `committed` is 0 from the first store to
 * the first event. The flush that it went with before is done, as the slot was free.
 */
static bool can_be(const struct spill *spill, const struct spill_slot *slot)
{
	return slot->lane != 0 && slot->sequence != 0 &&
	       slot->consumed <= slot->drained && slot->drained <= slot->committed &&
	       slot->committed <= spill->header.slot_size - sizeof(*slot);
}

static bool add_slot(struct spill *spill, uint32_t place, const void *head,
		     struct err *err)
{
	const struct spill_slot *slot = head;
	struct spill_piece piece = {
		.lane = slot->lane,
		.sequence = slot->sequence,
		.flush = slot->flush,
		.place = place,
		.consumed = slot->consumed,
		.drained = slot->drained,
		.committed = slot->committed,
	};

	if (slot->committed == 0)
		return true;
	if (!can_be(spill, slot)) {
		spill->damaged++;
		return true;
	}
	if (start_of(spill, &piece) == piece.committed)
		return true;
	return vec_push(&spill->pieces, piece) || err_memory(err);
}

static bool add_block(struct spill *spill, uint32_t place, const void *head,
		      struct err *err)
{
	const struct spill_block *block = head;
	struct spill_part part = {
		.number = block->number,
		.place = place,
		.used = block->used,
		.first = block->first,
	};
	bool is_kept = true;

	if (block->kind == SPILL_FREE || block->used == 0)
		return true;
	if (part.used > spill->header.block_size - sizeof(*block))
		spill->damaged++;
	else if (block->kind == SPILL_RECORDS)
		is_kept = vec_push(&spill->records, part);
	else if (block->kind == SPILL_METADATA)
		is_kept = vec_push(&spill->metadata, part);
	else if (block->kind == SPILL_KEPT)
		is_kept = vec_push(&spill->kept, part);
	else
		spill->damaged++;
	return is_kept || err_memory(err);
}

/* --- order -------------------------------------------------------------------- */

static int order_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int order_pieces(const void *a, const void *b)
{
	const struct spill_piece *one = a, *other = b;
	int order = order_numbers(one->lane, other->lane);

	if (!order)
		order = order_numbers(one->sequence, other->sequence);
	return order ? order : order_numbers(one->place, other->place);
}

static int order_parts(const void *a, const void *b)
{
	const struct spill_part *one = a, *other = b;
	int order = order_numbers(one->number, other->number);

	return order ? order : order_numbers(one->place, other->place);
}

/* Of two that would be the same one the second is damage: nothing comes twice. */
static void sort_pieces(struct spill *spill)
{
	struct spill_piece *pieces = spill->pieces.items;
	size_t count = 0;

	if (spill->pieces.count == 0)
		return;
	qsort(pieces, spill->pieces.count, sizeof(*pieces), order_pieces);
	for (size_t i = 0; i < spill->pieces.count; i++) {
		if (count > 0 && pieces[count - 1].lane == pieces[i].lane &&
		    pieces[count - 1].sequence == pieces[i].sequence)
			spill->damaged++;
		else
			pieces[count++] = pieces[i];
	}
	spill->pieces.count = count;
}

static size_t sort_parts(struct spill *spill, struct spill_part *parts, size_t count)
{
	size_t kept = 0;

	if (count > 0)
		qsort(parts, count, sizeof(*parts), order_parts);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && parts[kept - 1].number == parts[i].number)
			spill->damaged++;
		else
			parts[kept++] = parts[i];
	}
	return kept;
}

/* --- opening ------------------------------------------------------------------ */

static bool read_header(struct spill *spill, struct err *err)
{
	struct spill_header *header = &spill->header;
	size_t size;

	if (!read_at(spill, header, sizeof(*header), 0, &size, err))
		return false;
	if (size < sizeof(*header))
		return err_set(err, ERR_FORMAT, "too short for a spill file");
	if (!spill_check(header, err))
		return false;
	header->message[sizeof(header->message) - 1] = 0;
	if (header->committed > header->flush)
		spill->damaged++;
	if (header->kept_begin > header->kept_end || header->kept_end > INT64_MAX) {
		header->kept_begin = header->kept_end = 0;
		spill->damaged++;
	}
	return true;
}

static bool read_heads(struct spill *spill, uint64_t file, struct err *err)
{
	const struct spill_header *header = &spill->header;
	struct region slots = {
		.base = spill_slot_at(header, 0),
		.size = header->slot_size,
		.head = sizeof(struct spill_slot),
		.add = add_slot,
	};
	struct region blocks = {
		.base = spill_block_at(header, 0),
		.size = header->block_size,
		.head = sizeof(struct spill_block),
		.add = add_block,
	};

	slots.count = count_there(spill, &slots, header->slots, header->slots_max,
				  file);
	if (!scan(spill, &slots, err))
		return false;
	if (header->blocks_max == 0)
		return true;
	blocks.count = count_there(spill, &blocks, header->blocks, header->blocks_max,
				   file);
	return scan(spill, &blocks, err);
}

/* Where the last slot or block ends that had space of its own. */
static uint64_t end_of_file(const struct spill_header *header)
{
	uint64_t slots = header->slots < header->slots_max ? header->slots
							   : header->slots_max;
	uint64_t blocks = header->blocks < header->blocks_max ? header->blocks
							      : header->blocks_max;

	return blocks ? spill_block_at(header, 0) + blocks * header->block_size
		      : spill_slot_at(header, 0) + slots * header->slot_size;
}

bool spill_open(struct spill *spill, int fd, struct err *err)
{
	struct stat status;

	*spill = (struct spill){ .fd = fd };
	if (fstat(fd, &status) != 0)
		return err_system(err, "cannot read the spill file");
	if (status.st_size < SPILL_HEADER_SIZE)
		return err_set(err, ERR_FORMAT, "too short for a spill file");
	if (!read_header(spill, err) ||
	    !read_heads(spill, (uint64_t)status.st_size, err)) {
		spill_close(spill);
		return false;
	}
	spill->is_short = (uint64_t)status.st_size < end_of_file(&spill->header);
	sort_pieces(spill);
	spill->metadata.count = sort_parts(spill, spill->metadata.items,
					   spill->metadata.count);
	spill->kept.count = sort_parts(spill, spill->kept.items, spill->kept.count);
	return true;
}

void spill_close(struct spill *spill)
{
	vec_clear(&spill->pieces);
	vec_clear(&spill->records);
	vec_clear(&spill->metadata);
	vec_clear(&spill->kept);
	buf_clear(&spill->buf);
}

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
	if (!read_at(spill, to, size, place, got, err))
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
		if (!read_at(spill, to, parts[i].size, parts[i].at, &got, err))
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
			.at = start_of(spill, piece),
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
		if (is_done(spill, batch.flush) &&
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

		if (start_of(spill, piece) < piece->committed)
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
