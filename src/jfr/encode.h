/*
 * encode.h - writing the primitive encodings: what cursor.h reads.
 *
 * All append to a buffer, which remembers a failure for its owner. Each Java type
 * has its function, because narrow negative numbers are not sign-extended: an int
 * -1 takes five bytes, a long -1 nine (format.md 2). No allocation but the buffer's.
 */
#ifndef JFR_ENCODE_H
#define JFR_ENCODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "jfr/value.h"

#define ENCODE_VARINT_MAX 9	/* bytes */

/* An event that is larger has no size that all readers understand. */
#define ENCODE_EVENT_MAX ((1u << 28) - 1)

/* Bytes for counts and sizes that are known only later: 28 bits, as HotSpot's. */
#define ENCODE_PADDED 4

/* Writes to memory that has room for ENCODE_VARINT_MAX; gives the end. */
static inline char *encode_varint_at(char *to, uint64_t number)
{
	for (int i = 0; i < ENCODE_VARINT_MAX - 1; i++) {
		if (number < 0x80)
			break;
		*to++ = (char)(number | 0x80);
		number >>= 7;
	}
	*to++ = (char)number;	/* a ninth byte carries all its eight bits */
	return to;
}

/* Exactly `width` bytes, 1 to 9; the number must fit: 7 bits each, 64 in nine. */
static inline void encode_padded_at(char *to, uint64_t number, int width)
{
	for (int i = 0; i < width - 1; i++) {
		*to++ = (char)(number | 0x80);
		number >>= 7;
	}
	*to = (char)number;
}

static inline void encode_varint(struct buf *to, uint64_t number)
{
	char *at = buf_room(to, ENCODE_VARINT_MAX);

	if (at)
		to->size += (size_t)(encode_varint_at(at, number) - at);
}

static inline void encode_padded(struct buf *to, uint64_t number, int width)
{
	char *at = buf_room(to, (size_t)width);

	if (at) {
		encode_padded_at(at, number, width);
		to->size += (size_t)width;
	}
}

static inline void encode_boolean(struct buf *to, bool value)
{
	buf_byte(to, value);
}

static inline void encode_byte(struct buf *to, int8_t number)
{
	buf_byte(to, number);
}

static inline void encode_short(struct buf *to, int16_t number)
{
	encode_varint(to, (uint16_t)number);
}

static inline void encode_char(struct buf *to, uint16_t unit)
{
	encode_varint(to, unit);
}

static inline void encode_int(struct buf *to, int32_t number)
{
	encode_varint(to, (uint32_t)number);
}

static inline void encode_long(struct buf *to, int64_t number)
{
	encode_varint(to, (uint64_t)number);
}

/* A big-endian number of 1 to 8 bytes; gives the end. */
static inline char *encode_big_at(char *to, uint64_t number, int size)
{
	for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
		*to++ = (char)(number >> shift);
	return to;
}

static inline void encode_big(struct buf *to, uint64_t number, int size)
{
	char *at = buf_room(to, (size_t)size);

	if (at)
		to->size += (size_t)(encode_big_at(at, number, size) - at);
}

static inline uint32_t encode_float_bits(float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static inline void encode_float(struct buf *to, float number)
{
	encode_big(to, encode_float_bits(number), 4);
}

static inline void encode_double(struct buf *to, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	encode_big(to, bits, 8);
}

/* An event of these bytes, which begin with its type; in front of them goes its size. */
void encode_event(struct buf *to, const void *bytes, size_t size);

/*
 * The event that starts at `at`, where `width` bytes were kept free, ends here: puts its
 * size there. A width of 1 becomes ENCODE_PADDED if need be, and all else moves. False if
 * the event is larger than ENCODE_EVENT_MAX.
 */
bool encode_event_size(struct buf *to, size_t at, int width);

/* A string in the shortest way that every reader understands. */
void encode_string(struct buf *to, struct str text);

/*
 * A string in one particular encoding: UTF8, CHARS or LATIN1. Text that this one
 * cannot hold (unpaired surrogates, characters beyond U+00FF) is written as CHARS,
 * which can hold any.
 */
void encode_string_as(struct buf *to, enum string_encoding encoding, struct str text);

/* A string that is a constant in the pool of java.lang.String. */
void encode_string_key(struct buf *to, uint64_t key);

#endif
