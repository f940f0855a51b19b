/*
 * spill.h - the spill file: what a recording has that is in no chunk yet.
 *
 *	header		SPILL_HEADER_SIZE bytes: who records, and how it goes
 *	slots		slots_max of slot_size bytes each: struct spill_slot, then events
 *	blocks		blocks_max of block_size bytes each: struct spill_block, then
 *			what its kind says
 *
 * A JVM writes it through a shared mapping, so what is committed is there when the JVM
 * is not any more: spillread.h. Numbers are of this machine. Fields marked "live" change
 * at any time: use the functions below. Only so many slots and blocks as the header says
 * have space; behind them there is nothing.
 *
 * Slots. In one there are whole events, one behind the other, from its bytes to
 * `committed`. They are as in a chunk, but for those of raw lanes: these are raw samples
 * (rawsample.h). A lane's slots in the order of their sequence hold its events in the
 * order in which they were written.
 *
 * Flushes. What the flusher takes from slots gets into a chunk file, or among what is
 * kept, by one store: that of the size in the chunk's header, or of `committed` here.
 * Before that, each slot says what goes with which flush: of a flush that was done,
 * `drained` bytes of the slot are no longer needed, else `consumed`. A flush is done
 *	- if its number is not above `committed`;
 *	- if it is `flush`, and the chunk that began at flush_chunk (nanoseconds since 1970;
 *	  0: it goes to none) has a header that says more bytes than flush_size.
 * What is in a chunk file behind the size in its header is in no chunk, and to be
 * ignored: it is still here.
 *
 * Blocks of records hold constants, and what else is known to the JVM alone, each from
 * the moment on in which somebody may refer to it. Those of a kind that is a stream
 * hold its bytes in the order of their numbers, from 0 on; each but the last is full.
 *
 * A value too large for a block is in records of its parts, which have one key: its own
 * number, never used for another value. Nobody refers to it while one of them is
 * missing: it is being put, or removed. (That they are no version of their own is
 * because none without them was ever released.)
 *
 * Kept events (recordings that do not go to disk) are such a stream: struct spill_batch,
 * then so many bytes of events, and so on, 8 bytes aligned; from kept_begin to kept_end
 * (bytes of the stream so far). They are to be ignored if their flush was not done; and
 * up to flush_kept, if `flush` was done, but is above `committed`.
 *
 * So that this is true whenever the JVM may die, it stores, in this order,
 *	- in each slot: what was committed before as `consumed`; `flush`; `drained`. Then
 *	  in the header: flush_chunk, flush_size, flush_kept; `flush`. Then what goes to
 *	  the chunk file, and the header of that chunk, once; or the batch, and kept_end.
 *	  Then kept_begin: only now what lies before it gets free. Then `committed`: only
 *	  now slots do;
 *	- in a slot that was free: 0 as `committed`; all else; events; `committed`;
 *	- in a block: SPILL_FREE as `kind`; all else; `kind`; what is in it; `used`;
 *	- in a record that was gone: all else; `type`.
 */
#ifndef JFR_SPILL_H
#define JFR_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define SPILL_MAGIC "CJFRSPIL"
#define SPILL_VERSION 2
#define SPILL_NAME "spill"	/* of the file, where it lies in a repository */
#define SPILL_HEADER_SIZE 4096
#define SPILL_PART_MAX (64 << 20)	/* bytes of a slot, of a block, of a value */

enum spill_state {
	SPILL_STARTING,		/* nothing is recorded: before, or in between */
	SPILL_RECORDING,
	SPILL_STOPPED,		/* all is in the chunk files, complete, of one recording */
	SPILL_FAILED,		/* stopped early; `message` says why */
};

struct spill_header {
	char magic[8];
	uint32_t version;
	uint32_t slot_size;		/* bytes, struct spill_slot included */
	uint32_t block_size;		/* bytes, struct spill_block included */
	uint32_t slots_max, blocks_max;	/* there is room for in the file */
	uint32_t reserved;
	uint64_t pid;
	int64_t start_nanos;		/* of the recording, since 1970 */
	int64_t start_ticks;		/* CLOCK_MONOTONIC */
	/* live */
	uint64_t slots, blocks;		/* that have space of their own */
	uint64_t state;			/* enum spill_state */
	uint64_t events;		/* written to chunks */
	uint64_t bytes;			/* in chunk files, or kept in memory */
	uint64_t chunks;		/* begun */
	uint64_t lost_events;
	uint64_t lost_bytes;
	uint64_t flush;			/* the newest; set after these three: */
	int64_t flush_chunk;
	uint64_t flush_size;
	uint64_t flush_kept;
	uint64_t committed;		/* the newest flush that is known to be done */
	uint64_t kept_begin, kept_end;	/* offsets in the stream */
	char message[512];		/* set before SPILL_FAILED; ends with 0 */
};

