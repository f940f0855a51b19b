/*
 * reader.h - numbers of class files, the high byte first: read in bounds, and written.
 *
 * A reader remembers its first failure: after it, all it gives is 0.
 */
#ifndef CLASSFILE_READER_H
#define CLASSFILE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct reader {
	const uint8_t *bytes;
	uint32_t at, end;
	bool failed;		/* the bytes ended too early */
};

static inline uint16_t big_u2(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t big_u4(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
	       at[3];
}

/* Steps over `size` bytes, and gives where they are; NULL: there are not so many. */
static inline const uint8_t *reader_take(struct reader *reader, uint32_t size)
{
	const uint8_t *at = reader->bytes + reader->at;

	if (reader->failed || size > reader->end - reader->at) {
		reader->failed = true;
		return NULL;
	}
	reader->at += size;
	return at;
}

static inline uint8_t reader_u1(struct reader *reader)
{
	const uint8_t *at = reader_take(reader, 1);

	return at ? *at : 0;
}

static inline uint16_t reader_u2(struct reader *reader)
{
	const uint8_t *at = reader_take(reader, 2);

	return at ? big_u2(at) : 0;
}

static inline uint32_t reader_u4(struct reader *reader)
{
	const uint8_t *at = reader_take(reader, 4);

	return at ? big_u4(at) : 0;
}

static inline void big_put_u1(struct buf *to, unsigned number)
{
	buf_byte(to, (char)number);
}

static inline void big_put_u2(struct buf *to, unsigned number)
{
	char *at = buf_room(to, 2);

	if (!at)
		return;
	at[0] = (char)(number >> 8);
	at[1] = (char)number;
	to->size += 2;
}

static inline void big_put_u4(struct buf *to, uint32_t number)
{
	big_put_u2(to, number >> 16);
	big_put_u2(to, number & 0xffff);
}

/* Writes over what is there. */
static inline void big_set_u4(struct buf *to, size_t at, uint32_t number)
{
	for (int i = 0; i < 4 && !to->failed; i++)
		to->bytes[at + (size_t)i] = (char)(number >> (24 - 8 * i));
}

static inline void big_set_u2(struct buf *to, size_t at, unsigned number)
{
	for (int i = 0; i < 2 && !to->failed; i++)
		to->bytes[at + (size_t)i] = (char)(number >> (8 - 8 * i));
}

#endif
