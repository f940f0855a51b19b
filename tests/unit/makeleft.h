/*
 * makeleft.h - what a process leaves behind that records with our engine: events and
 * constants for a spill file (makespill.h), and a chunk file.
 *
 * Times are seconds since LEFT_NANOS, when the recording began. All functions end the
 * program where something cannot be done.
 */
#ifndef UNIT_MAKELEFT_H
#define UNIT_MAKELEFT_H

#include <stdint.h>

#include "base/buf.h"
#include "jfr/eventtypes.h"
#include "makespill.h"

#define LEFT_SECOND INT64_C(1000000000)
#define LEFT_NANOS (1714557600 * LEFT_SECOND)	/* 2024-05-01 10:00 UTC */
#define LEFT_TICKS (5000 * LEFT_SECOND)

/* It records, from then on. */
void makeleft_begin(const struct madespill *made);

/* Appends a jdk.VirtualThreadStart, whose javaThreadId is the number; commits one. */
void makeleft_add(struct buf *to, int64_t seconds, uint64_t thread, int64_t number);
void makeleft_event(struct spill_slot *slot, int64_t seconds, uint64_t thread,
		    int64_t number);

/* Commits a raw sample of a thread that waits in a method. */
void makeleft_sample(struct spill_slot *slot, int64_t seconds, uint64_t thread,
		     uint64_t method);

/* Records: constants; a method is noted, too: its line is 42, who is in it is parked. */
void makeleft_text(struct spill_block *block, enum pool_id type, uint64_t key,
		   const char *text);
void makeleft_thread(struct spill_block *block, uint64_t key, const char *name);
void makeleft_method(struct spill_block *block, uint64_t key, uint64_t id);

/*
 * Appends a chunk with such an event, number 1, at its beginning. The header has that
 * state; gives the size that it says.
 */
int64_t makeleft_chunk(struct buf *to, int64_t from, int64_t until, uint8_t state);

#endif
