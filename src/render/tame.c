#include "render/tame.h"

static const struct {
	uint32_t first, last;
} wild[] = {
	{ 0x80, 0x9f }, { 0x202a, 0x202e }, { 0x2066, 0x2069 }, { 0xd800, 0xdfff },
};

static bool is_wild(uint32_t point)
{
	for (size_t i = 0; i < sizeof(wild) / sizeof(wild[0]); i++) {
		if (point >= wild[i].first && point <= wild[i].last)
			return true;
	}
	return false;
}

static bool is_plain(char byte)
{
	return ((signed char)byte >= ' ' && byte != 0x7f) || byte == '\n' ||
	       byte == '\t';
}

/* Takes one character, which is not plain, off the front. */
static void add_other(struct buf *to, struct str *text)
{
	struct str found = *text;
	uint32_t point = utf_next(text);

	found.size -= text->size;
	if (found.size == 1)	/* also one that is no UTF-8 */
		buf_printf(to, "\\x%02x", (unsigned char)*found.bytes);
	else if (is_wild(point))
		buf_printf(to, "\\u{%x}", point);
	else
		buf_str(to, found);
}

/* All but a character at the end that may go on; gives that. */
static struct str add_whole(struct buf *to, struct str text)
{
	while (text.size) {
		size_t plain = 0;

		while (plain < text.size && is_plain(text.bytes[plain]))
			plain++;
		buf_add(to, text.bytes, plain);
		text.bytes += plain;
		text.size -= plain;
		if (utf_is_begun(text))
			break;
		if (text.size)
			add_other(to, &text);
	}
	return text;
}

void tame_add(struct tame *tame, struct buf *to, struct str piece)
{
	struct str rest;

	/* One byte at a time, until what is held is whole, or turns out to be none. */
	while (tame->held_size && piece.size) {
		tame->held[tame->held_size++] = *piece.bytes++;
		piece.size--;
		rest = add_whole(to, (struct str){ tame->held, tame->held_size });
		memmove(tame->held, rest.bytes, rest.size);
		tame->held_size = rest.size;
	}
	if (!piece.size)
		return;
	rest = add_whole(to, piece);
	memcpy(tame->held, rest.bytes, rest.size);
	tame->held_size = rest.size;
}

void tame_end(struct tame *tame, struct buf *to)
{
	struct str held = { tame->held, tame->held_size };

	while (held.size)
		add_other(to, &held);
	tame->held_size = 0;
}

void tame_line(struct buf *to, struct str text)
{
	struct tame tame = { .held_size = 0 };

	while (text.size) {
		size_t plain = 0;

		while (plain < text.size && text.bytes[plain] != '\n' &&
		       text.bytes[plain] != '\t')
			plain++;
		tame_add(&tame, to, (struct str){ text.bytes, plain });
		tame_end(&tame, to);
		if (plain < text.size)
			buf_printf(to, "\\x%02x", (unsigned)text.bytes[plain++]);
		text.bytes += plain;
		text.size -= plain;
	}
}
