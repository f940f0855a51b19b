/*
 * constants.h - all that events refer to by key: names, threads, stack traces.
 *
 * A constant is a type (enum pool_id), a key, and its value as the bytes that a
 * checkpoint holds. Those that are found by value (symbols, methods, stack traces ...)
 * are kept once: constants_intern. Those that are things with a life of their own
 * (threads, classes, loaders) are put under a new key and pinned until they are gone.
 * A key is never given to another constant, in the whole recording (format.md 9, 10).
 *
 * Each remembers the newest epoch in which it was asked for, or in which events that
 * refer to it were taken in. When all retained chunks are newer, and it is not pinned,
 * and no other constant refers to it, it is evicted: constants_evict. A key that
 * somebody remembers has to be touched before it is used again, in an event or in
 * another constant.
 *
 * Any thread may call; a lock is held for short. No function calls back while it is
 * held, but constants_take. Not for signal handlers.
 */
#ifndef ENGINE_CONSTANTS_H
#define ENGINE_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/records.h"
#include "jfr/eventtypes.h"

struct constants;
struct writer;

/*
 * Values are in those records, which are borrowed: each from the moment on when its key
 * is told. Types are those of a metadata event; NULL: those of eventtypes. NULL without
 * memory, or if types of constants have not the numbers of eventtypes. Some constants are
 * there for good: types of frames, "Before GC" ...
 */
struct constants *constants_new(struct records *records, const void *metadata_event,
				size_t size);

/* Records stay. */
void constants_free(struct constants *constants);

/* The epoch that is now: what is asked for from here on counts as used in it. */
void constants_epoch(struct constants *constants, unsigned epoch);

/*
 * The key of this value, as it is or anew. 0 without memory, or if the bytes are no
 * value of the type: then it is null.
 */
uint64_t constants_intern(struct constants *constants, enum pool_id type,
			  const void *bytes, size_t size);

/* The same of what is in a buffer; 0 also if that failed. */
uint64_t constants_intern_buf(struct constants *constants, enum pool_id type,
			      const struct buf *value);

/*
 * The key of a symbol, UTF-8; of any type that is a single string (POOL_GC_CAUSE). 0
 * for no string (bytes NULL).
 */
uint64_t constants_symbol(struct constants *constants, struct str text);
uint64_t constants_string(struct constants *constants, enum pool_id type,
			  struct str text);

/* A key for a thing of that type, not in use before; never 0. */
uint64_t constants_key(struct constants *constants, enum pool_id type);

/* Sets or replaces the value under the key, and pins it. False as 0 from intern. */
bool constants_put(struct constants *constants, enum pool_id type, uint64_t key,
		   const void *bytes, size_t size);

/* The same of what is in a buffer; false also if that failed. */
bool constants_put_buf(struct constants *constants, enum pool_id type, uint64_t key,
		       const struct buf *value);

/*
 * Puts a constant of another process' back: also found by its value, and keys that are
 * given from here on are larger than its own. ERR_FORMAT: that is none; ERR_MEMORY.
 */
bool constants_restore(struct constants *constants, enum pool_id type, uint64_t key,
		       const void *bytes, size_t size, struct err *err);

/* Keys that are given from here on are larger. */
void constants_skip(struct constants *constants, uint64_t key);

/* The thing is gone; what was recorded of it keeps its name. */
void constants_unpin(struct constants *constants, enum pool_id type, uint64_t key);

/* False if there is none (any more); then the key must not be used in events. */
bool constants_touch(struct constants *constants, enum pool_id type, uint64_t key);

/* For the flusher ------------------------------------------------------------- */

/*
 * Walks over whole events (jfr/refs.h), and marks what they refer to, directly or
 * through other constants, as used in that epoch and wanted. References to what is not
 * there are counted in *missing (may be NULL). ERR_FORMAT if the events are no events.
 */
bool constants_want(struct constants *constants, const char *events, size_t size,
		    unsigned epoch, uint64_t *missing, struct err *err);

/*
 * Writes a checkpoint with all that is wanted and was not written since
 * constants_restart: nothing if there is none. `kinds` as writer_checkpoint. Without
 * memory, the writer fails.
 */
void constants_take(struct constants *constants, struct writer *writer, int kinds);

/* A new chunk begins, in which no constant is yet. */
void constants_restart(struct constants *constants);

/*
 * From here on nothing is put, and nothing is found. Records stay as they are: whose
 * they are closes them.
 */
void constants_close(struct constants *constants);

/* Frees what is not pinned and was last used before that epoch. Gives how many. */
size_t constants_evict(struct constants *constants, unsigned epoch);

/* How many there are, and what they take, in bytes about. */
size_t constants_count(struct constants *constants);
size_t constants_memory(struct constants *constants);

#endif
