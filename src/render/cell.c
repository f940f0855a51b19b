#include "render/cell.h"

#include <csv.h>

#include "base/utf.h"

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static bool needs_quotes(struct str text)
{
	if (text.size == 0 || is_blank(text.bytes[0]) ||
	    is_blank(text.bytes[text.size - 1]))
		return true;
	for (size_t i = 0; i < text.size; i++) {
		char byte = text.bytes[i];

		if (byte == CELL_SEPARATOR || byte == CSV_QUOTE || byte == CSV_CR ||
		    byte == CSV_LF)
			return true;
	}
	return false;
}

void cell_tail(struct buf *to, size_t start)
{
	size_t size = to->size - start, room = 2 * size + 2, quoted;

	/* There is room for all of it: the text stays where it is while it is read. */
	if (!buf_room(to, room) ||
	    !needs_quotes((struct str){ to->bytes + start, size }))
		return;
	quoted = csv_write(to->bytes + to->size, room, to->bytes + start, size);
	memmove(to->bytes + start, to->bytes + to->size, quoted);
	to->size = start + quoted;
}

void cell_csv(struct buf *to, struct str text)
{
	size_t start = to->size;

	if (!text.bytes)
		return;
	utf_add_output(to, text);
	cell_tail(to, start);
}
