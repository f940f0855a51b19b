/*
 * spill.h - the spill file: where the buffers of a recording live.
 *
 *	header		SPILL_HEADER_SIZE bytes: who records, and how it goes
 *	slots		slot_size bytes each: struct spill_slot, then bytes of events
 *
 * A JVM writes it through a shared mapping, so what is committed is there when the JVM
 * is not any more; others map the header for reading. Numbers are of this machine. Fields
 * marked "live" change at any time: use the functions below. In a slot there are whole
 * events, one behind the other, from the slot's bytes to `committed`; what was made of
 * those from `consumed` on is in no chunk yet. They are as in a chunk, but for those of
 * raw lanes: these are raw samples (rawsample.h), which mean something to that JVM
 * alone. A lane's slots in the order of their sequence hold its events in the order in
 * which they were written.
 */
#ifndef JFR_SPILL_H
#define JFR_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define SPILL_MAGIC "CJFRSPIL"
#define SPILL_VERSION 1
#define SPILL_HEADER_SIZE 4096

enum spill_state {
	SPILL_STARTING,		/* nothing recorded yet: before, or with --delay */
	SPILL_RECORDING,
	SPILL_STOPPED,		/* all is in the chunk files, which are complete */
	SPILL_FAILED,		/* stopped early; `message` says why */
};

struct spill_header {
	char magic[8];
	uint32_t version;
	uint32_t slot_size;		/* bytes, struct spill_slot included */
	uint64_t pid;
	int64_t start_nanos;		/* of the recording, since 1970 */
	int64_t start_ticks;		/* CLOCK_MONOTONIC */
	/* live */
	uint64_t slots;			/* that have space of their own */
	uint64_t state;			/* enum spill_state */
	uint64_t events;		/* written to chunks */
	uint64_t bytes;			/* in chunk files, or kept in memory */
	uint64_t chunks;		/* begun */
	uint64_t lost_events;
	uint64_t lost_bytes;
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
	uint32_t drained;		/* bytes on their way there; the store's */
	uint32_t held;			/* the store's */
	char bytes[];
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

/*
 * Maps the header of a file for reading, to look at while it is written. NULL with
 * ERR_FORMAT if it is none, or of another version; ERR_SYSTEM. munmap SPILL_HEADER_SIZE
 * bytes.
 */
const struct spill_header *spill_look(int fd, struct err *err);

#endif
