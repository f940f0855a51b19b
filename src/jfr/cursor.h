/*
 * cursor.h - reading the primitive encodings, never past an end.
 *
 * A cursor is sticky: after the first read that does not fit it is `bad`, stands at
 * its end and gives zeros, so a decoder reads straight down and asks once. The
 * encodings are those of format.md 2; all cursors may be copied freely.
 */
#ifndef JFR_CURSOR_H
#define JFR_CURSOR_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const unsigned char *at;
	const unsigned char *end;
	bool bad;
};

static inline struct cursor cursor_of(const unsigned char *bytes, size_t size)
{
	return (struct cursor){ bytes, bytes + size, false };
}

static inline size_t cursor_left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

static inline void cursor_fail(struct cursor *cursor)
{
	cursor->at = cursor->end;
	cursor->bad = true;
}

static inline const unsigned char *cursor_bytes(struct cursor *cursor, size_t size)
{
	const unsigned char *at = cursor->at;

	if (size > cursor_left(cursor)) {
		cursor_fail(cursor);
		return NULL;
	}
	cursor->at += size;
	return at;
}

static inline uint8_t cursor_byte(struct cursor *cursor)
{
	if (cursor->at == cursor->end) {
		cursor_fail(cursor);
		return 0;
	}
	return *cursor->at++;
}

/* The tail of cursor_varint: two bytes or more. */
static inline uint64_t cursor_long_varint(struct cursor *cursor)
{
	const unsigned char *at = cursor->at;
	uint64_t value = 0;

	for (int shift = 0; at < cursor->end; shift += 7) {
		uint64_t byte = *at++;

		if (shift == 56) {	/* the ninth byte carries all its eight bits */
			cursor->at = at;
			return value | byte << 56;
		}
		value |= (byte & 0x7f) << shift;
		if (byte < 0x80) {
			cursor->at = at;
			return value;
		}
	}
	cursor_fail(cursor);
	return 0;
}

/* A compressed integer of 1 to 9 bytes; narrower types truncate what they get. */
static inline uint64_t cursor_varint(struct cursor *cursor)
{
	if (cursor->at < cursor->end && *cursor->at < 0x80)
		return *cursor->at++;
	return cursor_long_varint(cursor);
}

/*
 * Goes past compressed integers, eight bytes at a time: as many as end there are counted
 * down. Stops in front of the last of them, and where one may have nine bytes: the ninth
 * ends it whatever its top bit is.
 */
static inline const unsigned char *cursor_hop_varints(const unsigned char *at,
						      const unsigned char *end,
						      uint64_t *count)
{
	const uint64_t tops = UINT64_C(0x8080808080808080);
	unsigned begun = 0;	/* bytes of an integer that does not end there */

	while (*count > 8 && end - at >= 8) {
		uint64_t word, ends, ended;

		memcpy(&word, at, sizeof(word));
		ends = ~le64toh(word) & tops;
		if (!ends || begun + (unsigned)__builtin_ctzll(ends) / 8 >= 8)
			break;
		ended = ((ends >> 7) * UINT64_C(0x0101010101010101)) >> 56;
		*count -= ended;
		begun = (unsigned)__builtin_clzll(ends) / 8;
		at += 8;
	}
	return at - begun;
}

/* Goes past that many compressed integers. */
static inline void cursor_skip_varints(struct cursor *cursor, uint64_t count)
{
	const unsigned char *at = cursor_hop_varints(cursor->at, cursor->end, &count);

	for (; count > 0 && cursor->end - at >= 9; count--) {
		const unsigned char *last = at + 8;

		while (at < last && *at >= 0x80)
			at++;
		at++;
	}
	cursor->at = at;
	for (; count > 0 && !cursor->bad; count--)
		cursor_varint(cursor);
}

/* A big-endian number of 1 to 8 bytes. */
static inline uint64_t cursor_big(struct cursor *cursor, size_t size)
{
	const unsigned char *bytes = cursor_bytes(cursor, size);
	uint64_t value = 0;

	for (size_t i = 0; bytes && i < size; i++)
		value = value << 8 | bytes[i];
	return value;
}

static inline float cursor_float(struct cursor *cursor)
{
	uint32_t bits = (uint32_t)cursor_big(cursor, 4);
	float number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static inline double cursor_double(struct cursor *cursor)
{
	uint64_t bits = cursor_big(cursor, 8);
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

#endif
