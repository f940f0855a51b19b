#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPACITY_MIN ((size_t)64)

/*
 * With capacity == size every later addition comes to buf_grow, which refuses it:
 * the inlined fast path need not look at `failed`. The memory stays with us.
 */
static bool buf_fail(struct buf *buf)
{
	buf->failed = true;
	buf->capacity = buf->size;
	return false;
}

bool buf_grow(struct buf *buf, size_t extra)
{
	size_t wanted = buf->capacity * 2;
	char *grown;

	if (buf->failed)
		return false;
	if (buf->bytes && extra <= buf->capacity - buf->size)
		return true;
	if (buf->size > SIZE_MAX / 4 || extra > SIZE_MAX / 4)
		return buf_fail(buf);
	if (buf->limit && (buf->size > buf->limit || extra > buf->limit - buf->size))
		return buf_fail(buf);
	if (wanted < CAPACITY_MIN)
		wanted = CAPACITY_MIN;
	if (wanted < buf->size + extra)
		wanted = buf->size + extra;
	if (buf->limit && wanted > buf->limit)
		wanted = buf->limit;
	grown = realloc(buf->bytes, wanted);
	if (!grown)
		return buf_fail(buf);
	buf->bytes = grown;
	buf->capacity = wanted;
	return true;
}

void buf_reset(struct buf *buf)
{
	buf->size = 0;
	buf->failed = false;
}

void buf_clear(struct buf *buf)
{
	free(buf->bytes);
	buf->bytes = NULL;
	buf->size = buf->capacity = 0;
	buf->failed = false;
}

static void add_long_format(struct buf *buf, size_t size, const char *format,
			    va_list args)
{
	char *text = malloc(size + 1);

	if (!text) {
		buf_fail(buf);
		return;
	}
	vsnprintf(text, size + 1, format, args);
	buf_add(buf, text, size);
	free(text);
}

/* Not formatted in place: the final NUL might not fit within the limit. */
void buf_printf(struct buf *buf, const char *format, ...)
{
	char text[256];
	va_list args, again;
	int size;

	va_start(args, format);
	va_copy(again, args);
	size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (size < 0)
		buf_fail(buf);
	else if ((size_t)size < sizeof(text))
		buf_add(buf, text, (size_t)size);
	else
		add_long_format(buf, (size_t)size, format, again);
	va_end(again);
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				  "25262728293031323334353637383940414243444546474849"
				  "50515253545556575859606162636465666768697071727374"
				  "75767778798081828384858687888990919293949596979899";

/* clang-format off */
static const uint64_t tens[] = {
	0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
	1000000000000000, 10000000000000000, 100000000000000000,
	1000000000000000000, 10000000000000000000U,
};
/* clang-format on */

static int digits_count(uint64_t number)
{
	/* 1233 / 4096 is log10 of 2, near enough for 64 bits; off by one at most. */
	int bits = 64 - __builtin_clzll(number | 1);
	int guess = bits * 1233 >> 12;

	return guess + (number >= tens[guess]);
}

/* Writes the digits so that they end before `end`. */
static void digits_write(char *end, uint64_t number)
{
	while (number >= 100) {
		end -= 2;
		memcpy(end, digit_pairs + number % 100 * 2, 2);
		number /= 100;
	}
	if (number >= 10)
		memcpy(end - 2, digit_pairs + number * 2, 2);
	else
		end[-1] = (char)('0' + number);
}

void buf_unsigned(struct buf *buf, uint64_t number)
{
	int count = digits_count(number);
	char *to = buf_room(buf, (size_t)count);

	if (to) {
		digits_write(to + count, number);
		buf->size += (size_t)count;
	}
}

void buf_integer(struct buf *buf, int64_t number)
{
	uint64_t distance = number < 0 ? -(uint64_t)number : (uint64_t)number;
	size_t count = (size_t)digits_count(distance) + (number < 0);
	char *to = buf_room(buf, count);

	if (to) {
		to[0] = '-';
		digits_write(to + count, distance);
		buf->size += count;
	}
}

void buf_fill(struct buf *buf, char byte, size_t count)
{
	char *to = buf_room(buf, count);

	if (to && count) {
		memset(to, byte, count);
		buf->size += count;
	}
}
