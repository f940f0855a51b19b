#include "base/str.h"

#include <stdint.h>
#include <stdio.h>

#include "base/surrogate.h"

bool str_starts(struct str text, struct str with)
{
	return text.size >= with.size &&
	       str_is((struct str){ text.bytes, with.size }, with);
}

bool str_ends(struct str text, struct str with)
{
	if (with.size == 0)
		return true;
	if (text.size < with.size)
		return false;
	text.bytes += text.size - with.size;
	text.size = with.size;
	return str_is(text, with);
}

struct str str_front(struct str text, size_t size)
{
	if (text.size <= size)
		return text;
	while (size > 0 && ((unsigned char)text.bytes[size] & 0xc0) == 0x80)
		size--;
	return (struct str){ text.bytes, size };
}

void str_print(char *to, size_t size, const char *format, va_list arguments)
{
	int length = vsnprintf(to, size, format, arguments);
	const char *mark = size < sizeof("...") ? "" : "...";
	struct str front = { to, size - 1 };

	if (length < 0)
		to[0] = '\0';
	if (length < 0 || (size_t)length < size)
		return;
	/* The byte at the end is a 0 now, so one more is given up to know where it is. */
	front = str_front(front, size - 1 - (*mark ? strlen(mark) : size > 1));
	memcpy(to + front.size, mark, strlen(mark) + 1);
}

void str_print_line(char *to, size_t size, const char *format, va_list arguments)
{
	str_print(to, size, format, arguments);
	for (; *to; to++) {
		bool is_c1 = (unsigned char)to[0] == 0xc2 && (to[1] & 0xe0) == 0x80;

		if ((unsigned char)*to < ' ' || *to == 0x7f || is_c1)
			*to = '?';
		if (is_c1)
			*++to = '?';
	}
}

struct str str_after_last(struct str text, char mark)
{
	for (size_t i = text.size; i > 0; i--)
		if (text.bytes[i - 1] == mark)
			return (struct str){ text.bytes + i, text.size - i };
	return text;
}

struct str str_trim(struct str text)
{
	while (text.size && (unsigned char)text.bytes[text.size - 1] <= ' ')
		text.size--;
	while (text.size && (unsigned char)text.bytes[0] <= ' ') {
		text.bytes++;
		text.size--;
	}
	return text;
}

bool str_split(struct str *rest, char mark, struct str *piece)
{
	const char *found;

	if (rest->size == 0)
		return false;
	*piece = *rest;
	found = memchr(rest->bytes, mark, rest->size);
	if (found) {
		piece->size = (size_t)(found - rest->bytes);
		rest->bytes += piece->size + 1;
		rest->size -= piece->size + 1;
	} else {
		rest->bytes += rest->size;
		rest->size = 0;
	}
	return true;
}

bool str_item(struct str *list, struct str *item)
{
	while (str_split(list, ',', item)) {
		*item = str_trim(*item);
		if (item->size)
			return true;
	}
	return false;
}

/* Where the code point after the one at `at` begins. */
static size_t point_after(struct str text, size_t at)
{
	do
		at++;
	while (at < text.size && ((unsigned char)text.bytes[at] & 0xc0) == 0x80);
	return at;
}

/* The same for UTF-16 units; the second of a pair is in the middle of its bytes. */
static size_t unit_after(struct str text, size_t at)
{
	return (unsigned char)text.bytes[at] >= 0xf0 && text.size - at >= 4
		       ? at + 2 : point_after(text, at);
}

/*
 * Only the last star seen can need to take more: whatever an earlier one gives up
 * the last one can take. So there is one place to go back to, never a tree.
 */
bool str_glob(struct str pattern, struct str text)
{
	size_t p = 0, t = 0;
	size_t after_star = 0, star_end = 0;
	bool star = false;

	while (t < text.size) {
		if (p < pattern.size && pattern.bytes[p] == '*') {
			star = true;
			after_star = ++p;
			star_end = t;
		} else if (p < pattern.size && pattern.bytes[p] == '?') {
			p++;
			t = unit_after(text, t);
		} else if (p < pattern.size && pattern.bytes[p] == text.bytes[t]) {
			p++;
			t++;
		} else if (star) {
			p = after_star;
			t = star_end = unit_after(text, star_end);
		} else {
			return false;
		}
	}
	while (p < pattern.size && pattern.bytes[p] == '*')
		p++;
	return p == pattern.size;
}

