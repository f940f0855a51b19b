#include "makespill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PID 4711
#define EVENT_TYPE 100

static void must(bool is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "makespill: %s\n", what);
	abort();
}

void makespill_open_as(struct madespill *made, uint32_t slot_size, uint32_t slots,
		       uint32_t block_size, uint32_t blocks)
{
	struct spill_header header = {
		.magic = SPILL_MAGIC,
		.version = SPILL_VERSION,
		.slot_size = slot_size,
		.block_size = block_size,
		.slots_max = slots,
		.blocks_max = blocks,
		.pid = PID,
		.start_nanos = INT64_C(1700000000000000000),
		.start_ticks = 1000,
		.slots = slots,
		.blocks = blocks,
		.state = SPILL_RECORDING,
	};
	void *at;

	made->size = spill_block_at(&header, blocks);
	made->fd = memfd_create("spill", MFD_CLOEXEC);
	must(made->fd >= 0 && ftruncate(made->fd, (off_t)made->size) == 0, "no memfd");
	at = mmap(NULL, made->size, PROT_READ | PROT_WRITE, MAP_SHARED, made->fd, 0);
	must(at != MAP_FAILED, "cannot map it");
	made->header = at;
	*made->header = header;
}

void makespill_open(struct madespill *made, uint32_t slots, uint32_t blocks)
{
	makespill_open_as(made, MAKESPILL_SLOT, slots, MAKESPILL_BLOCK, blocks);
}

void makespill_close(struct madespill *made)
{
	munmap(made->header, made->size);
	close(made->fd);
}

struct spill_slot *makespill_slot_at(const struct madespill *made, uint32_t place)
{
	return (void *)((char *)made->header + spill_slot_at(made->header, place));
}

struct spill_block *makespill_block_at(const struct madespill *made, uint32_t place)
{
	return (void *)((char *)made->header + spill_block_at(made->header, place));
}

/* --- slots -------------------------------------------------------------------- */

struct spill_slot *makespill_slot(const struct madespill *made, uint64_t lane,
				  uint64_t sequence)
{
	uint32_t place = 0;
	struct spill_slot *slot;

	while (place < made->header->slots && makespill_slot_at(made, place)->lane)
		place++;
	must(place < made->header->slots, "no slot is free");
	slot = makespill_slot_at(made, place);
	slot->lane = lane;
	slot->sequence = sequence;
	return slot;
}

void makespill_put(struct spill_slot *slot, const void *bytes, size_t size)
{
	memcpy(slot->bytes + slot->committed, bytes, size);
	slot->committed += (uint32_t)size;
}

void makespill_event_at(char *to, size_t size, char mark)
{
	must(size >= 3 && size < 128, "the event has another size");
	to[0] = (char)size;
	to[1] = EVENT_TYPE;
	memset(to + 2, mark, size - 2);
}

void makespill_event(struct spill_slot *slot, size_t size, char mark)
{
	char event[128];

	makespill_event_at(event, size, mark);
	makespill_put(slot, event, size);
}

void makespill_drain(struct spill_slot *slot, uint64_t flush)
{
	slot->consumed = slot->drained;
	slot->flush = flush;
	slot->drained = slot->committed;
}

/* --- blocks ------------------------------------------------------------------- */

struct spill_block *makespill_block(const struct madespill *made, enum spill_kind kind,
				    uint64_t number)
{
	uint32_t place = 0;
	struct spill_block *block;

	while (place < made->header->blocks && makespill_block_at(made, place)->kind)
		place++;
	must(place < made->header->blocks, "no block is free");
	block = makespill_block_at(made, place);
	block->number = number;
	block->kind = kind;
	return block;
}

/* Room in blocks is a multiple of 8. */
struct spill_record *makespill_record(struct spill_block *block, uint32_t type,
				      uint64_t key, const void *bytes, size_t size)
{
	struct spill_record *record = (void *)(block->bytes + block->used);

	record->room = (uint32_t)((size + 7) & ~(size_t)7);
	record->size = (uint32_t)size;
	record->type = type;
	record->key = key;
	if (size > 0)
		memcpy(record->bytes, bytes, size);
	block->used += (uint32_t)sizeof(*record) + record->room;
	return record;
}

void makespill_parts(const struct madespill *made, uint64_t number, uint32_t type,
		     uint64_t key, const void *bytes, size_t size)
{
	struct spill_part_of of = { .key = key, .type = type, .size = (uint32_t)size };
	size_t room = made->header->block_size - sizeof(struct spill_block) -
		      sizeof(struct spill_record) - sizeof(of);
	char *value = malloc(sizeof(of) + room);

	must(value, "no memory");
	of.count = (uint32_t)((size + room - 1) / room);
	for (size_t at = 0; at < size; at += room, of.index++) {
		size_t part = size - at < room ? size - at : room;

		memcpy(value, &of, sizeof(of));
		memcpy(value + sizeof(of), (const char *)bytes + at, part);
		makespill_record(makespill_block(made, SPILL_RECORDS, 0), SPILL_PART,
				 number, value, sizeof(of) + part);
	}
	free(value);
}

/* The block of a stream in which its byte `at` is; a new one if there is none. */
static struct spill_block *block_of(const struct madespill *made, enum spill_kind kind,
				    uint64_t at)
{
	uint64_t number = at / (made->header->block_size - sizeof(struct spill_block));

	for (uint32_t place = 0; place < made->header->blocks; place++) {
		struct spill_block *block = makespill_block_at(made, place);

		if (block->kind == kind && block->number == number)
			return block;
	}
	return makespill_block(made, kind, number);
}

static void add_to_stream(const struct madespill *made, enum spill_kind kind,
			  uint64_t at, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		struct spill_block *block = block_of(made, kind, at + i);

		block->bytes[block->used++] = bytes[i];
	}
}

void makespill_metadata(const struct madespill *made, const void *bytes, size_t size)
{
	add_to_stream(made, SPILL_METADATA, 0, bytes, size);
}

void makespill_batch(const struct madespill *made, uint64_t flush, uint64_t events,
		     const void *bytes, size_t size)
{
	static const char gap[8];
	struct spill_header *header = made->header;
	struct spill_batch batch = { .flush = flush, .size = size, .events = events };
	struct spill_block *block = block_of(made, SPILL_KEPT, header->kept_end);
	uint64_t at = header->kept_end;

	if (block->first == 0)
		block->first = block->used + 1;
	add_to_stream(made, SPILL_KEPT, at, (const char *)&batch, sizeof(batch));
	at += sizeof(batch);
	add_to_stream(made, SPILL_KEPT, at, bytes, size);
	at += size;
	add_to_stream(made, SPILL_KEPT, at, gap, -size & 7);
	header->kept_end = at + (-size & 7);
}