/* In the number of each raw lane. */
#define LANE_RAW (UINT64_C(1) << 63)

struct spill_slot {
	uint64_t lane;			/* that fills it: a number; 0: none; live */
	uint64_t sequence;		/* which of the lane's slots; from 1 on; live */
	uint32_t epoch;			/* when the lane took it; live */
	uint32_t committed;		/* bytes of whole events; live */
	uint32_t next;			/* in a list of the store's; live */
	uint32_t consumed;		/* bytes of these that are in a chunk; live */
	uint32_t drained;		/* the same, if `flush` was done; live */
	uint32_t held;			/* the store's */
	uint64_t flush;			/* with which those up to `drained` go; live */
	char bytes[];
};

enum spill_kind {
	SPILL_FREE,
	SPILL_RECORDS,			/* struct spill_record, one behind the other */
	SPILL_METADATA,			/* a stream: a metadata event, as in a chunk */
	SPILL_KEPT,			/* a stream: see above */
};

struct spill_block {
	uint32_t kind;			/* enum spill_kind; live */
	uint32_t used;			/* of its bytes; live */
	uint64_t number;		/* in its stream; live */
	uint32_t next;			/* the engine's */
	union {
		uint32_t first;		/* where a batch begins first, + 1; 0: unknown */
		uint32_t held;		/* of records: the engine's */
	};
	char bytes[];
};

/* Types of records that are no constants; those of constants are of enum pool_id. */
#define SPILL_GONE 0			/* nothing is in it (any more) */
#define SPILL_METHOD 1			/* a method of raw samples: methodnote.h */
#define SPILL_PART 2			/* struct spill_part_of, then bytes */

/* 8 bytes aligned. Its place and room never change. */
struct spill_record {
	uint32_t room;			/* bytes it may have */
	uint32_t size;			/* bytes it has; live */
	uint32_t type;			/* set when all else is there; live */
	uint32_t place;			/* the engine's */
	uint64_t key;			/* live */
	char bytes[];
};

/* Which part it is, of which value. */
struct spill_part_of {
	uint64_t key;			/* of the value's record, if it were one */
	uint32_t type;
	uint32_t size;			/* bytes of the value */
	uint32_t index, count;		/* from 0 on; of how many */
};

struct spill_batch {
	uint64_t flush;
	uint64_t size;			/* bytes of events behind it */
	uint64_t events;
	int64_t from, to;		/* ticks, between which they were collected */
};

static inline uint64_t spill_get(const uint64_t *live)
{
	return __atomic_load_n(live, __ATOMIC_ACQUIRE);
}

/* For the single writer of a field. */
static inline void spill_set(uint64_t *live, uint64_t value)
{
	__atomic_store_n(live, value, __ATOMIC_RELEASE);
}

static inline void spill_add(uint64_t *live, uint64_t more)
{
	spill_set(live, __atomic_load_n(live, __ATOMIC_RELAXED) + more);
}

/* Where they lie in the file; places from 0 on. */
static inline uint64_t spill_slot_at(const struct spill_header *header, uint64_t place)
{
	return SPILL_HEADER_SIZE + place * header->slot_size;
}

static inline uint64_t spill_block_at(const struct spill_header *header, uint64_t place)
{
	return spill_slot_at(header, header->slots_max) + place * header->block_size;
}

/*
 * False with ERR_FORMAT if it is not the header of a spill file, or of another version,
 * or says sizes that cannot be. Else all places up to slots_max and blocks_max are at
 * offsets that a file can have.
 */
bool spill_check(const struct spill_header *header, struct err *err);

/*
 * Reads the header of a file, which may be written meanwhile: each field is what it was
 * at some moment, and not all at the same. It is not mapped, as a file may become shorter
 * at any time. False with ERR_FORMAT if it is none, or of another version; ERR_SYSTEM.
 */
bool spill_look(int fd, struct spill_header *header, struct err *err);

/* True if the file there begins as one, whatever its name. */
bool spill_is_at(const char *path);

#endif
