#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/digits.h"

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

void buf_unsigned(struct buf *buf, uint64_t number)
{
	int count = digits_count(number);
	char *to = buf_room(buf, (size_t)count);

	if (to) {
		digits_write_padded(to, number, count);
		buf->size += (size_t)count;
	}
}

void buf_integer(struct buf *buf, int64_t number)
{
	uint64_t distance = number < 0 ? -(uint64_t)number : (uint64_t)number;
	int count = digits_count(distance);
	size_t size = (size_t)count + (number < 0);
	char *to = buf_room(buf, size);

	if (to) {
		*to = '-';
		digits_write_padded(to + (number < 0), distance, count);
		buf->size += size;
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
