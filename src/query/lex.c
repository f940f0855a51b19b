#include "query/lex.h"

#include <stdint.h>

#include "base/utf.h"

/* So much of a text is repeated in a message. */
#define SHOWN_MAX 40

static struct str rest_at(struct str text, size_t at)
{
	return (struct str){ text.bytes + at, text.size - at };
}

bool lex_is_end(struct lex *lex)
{
	lex->at += utf_blanks(rest_at(lex->text, lex->at));
	return lex->at == lex->text.size;
}

static char lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* True if the text begins so, in any case of the letters. */
static bool begins(struct str text, struct str with)
{
	if (text.size < with.size)
		return false;
	for (size_t i = 0; i < with.size; i++) {
		if (lower(text.bytes[i]) != lower(with.bytes[i]))
			return false;
	}
	return true;
}

bool lex_is_word(struct str word, const char *name)
{
	return word.size == strlen(name) && begins(word, str_of(name));
}

bool lex_accept(struct lex *lex, const char *expected)
{
	struct str rest;

	lex_is_end(lex);
	rest = rest_at(lex->text, lex->at);
	if (!begins(rest, str_of(expected)))
		return false;
	lex->at += strlen(expected);
	return true;
}

char lex_peek(struct lex *lex)
{
	return lex_is_end(lex) ? '\0' : lex->text.bytes[lex->at];
}

/* Where a word goes: its raw form ends at `end`; the form without quotes, if wanted. */
struct scan {
	size_t end;
	size_t size;		/* without quotes */
	char *to;		/* NULL: only measured */
};

static void scan_add(struct scan *scan, const char *bytes, size_t size)
{
	if (scan->to && size)
		memcpy(scan->to + scan->size, bytes, size);
	scan->size += size;
	scan->end += size;
}

/* Goes on to the end of the word; false if a quote does not end. */
static bool scan_word(const struct lex *lex, struct scan *scan)
{
	struct str text = lex->text;

	while (scan->end < text.size) {
		const char *here = text.bytes + scan->end;
		const char *close;

		if (*here == '\'' || *here == '"') {
			close = memchr(here + 1, *here, text.size - scan->end - 1);
			if (!close)
				return false;
			scan->end++;
			scan_add(scan, here + 1, (size_t)(close - here - 1));
			scan->end++;
		} else if (*here && strchr(lex->separators, *here)) {
			/* Quotes with nothing between do not make it a word. */
			if (scan->size == 0)
				scan_add(scan, here, 1);
			break;
		} else if (utf_blanks(rest_at(text, scan->end))) {
			break;
		} else {
			scan_add(scan, here, 1);
		}
	}
	return true;
}

static bool fail(const struct lex *lex, struct err *err, const char *format)
{
	struct str rest = str_front(rest_at(lex->text, lex->at), SHOWN_MAX);

	return err_set(err, ERR_USAGE, format, (int)rest.size, rest.bytes);
}

bool lex_take(struct lex *lex, struct word *word, struct arena *arena, struct err *err)
{
	struct scan scan, copy;

	if (lex_is_end(lex))
		return err_set(err, ERR_USAGE, "found the end");
	scan = copy = (struct scan){ .end = lex->at };
	if (!scan_word(lex, &scan))
		return fail(lex, err, "a quote is not closed: %.*s");
	/* '' is a word if a blank follows: strange, but so it is. */
	if (scan.size == 0 && scan.end == lex->text.size)
		return fail(lex, err, "there is nothing between the quotes: %.*s");
	word->at = lex->at;
	word->raw = (struct str){ lex->text.bytes + lex->at, scan.end - lex->at };
	word->text = word->raw;
	if (scan.size < word->raw.size) {
		copy.to = arena_alloc(arena, scan.size);
		if (!copy.to)
			return err_memory(err);
		scan_word(lex, &copy);
		word->text = (struct str){ copy.to, copy.size };
	}
	lex->at = scan.end;
	return true;
}

void lex_skip_line(struct lex *lex)
{
	while (lex->at < lex->text.size) {
		if (lex->text.bytes[lex->at++] == '\n')
			break;
	}
}

bool lex_integer(struct str text, int *number)
{
	bool is_negative = text.size && *text.bytes == '-';
	size_t at = is_negative || (text.size && *text.bytes == '+');
	int64_t value = 0;

	if (at == text.size)
		return false;
	for (; at < text.size; at++) {
		if (text.bytes[at] < '0' || text.bytes[at] > '9')
			return false;
		value = value * 10 + (text.bytes[at] - '0');
		if (value > INT32_MAX + (int64_t)is_negative)
			return false;
	}
	*number = (int)(is_negative ? -value : value);
	return true;
}

size_t lex_line(struct str text, size_t at)
{
	size_t line = 1;

	for (size_t i = 0; i < at && i < text.size; i++)
		line += text.bytes[i] == '\n';
	return line;
}
