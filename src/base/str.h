/*
 * str.h - borrowed strings: a pointer and a length, no terminator.
 *
 * Text inside the program is UTF-8 in which an unpaired UTF-16 surrogate (legal in
 * Java strings) keeps its own three-byte form; see utf.h. A str never owns memory.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct str {
	const char *bytes;	/* NULL: no string at all (Java's null) */
	size_t size;
};

#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })

static inline struct str str_of(const char *text)
{
	return (struct str){ text, text ? strlen(text) : 0 };
}

static inline bool str_is(struct str a, struct str b)
{
	return a.size == b.size &&
	       (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

/* One of ASCII's letters and digits, whatever the locale. */
static inline bool str_is_alphanumeric(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9');
}

bool str_starts(struct str text, struct str with);
bool str_ends(struct str text, struct str with);

/* Its first bytes, at most so many, and no part of a character. */
struct str str_front(struct str text, size_t size);

/*
 * Prints into a buffer of `size` bytes, at least one. A text that does not fit ends in
 * "..." (if that fits), and with no part of a character.
 */
void str_print(char *to, size_t size, const char *format, va_list arguments)
	__attribute__((format(printf, 3, 0)));

/*
 * The same for a message: names in it come from anywhere, so control characters become
 * "?". It stays one line, and free of escape codes.
 */
void str_print_line(char *to, size_t size, const char *format, va_list arguments)
	__attribute__((format(printf, 3, 0)));

/* The part after the last `mark`, or all of it. */
struct str str_after_last(struct str text, char mark);

/* Java's String.trim: without bytes <= 0x20 at both ends. */
struct str str_trim(struct str text);

/*
 * Takes the piece before the next `mark` off the front of `rest`; false when
 * nothing is left. "a,,b" gives "a", "", "b"; a mark at the very end ends the last
 * piece, as a newline ends a line.
 */
bool str_split(struct str *rest, char mark, struct str *piece);

/*
 * Takes the next item off the front of a list with commas. Space around it does not belong
 * to it, and empty ones are passed over. False at the end.
 */
bool str_item(struct str *list, struct str *item);

/* Whole-text match: `*` any run, `?` one UTF-16 unit, all else literal. */
bool str_glob(struct str pattern, struct str text);

/* Java's String.compareTo order, which is that of UTF-16 units. <0, 0, >0. */
int str_compare(struct str a, struct str b);

/*
 * The candidate nearest to `word` by edit distance (case ignored), or -1 when
 * none is near enough to be a likely slip of the finger.
 */
int str_nearest(struct str word, const struct str *candidates, size_t count);

#endif
