#include "jfr/encode.h"

#include "base/surrogate.h"
#include "base/utf.h"

static bool point_is_surrogate(uint32_t point)
{
	return point >= 0xd800 && point <= 0xdfff;
}

static bool holds_surrogate(struct str text)
{
	while (text.size) {
		if (point_is_surrogate(utf_next(&text)))
			return true;
	}
	return false;
}

static void add_bytes(struct buf *to, enum string_encoding encoding, struct str bytes)
{
	buf_byte(to, (char)encoding);
	encode_varint(to, bytes.size);
	buf_str(to, bytes);
}

static void add_chars(struct buf *to, struct str text)
{
	buf_byte(to, STRING_CHARS);
	encode_varint(to, utf_units(text));
	while (text.size) {
		uint32_t point = utf_next(&text);

		if (point > 0xffff) {
			encode_char(to, surrogate_high(point));
			point = surrogate_low(point);
		}
		encode_char(to, (uint16_t)point);
	}
}

static void add_latin1(struct buf *to, struct str text)
{
	struct str rest = text;

	while (rest.size) {
		if (utf_next(&rest) > 0xff) {
			add_chars(to, text);
			return;
		}
	}
	buf_byte(to, STRING_LATIN1);
	encode_varint(to, utf_units(text));
	while (text.size)
		buf_byte(to, (char)utf_next(&text));
}

void encode_string_as(struct buf *to, enum string_encoding encoding, struct str text)
{
	bool is_ascii = utf_is_ascii(text.bytes, text.size);

	if (text.size > INT32_MAX)
		to->failed = true;
	else if (encoding == STRING_LATIN1 && !is_ascii)
		add_latin1(to, text);
	else if (encoding == STRING_CHARS || (!is_ascii && holds_surrogate(text)))
		add_chars(to, text);
	else
		add_bytes(to, encoding, text);
}

void encode_string(struct buf *to, struct str text)
{
	if (!text.bytes)
		buf_byte(to, STRING_NULL);
	else if (text.size == 0)
		buf_byte(to, STRING_EMPTY);
	else
		encode_string_as(to, STRING_UTF8, text);
}

void encode_string_key(struct buf *to, uint64_t key)
{
	buf_byte(to, STRING_POOLED);
	encode_varint(to, key);
}

void encode_event(struct buf *to, const void *bytes, size_t size)
{
	int width = 1;

	while (width < ENCODE_VARINT_MAX && (size + (size_t)width) >> (7 * width))
		width++;
	encode_padded(to, size + (size_t)width, width);
	buf_add(to, bytes, size);
}

bool encode_event_size(struct buf *to, size_t at, int width)
{
	size_t size = to->size - at;

	if (width == 1 && size >= 0x80) {
		buf_fill(to, 0, ENCODE_PADDED - 1);
		if (to->failed)
			return true;
		memmove(to->bytes + at + ENCODE_PADDED, to->bytes + at + 1, size - 1);
		size += ENCODE_PADDED - 1;
		width = ENCODE_PADDED;
	}
	if (size > ENCODE_EVENT_MAX)
		return false;
	if (!to->failed)
		encode_padded_at(to->bytes + at, size, width);
	return true;
}
