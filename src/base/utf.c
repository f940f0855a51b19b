#include "base/utf.h"

#include "base/surrogate.h"

static bool unit_is_high(uint32_t unit)
{
	return (unit & ~0x3ffU) == 0xd800;
}

static bool unit_is_low(uint32_t unit)
{
	return (unit & ~0x3ffU) == 0xdc00;
}

/* How many bytes at the front are ASCII. */
static size_t ascii_run(const unsigned char *bytes, size_t size)
{
	size_t at = 0;
	uint64_t eight;

	while (size - at >= sizeof(eight)) {
		memcpy(&eight, bytes + at, sizeof(eight));
		if (eight & UINT64_C(0x8080808080808080))
			break;
		at += sizeof(eight);
	}
	while (at < size && bytes[at] < 0x80)
		at++;
	return at;
}

bool utf_is_ascii(const void *bytes, size_t size)
{
	return size == 0 || ascii_run(bytes, size) == size;
}

/*
 * The size of the longest beginning of a sequence (surrogates included) that
 * starts with a byte >= 0x80; `*whole` if it is all of one. A byte that cannot
 * start any is 1 long. Only the second byte has bounds that depend on the first:
 * they exclude overlong forms and what lies beyond U+10FFFF.
 */
static size_t sequence_size(const unsigned char *bytes, size_t size, bool *whole)
{
	unsigned lead = bytes[0], low = 0x80, high = 0xbf;
	size_t wanted = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

	*whole = false;
	if (lead < 0xc2 || lead > 0xf4)
		return 1;
	if (lead == 0xe0)
		low = 0xa0;
	else if (lead == 0xf0)
		low = 0x90;
	else if (lead == 0xf4)
		high = 0x8f;
	for (size_t at = 1; at < wanted; at++) {
		if (at == size || bytes[at] < low || bytes[at] > high)
			return at;
		low = 0x80;
		high = 0xbf;
	}
	*whole = true;
	return wanted;
}

static bool sequence_is_surrogate(const void *sequence)
{
	const unsigned char *bytes = sequence;

	return bytes[0] == 0xed && bytes[1] >= 0xa0;
}

void utf_add_utf8(struct buf *to, const void *bytes, size_t size)
{
	const unsigned char *from = bytes;
	size_t start = 0, at = 0;

	/* What is well-formed from `start` on is copied in one go. */
	while (at < size) {
		size_t piece;
		bool whole;

		at += ascii_run(from + at, size - at);
		if (at == size)
			break;
		piece = sequence_size(from + at, size - at, &whole);
		if (!whole || sequence_is_surrogate(from + at)) {
			buf_add(to, from + start, at - start);
			utf_add(to, UTF_REPLACEMENT);
			start = at + piece;
		}
		at += piece;
	}
	if (at > start)
		buf_add(to, from + start, at - start);
}

void utf_add_latin1(struct buf *to, const void *bytes, size_t size)
{
	const unsigned char *from = bytes;
	size_t at = 0;

	while (at < size) {
		size_t run = ascii_run(from + at, size - at);

		buf_add(to, from + at, run);
		for (at += run; at < size && from[at] >= 0x80; at++)
			utf_add(to, from[at]);
	}
}

void utf_add_unit(struct buf *to, uint16_t unit, uint16_t *high)
{
	if (*high && unit_is_low(unit)) {
		utf_add(to, surrogate_join(*high, unit));
		*high = 0;
		return;
	}
	utf_end_units(to, high);
	if (unit_is_high(unit))
		*high = unit;
	else
		utf_add(to, unit);
}

void utf_end_units(struct buf *to, uint16_t *high)
{
	if (*high)
		utf_add(to, *high);
	*high = 0;
}

static uint32_t sequence_point(const unsigned char *bytes, size_t size)
{
	uint32_t point = bytes[0] & (0x7fU >> size);

	for (size_t i = 1; i < size; i++)
		point = point << 6 | (bytes[i] & 0x3f);
	return point;
}

uint32_t utf_next(struct str *text)
{
	const unsigned char *bytes = (const unsigned char *)text->bytes;
	uint32_t point = bytes[0];
	size_t size = 1;
	bool whole;

	if (point >= 0x80) {
		size = sequence_size(bytes, text->size, &whole);
		point = whole ? sequence_point(bytes, size) : UTF_REPLACEMENT;
		if (!whole)
			size = 1;
	}
	text->bytes += size;
	text->size -= size;
	return point;
}

bool utf_is_begun(struct str text)
{
	const unsigned char *bytes = (const unsigned char *)text.bytes;
	bool whole;

	return text.size && bytes[0] >= 0xc2 && bytes[0] <= 0xf4 &&
	       sequence_size(bytes, text.size, &whole) == text.size && !whole;
}

