#include "base/escape.h"

#include "base/surrogate.h"
#include "base/utf.h"

static struct str entity(char byte)
{
	switch (byte) {
	case '"':
		return STR("&quot;");
	case '&':
		return STR("&amp;");
	case '\'':
		return STR("&apos;");
	case '<':
		return STR("&lt;");
	case '>':
		return STR("&gt;");
	}
	return (struct str){ NULL, 0 };
}

static void write_point(struct buf *to, uint32_t point)
{
	if (point > 0xffff)
		buf_printf(to, "&#%u;&#%u;", surrogate_high(point),
			   surrogate_low(point));
	else
		buf_printf(to, "&#%u;", point);
}

void escape_xml(struct buf *to, struct str text)
{
	while (text.size) {
		size_t plain = 0;

		while (plain < text.size && (signed char)text.bytes[plain] >= 0 &&
		       !entity(text.bytes[plain]).bytes)
			plain++;
		buf_add(to, text.bytes, plain);
		text.bytes += plain;
		text.size -= plain;
		if (!text.size)
			break;
		if (entity(*text.bytes).bytes) {
			buf_str(to, entity(*text.bytes));
			text.bytes++;
			text.size--;
		} else {
			write_point(to, utf_next(&text));
		}
	}
}

/* What means nothing to any shell, wherever in a word it stands. */
static bool is_plain(char byte)
{
	return str_is_alphanumeric(byte) || (byte & 0x80) ||
	       (byte && strchr("-_./%+,:=@", byte));
}

void escape_shell(struct buf *to, struct str text)
{
	size_t plain = 0;

	while (plain < text.size && is_plain(text.bytes[plain]))
		plain++;
	if (plain == text.size && plain) {
		buf_str(to, text);
		return;
	}
	buf_byte(to, '\'');
	for (size_t i = 0; i < text.size; i++) {
		if (text.bytes[i] == '\'')
			buf_text(to, "'\\''");
		else
			buf_byte(to, text.bytes[i]);
	}
	buf_byte(to, '\'');
}
