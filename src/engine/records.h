/*
 * records.h - constants, and notes of what only the JVM knows, in blocks of the spill
 * file: there from the moment on when somebody may refer to them.
 *
 * The memory of values: who put one has it where it lies, and it stays there until it
 * is removed. Room that was given up is used again for values of about that size, and a
 * block where nothing is left goes back. Values too large for a block have memory of
 * their own, and a copy in the spill file, in parts (SPILL_PART): all of them are
 * there, or none, and then blocks.is_short says so.
 *
 * Any thread; a lock is held for short, and only blocks are asked under it: it may be
 * taken under any other.
 */
#ifndef ENGINE_RECORDS_H
#define ENGINE_RECORDS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/blocks.h"
#include "jfr/spill.h"

struct records;

/*
 * Of those blocks, which are borrowed; NULL: in memory of their own. NULL without
 * memory.
 */
struct records *records_new(struct blocks *blocks);

/* Gives all blocks back, but for those that stay (records_close); NULL is allowed. */
void records_free(struct records *records);

/* Puts a copy of the value; `type` is not SPILL_GONE or _PART. NULL without memory. */
struct spill_record *records_put(struct records *records, uint32_t type, uint64_t key,
				 const void *bytes, size_t size);

/* Bytes of memory that it takes, with its parts. */
size_t records_taken(const struct spill_record *record);

/* It is gone; NULL is allowed. */
void records_remove(struct records *records, struct spill_record *record);

/*
 * From here on nothing is put (NULL), nor removed. What is there stays as it is in the
 * spill file, for others; or all of it is gone, and nobody may look at one any more.
 */
void records_close(struct records *records, bool stays);

/* Bytes of memory taken from the system: blocks, and what has memory of its own. */
size_t records_memory(struct records *records);

#endif