/* Past ASCII, Character.isWhitespace leaves out those that do not end a line. */
static bool is_blank(uint32_t point)
{
	static const struct {
		uint16_t first, last;
	} blanks[] = {
		{ '\t', '\r' }, { 0x1c, ' ' }, { 0x1680, 0x1680 },
		{ 0x2000, 0x2006 }, { 0x2008, 0x200a }, { 0x2028, 0x2029 },
		{ 0x205f, 0x205f }, { 0x3000, 0x3000 },
	};

	for (size_t i = 0; i < sizeof(blanks) / sizeof(blanks[0]); i++) {
		if (point >= blanks[i].first && point <= blanks[i].last)
			return true;
	}
	return false;
}

size_t utf_blanks(struct str text)
{
	struct str rest = text;
	size_t size = 0;

	while (rest.size && is_blank(utf_next(&rest)))
		size = text.size - rest.size;
	return size;
}

struct str utf_strip(struct str text)
{
	size_t front = utf_blanks(text), last;
	struct str tail;

	text = (struct str){ text.bytes + front, text.size - front };
	while (text.size) {
		last = str_front(text, text.size - 1).size;
		tail = (struct str){ text.bytes + last, text.size - last };
		if (utf_blanks(tail) < tail.size)
			break;
		text.size = last;
	}
	return text;
}

char *utf_write(char *to, uint32_t point)
{
	size_t size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;

	if (point > 0x10ffff) {
		point = UTF_REPLACEMENT;
		size = 3;
	}
	for (size_t i = size - 1; i > 0; i--) {
		to[i] = (char)(0x80 | (point & 0x3f));
		point >>= 6;
	}
	to[0] = (char)(size == 1 ? point : (0xf00U >> size & 0xff) | point);
	return to + size;
}

void utf_add(struct buf *to, uint32_t point)
{
	char bytes[UTF_POINT_MAX];

	if (point < 0x80)
		buf_byte(to, (char)point);
	else
		buf_add(to, bytes, (size_t)(utf_write(bytes, point) - bytes));
}

/* utf_next takes halves of pairs as they are. */
bool utf_is_java(const void *bytes, size_t size)
{
	struct str text = { bytes, size };

	if (utf_is_ascii(bytes, size))
		return true;
	while (text.size) {
		struct str before = text;

		if (utf_next(&text) != UTF_REPLACEMENT ||
		    str_starts(before, STR("\xef\xbf\xbd")))
			continue;
		if (!str_starts(before, STR("\xc0\x80")))
			return false;
		text = (struct str){ before.bytes + 2, before.size - 2 };
	}
	return true;
}

size_t utf_units(struct str text)
{
	size_t units = 0;

	while (text.size) {
		size_t run = ascii_run((const unsigned char *)text.bytes, text.size);

		units += run;
		text.bytes += run;
		text.size -= run;
		while (text.size && (unsigned char)text.bytes[0] >= 0x80)
			units += utf_next(&text) > 0xffff ? 2 : 1;
	}
	return units;
}

void utf_end_output(struct buf *text, size_t start)
{
	size_t at = start, from = start;

	while (from < text->size) {
		char *to = text->bytes + at;
		const char *bytes = text->bytes + from;
		size_t left = text->size - from;
		const char *found = memchr(bytes, 0xed, left);
		size_t run = found ? (size_t)(found - bytes) : left;
		bool is_alone = left - run >= 3 && sequence_is_surrogate(found);

		if (found && !is_alone)
			run++;
		memmove(to, bytes, run);
		if (is_alone)
			to[run] = '?';
		at += run + is_alone;
		from += run + (is_alone ? 3 : 0);
	}
	text->size = at;
}

void utf_add_output(struct buf *to, struct str text)
{
	size_t start = to->size;

	buf_str(to, text);
	utf_end_output(to, start);
}

void utf_add_modified(struct buf *to, struct str rest)
{
	uint16_t high = 0;

	if (utf_is_ascii(rest.bytes, rest.size)) {
		buf_str(to, rest);
		return;
	}
	while (rest.size > 0) {
		uint32_t point;

		if (rest.size > 1 && memcmp(rest.bytes, "\xc0\x80", 2) == 0) {
			rest.bytes += 2;
			rest.size -= 2;
			point = 0;
		} else {
			point = utf_next(&rest);
		}
		if (point <= 0xffff) {
			utf_add_unit(to, (uint16_t)point, &high);
		} else {
			utf_end_units(to, &high);
			utf_add(to, point);
		}
	}
	utf_end_units(to, &high);
}
