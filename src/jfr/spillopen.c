#include "jfr/spillopen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW 4096			/* heads are read with what is near */

/* --- the file ----------------------------------------------------------------- */

bool spill_read(const struct spill *spill, void *to, size_t size, uint64_t at,
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
		if (!spill_read(spill, window->bytes, WINDOW, at, &window->size, err))
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
	if (spill_start(spill, &piece) == piece.committed)
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

	if (!spill_read(spill, header, sizeof(*header), 0, &size, err))
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
