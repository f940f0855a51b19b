/*
 * buf.h - bytes that grow.
 *
 * A buffer remembers its first failure: after it, adding does nothing and
 * `failed` stays true, so writers go straight down and ask once at the end.
 * A zeroed struct is a valid empty buffer.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

struct buf {
	char *bytes;		/* not terminated */
	size_t size;
	size_t capacity;
	bool failed;		/* memory ran out, or size would pass limit */
	size_t limit;		/* the most it may hold, set while empty; 0: no limit */
};

/* Makes room for `extra` more bytes. False (and failed) if that cannot be. */
bool buf_grow(struct buf *buf, size_t extra);

/* Empties it; memory and limit stay. Clears `failed`. */
void buf_reset(struct buf *buf);

/* Gives the memory back. */
void buf_clear(struct buf *buf);

void buf_printf(struct buf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Decimal digits, as Java's Long.toString. */
void buf_integer(struct buf *buf, int64_t number);
void buf_unsigned(struct buf *buf, uint64_t number);

/* `count` times the byte. */
void buf_fill(struct buf *buf, char byte, size_t count);

/*
 * Room for `extra` bytes, to be written by the caller, who then adds to size. The
 * comparison is >=, not >, so that 0 bytes of an empty buffer are a place, too.
 */
static inline char *buf_room(struct buf *buf, size_t extra)
{
	if (extra >= buf->capacity - buf->size && !buf_grow(buf, extra))
		return NULL;
	return buf->bytes + buf->size;
}

static inline void buf_add(struct buf *buf, const void *bytes, size_t size)
{
	char *to = buf_room(buf, size);

	if (to && size) {
		memcpy(to, bytes, size);
		buf->size += size;
	}
}

static inline void buf_byte(struct buf *buf, char byte)
{
	char *to = buf_room(buf, 1);

	if (to) {
		*to = byte;
		buf->size++;
	}
}

static inline void buf_str(struct buf *buf, struct str str)
{
	buf_add(buf, str.bytes, str.size);
}

static inline void buf_text(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

/* The same, and the NUL behind it. */
static inline void buf_text_nul(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text) + 1);
}

/* What is in it, until it changes; bytes are not NULL. */
static inline struct str buf_as_str(const struct buf *buf)
{
	return (struct str){ buf->bytes ? buf->bytes : "", buf->size };
}

#endif
