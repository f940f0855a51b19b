/*
 * spillread.h - what a JVM left in its spill file (spill.h), when it is no more.
 *
 *	if (!spill_open(&spill, fd, &err)) ...
 *	spill.is_done = the newest flush was: the caller knows the chunk files
 *	spill_records(&spill, take_record, context, &err);
 *	spill_events(&spill, take_events, context, &err);
 *	spill_close(&spill);
 *
 * Nothing of it is trusted: a process may have died at any moment, and anybody may have
 * written the file. It is read piece by piece, not mapped: a file may become shorter
 * at any time. Time goes with what there is in it, holes not counted, and memory with
 * the count of slots, of blocks and of parts of values, not with their size, but for one
 * block or value. The descriptor's position changes.
 */
#ifndef JFR_SPILLREAD_H
#define JFR_SPILLREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "jfr/spillopen.h"

/*
 * False: there are no events in it that are in no chunk; the same of a file that is not
 * open yet, or is no spill file.
 */
bool spill_has_events(const struct spill *spill);
bool spill_may_have_events(int fd);

/* A constant, or what its type says. False: enough. */
typedef bool spill_take_record(void *context, uint32_t type, uint64_t key,
			       const char *bytes, size_t size);

/* Whole events, one behind the other; lane 0: kept ones. False: enough. */
typedef bool spill_take_events(void *context, uint64_t lane, const char *bytes,
			       size_t size);

/*
 * Shows all there are, then values in parts, as one record each, if all parts are there.
 * Of a key there may be two records, as one replaces the other: either is good. False
 * with err: ERR_SYSTEM, ERR_MEMORY; or without, if `take` had enough.
 */
bool spill_records(struct spill *spill, spill_take_record *take, void *context,
		   struct err *err);

/*
 * Shows all that are in no chunk: kept ones, then those of each lane in their order.
 * Events that cannot be (frame.h) end their slot, and are counted in `damaged`.
 */
bool spill_events(struct spill *spill, spill_take_events *take, void *context,
		  struct err *err);

/* The metadata event, appended; nothing if there is none. */
bool spill_metadata(struct spill *spill, struct buf *to, struct err *err);

#endif
