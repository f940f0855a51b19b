/*
 * header.h - the 68 bytes at the start of a chunk.
 *
 * One table gives the layout to reader and writer. Offsets in the header count
 * from the first byte of the chunk (format.md 1.1).
 */
#ifndef JFR_HEADER_H
#define JFR_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define HEADER_SIZE 68
#define HEADER_MAGIC_SIZE 4

extern const char header_magic[HEADER_MAGIC_SIZE];

/* Types of events that the format itself consists of; no metadata declares them. */
#define EVENT_METADATA 0
#define EVENT_CHECKPOINT 1

/* Name and width in bytes, in file order, after the four bytes of magic. */
#define HEADER_FIELDS(X)                                                       \
	X(major, 2)                                                            \
	X(minor, 2)                                                            \
	X(chunk_size, 8)       /* bytes, this header included */               \
	X(checkpoint_at, 8)    /* the last checkpoint event; 0: none */        \
	X(metadata_at, 8)      /* the newest metadata event; 0: none */        \
	X(start_nanos, 8)      /* since 1970 UTC */                            \
	X(duration_nanos, 8)                                                   \
	X(start_ticks, 8)                                                      \
	X(ticks_per_second, 8)                                                 \
	X(state, 1)            /* 0: finished; 255: being rewritten; else a flush */ \
	X(pad, 1)                                                              \
	X(flags, 2)

#define HEADER_COMPRESSED 1	/* flags: integers are varints */
#define HEADER_FINAL 2		/* flags: last chunk of its recording */

struct header {
#define X(name, size) int64_t name;
	HEADER_FIELDS(X)
#undef X
};

/*
 * Reads and checks magic and version (1.x and 2.x). ERR_FORMAT tells what is wrong. All
 * else is as it stands there.
 */
bool header_read(struct header *header, const unsigned char *bytes, size_t size,
		 struct err *err);

/*
 * True if the bytes look like a header among others that are none: all of its fields
 * but those for sizes have values as writers give them.
 */
bool header_is_likely(const unsigned char *bytes, size_t size);

/*
 * True if the chunk is still being written, or was left so. Versions before 2.1 have
 * no state: there nothing but places that are not set tell.
 */
bool header_is_unfinished(const struct header *header);

/* Appends the 68 bytes. */
void header_write(const struct header *header, struct buf *to);

#endif