/*
 * The code point at `*at`, which moves on; what is no such thing gives anything. (Of
 * utf.h, which would not, strings know nothing: it builds on them.)
 */
static uint32_t point_at(struct str text, size_t *at)
{
	size_t end = point_after(text, *at);
	uint32_t lead = (unsigned char)text.bytes[*at];
	uint32_t point = lead < 0x80   ? lead
			 : lead < 0xe0 ? lead & 0x1f
			 : lead < 0xf0 ? lead & 0x0f
				       : lead & 0x07;

	for (size_t i = *at + 1; i < end; i++)
		point = point << 6 | ((unsigned char)text.bytes[i] & 0x3f);
	*at = end;
	return point;
}

/* The next two UTF-16 units as one number that sorts like them; 0 for none. */
static uint32_t units_at(struct str text, size_t at)
{
	uint32_t point = point_at(text, &at);
	uint32_t next = 0;

	if (point > 0xffff)
		return (uint32_t)surrogate_high(point) << 16 | surrogate_low(point);
	if (at < text.size)
		next = point_at(text, &at);
	return point << 16 | (next > 0xffff ? surrogate_high(next) : next);
}

/*
 * UTF-8 sorts by code point and so does UTF-16, except that a pair sorts as its
 * surrogates, below U+E000. So bytes decide unless both lead bytes are high.
 */
int str_compare(struct str a, struct str b)
{
	size_t shared = a.size < b.size ? a.size : b.size;
	size_t at = 0;
	uint32_t unit_a, unit_b;

	while (at < shared && a.bytes[at] == b.bytes[at])
		at++;
	if (at == shared)
		return (a.size > b.size) - (a.size < b.size);
	unit_a = (unsigned char)a.bytes[at];
	unit_b = (unsigned char)b.bytes[at];
	if (unit_a >= 0xed && unit_b >= 0xed) {
		unit_a = units_at(a, at);
		unit_b = units_at(b, at);
	}
	return (unit_a > unit_b) - (unit_a < unit_b);
}

#define WORD_MAX 127 /* longer words are nobody's slip of the finger */

static unsigned char folded(char byte)
{
	return (unsigned char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

static bool starts_folded(struct str text, struct str with)
{
	if (text.size < with.size)
		return false;
	for (size_t i = 0; i < with.size; i++)
		if (folded(text.bytes[i]) != folded(with.bytes[i]))
			return false;
	return true;
}

/*
 * Insertions, deletions, replacements and swaps of neighbours that turn a into b.
 * Three rows of the table are enough: a swap looks two rows back.
 */
static int edits(struct str a, struct str b)
{
	int rows[3][WORD_MAX + 1];
	int *older = rows[0], *old = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b.size; j++)
		old[j] = (int)j;
	for (size_t i = 1; i <= a.size; i++) {
		unsigned char from = folded(a.bytes[i - 1]);
		int *recycled = older;

		row[0] = (int)i;
		for (size_t j = 1; j <= b.size; j++) {
			unsigned char to = folded(b.bytes[j - 1]);

			row[j] = min(old[j - 1] + (from != to),
				     min(old[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && from == folded(b.bytes[j - 2]) &&
			    to == folded(a.bytes[i - 2]))
				row[j] = min(row[j], older[j - 2] + 1);
		}
		older = old;
		old = row;
		row = recycled;
	}
	return old[b.size];
}

/*
 * How far a candidate is from the word; 0 is the same but for case. A word broken
 * off after at least two letters is nearer than any misspelling, and the nearer
 * the less is missing. Fractions of an edit are expressed by counting in 256ths.
 */
static int distance(struct str word, struct str candidate)
{
	size_t missing = candidate.size - word.size;

	if (word.size > WORD_MAX || candidate.size > WORD_MAX)
		return INT32_MAX;
	if (starts_folded(candidate, word) && (missing == 0 || word.size >= 2))
		return (int)missing;
	return edits(word, candidate) * 256;
}

int str_nearest(struct str word, const struct str *candidates, size_t count)
{
	int allowed = (int)(word.size > WORD_MAX ? 3 : word.size / 3);
	int nearest = -1;
	int best;

	allowed = allowed < 1 ? 1 : min(allowed, 3);
	if (word.size <= 1) /* a letter is one edit away from any other */
		allowed = 0;
	best = allowed * 256 + 1;
	for (size_t i = 0; word.size && i < count; i++) {
		int far = distance(word, candidates[i]);

		if (far < best) {
			best = far;
			nearest = (int)i;
		}
	}
	return nearest;
}
