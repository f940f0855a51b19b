#include "render/quote.h"

#include "base/surrogate.h"
#include "base/utf.h"

/* A byte takes up so many when it is escaped. */
#define ESCAPE_SIZE 6

static void escape_unit(struct buf *to, uint32_t unit)
{
	static const char hex[] = "0123456789abcdef";
	char text[ESCAPE_SIZE] = { '\\', 'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15],
				   hex[unit >> 4 & 15], hex[unit & 15] };

	buf_add(to, text, sizeof(text));
}

/* The letter of a two-character escape, or 0. */
static char short_escape(char byte)
{
	static const char from[] = "\b\n\t\f\r\"\\/";
	static const char letters[] = "bntfr\"\\/";
	const char *found = byte ? strchr(from, byte) : NULL;

	return found ? letters[found - from] : 0;
}

/* Bytes that are copied; 0xed may begin half of a surrogate pair. */
static inline bool is_plain(char byte, enum quote_style style)
{
	unsigned char number = (unsigned char)byte;

	if (number < ' ' || number == '"' || number == '\\')
		return false;
	return style == QUOTE_UTF8 ? number != 0xed : number < 0x80 && number != '/';
}

static void add_point(struct buf *to, uint32_t point, enum quote_style style)
{
	bool is_half = point >= 0xd800 && point <= 0xdfff;

	if (style == QUOTE_UTF8 && point >= 0x80 && !is_half) {
		utf_add(to, point);
	} else if (point > 0xffff) {
		escape_unit(to, surrogate_high(point));
		escape_unit(to, surrogate_low(point));
	} else {
		escape_unit(to, point);
	}
}

static void add_special(struct buf *to, struct str *text, enum quote_style style)
{
	char letter = short_escape(*text->bytes);

	if (!letter) {
		add_point(to, utf_next(text), style);
		return;
	}
	buf_byte(to, '\\');
	buf_byte(to, letter);
	text->bytes++;
	text->size--;
}

void quote_add(struct buf *to, struct str text, enum quote_style style)
{
	buf_byte(to, '"');
	while (text.size) {
		size_t plain = 0;

		while (plain < text.size && is_plain(text.bytes[plain], style))
			plain++;
		buf_add(to, text.bytes, plain);
		text.bytes += plain;
		text.size -= plain;
		if (text.size)
			add_special(to, &text, style);
	}
	buf_byte(to, '"');
}

void quote_tail(struct buf *to, size_t start)
{
	size_t size = to->size - start, quoted_at = to->size;

	/* There is room for all of it: the text stays where it is while it is read. */
	if (!buf_room(to, ESCAPE_SIZE * size + 2))
		return;
	quote_add(to, (struct str){ to->bytes + start, size }, QUOTE_UTF8);
	memmove(to->bytes + start, to->bytes + quoted_at, to->size - quoted_at);
	to->size -= size;
}
