#include "render/wrap.h"

#include "base/utf.h"
#include "render/slice.h"

struct wrapping {
	struct buf *to;
	size_t width;
	size_t position;	/* units in the line, or in the lines of a long text */
};

/* Java's, of which there are none beyond ASCII in the text of a query. */
static bool is_blank(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r') ||
	       (byte >= 0x1c && byte <= 0x1f);
}

static bool is_separator(char byte)
{
	return byte == '=' || byte == ',';
}

static bool is_quote(char byte)
{
	return byte == '\'' || byte == '"';
}

/* Where the quotes that open at `at` close, or the text ends. */
static size_t quote_end(struct str text, size_t at)
{
	const char *found = memchr(text.bytes + at + 1, text.bytes[at],
				   text.size - at - 1);

	return found ? (size_t)(found - text.bytes) + 1 : text.size;
}

static size_t word_size(struct str text)
{
	size_t at = 0;

	if (is_separator(text.bytes[0]))
		return 1;
	while (at < text.size && !is_blank(text.bytes[at]) &&
	       !is_separator(text.bytes[at]))
		at = is_quote(text.bytes[at]) ? quote_end(text, at) : at + 1;
	return at;
}

/* Takes the next word off the front; false if there is none. */
static bool next_word(struct str *rest, struct str *word)
{
	while (rest->size && is_blank(rest->bytes[0])) {
		rest->bytes++;
		rest->size--;
	}
	if (!rest->size)
		return false;
	*word = (struct str){ rest->bytes, word_size(*rest) };
	rest->bytes += word->size;
	rest->size -= word->size;
	return true;
}

/* Breaks the line wherever it is full. */
static void add_run(struct wrapping *wrapping, struct str text)
{
	struct slice rest = slice_of(text);

	while (!slice_is_over(&rest)) {
		size_t filled = wrapping->position % wrapping->width;

		if (filled == 0 && wrapping->position)
			buf_byte(wrapping->to, '\n');
		wrapping->position += slice_take(&rest, wrapping->width - filled,
						 wrapping->to);
	}
}

static bool has_blank_before(const struct wrapping *wrapping, struct str word)
{
	return wrapping->position && !str_is(word, STR(",")) && !str_is(word, STR(";"));
}

/*
 * A word that is longer than a line begins in this one. Behind it the position is
 * beyond the width, so that the next word begins a line.
 */
static void add_word(struct wrapping *wrapping, struct str word)
{
	struct str blank = has_blank_before(wrapping, word) ? STR(" ") : STR("");
	size_t units = blank.size + utf_units(word);

	if (units <= wrapping->width && units + wrapping->position > wrapping->width) {
		buf_byte(wrapping->to, '\n');
		wrapping->position = 0;
		blank.size = 0;
	}
	add_run(wrapping, blank);
	add_run(wrapping, word);
}

void wrap_add(struct buf *to, struct str text, size_t width)
{
	struct wrapping wrapping = { .to = to, .width = width };
	size_t start = to->size;
	struct str word;

	while (next_word(&text, &word))
		add_word(&wrapping, word);
	buf_byte(to, '\n');
	utf_end_output(to, start);
}
