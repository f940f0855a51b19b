/*
 * makespill.h - spill files (jfr/spill.h) for tests, built by hand.
 *
 *	struct madespill made;
 *
 *	makespill_open(&made, 4, 3);
 *	slot = makespill_slot(&made, 7, 1);	lane 7, its first slot
 *	makespill_event(slot, 20, 'a');
 *	block = makespill_block(&made, SPILL_RECORDS, 0);
 *	makespill_record(block, 1001, 5, "tea", 3);
 *	makespill_batch(&made, 1, 2, "...", 3);
 *	made.header->committed = 1;		all of it lies there to be changed
 *	... read made.fd ...
 *	makespill_close(&made);
 *
 * All functions end the program where something cannot be done.
 */
#ifndef UNIT_MAKESPILL_H
#define UNIT_MAKESPILL_H

#include <stddef.h>
#include <stdint.h>

#include "jfr/spill.h"

#define MAKESPILL_SLOT 512
#define MAKESPILL_BLOCK 256
#define MAKESPILL_ROOM (MAKESPILL_BLOCK - sizeof(struct spill_block))

struct madespill {
	int fd;				/* a memfd */
	struct spill_header *header;	/* mapped, with all that is behind it */
	size_t size;
};

/* A recording has begun; so many slots and blocks have space, and are free. */
void makespill_open(struct madespill *made, uint32_t slots, uint32_t blocks);

/* The same with sizes of their own, multiples of 8. */
void makespill_open_as(struct madespill *made, uint32_t slot_size, uint32_t slots,
		       uint32_t block_size, uint32_t blocks);
void makespill_close(struct madespill *made);

/* At these places, from 0 on. */
struct spill_slot *makespill_slot_at(const struct madespill *made, uint32_t place);
struct spill_block *makespill_block_at(const struct madespill *made, uint32_t place);

/* The next slot that is free; now it is that of the lane. */
struct spill_slot *makespill_slot(const struct madespill *made, uint64_t lane,
				  uint64_t sequence);

/* Commits these bytes; or an event of that size (3 to 127), filled with a mark. */
void makespill_put(struct spill_slot *slot, const void *bytes, size_t size);
void makespill_event(struct spill_slot *slot, size_t size, char mark);

/* Such an event, to be put elsewhere. */
void makespill_event_at(char *to, size_t size, char mark);

/* All that is committed goes with that flush. */
void makespill_drain(struct spill_slot *slot, uint64_t flush);

/* The next block that is free; now it is of that kind. */
struct spill_block *makespill_block(const struct madespill *made, enum spill_kind kind,
				    uint64_t number);

/* Adds a record with room for just those bytes, or somewhat more. */
struct spill_record *makespill_record(struct spill_block *block, uint32_t type,
				      uint64_t key, const void *bytes, size_t size);

/* A value in parts, each in a block of its own; the last one has what is left. */
void makespill_parts(const struct madespill *made, uint64_t number, uint32_t type,
		     uint64_t key, const void *bytes, size_t size);

/* The metadata event. */
void makespill_metadata(const struct madespill *made, const void *bytes, size_t size);

/* Adds a batch to what is kept. */
void makespill_batch(const struct madespill *made, uint64_t flush, uint64_t events,
		     const void *bytes, size_t size);

#endif
