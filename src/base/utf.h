/*
 * utf.h - the ways Java text is stored, brought to one form and back.
 *
 * The one form: UTF-8, in which an unpaired surrogate has its own three bytes
 * (0xED 0xA0..0xBF ..). It can hold every Java string; pairs are always joined to
 * the four-byte form.
 */
#ifndef BASE_UTF_H
#define BASE_UTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/* True if no byte has its top bit set: then all encodings below agree. */
bool utf_is_ascii(const void *bytes, size_t size);

/*
 * Decodes as Java's strict UTF-8 decoder does: each maximal ill-formed piece
 * becomes U+FFFD, a three-byte surrogate one, the overlong C0 80 two.
 */
void utf_add_utf8(struct buf *to, const void *bytes, size_t size);

/*
 * True if it is UTF-8, or the "modified" one that HotSpot writes: NUL as C0 80, and
 * characters beyond U+FFFF as two halves of three bytes each.
 */
bool utf_is_java(const void *bytes, size_t size);

/*
 * The "modified" one, of class files and JVMs: it differs from UTF-8 in characters beyond
 * U+FFFF, which are pairs of surrogates, and U+0000, which is C0 80.
 */
void utf_add_modified(struct buf *to, struct str text);

/* Latin-1: each byte is a code point. */
void utf_add_latin1(struct buf *to, const void *bytes, size_t size);

/*
 * One UTF-16 unit. Pairs are joined by remembering the high half between calls in
 * *high (0 at the start); utf_end_units writes one that stayed alone.
 */
void utf_add_unit(struct buf *to, uint16_t unit, uint16_t *high);
void utf_end_units(struct buf *to, uint16_t *high);

/*
 * Takes the next code point off the front of `*text` (size must be > 0); an
 * unpaired surrogate comes as itself, a byte that fits nowhere as U+FFFD.
 */
uint32_t utf_next(struct str *text);

/* True if the text is the beginning of a code point, of which bytes are missing. */
bool utf_is_begun(struct str text);

/* The bytes of the blanks at the front, which Character.isWhitespace is true of. */
size_t utf_blanks(struct str text);

/* Java's String.strip: without blanks at both ends. */
struct str utf_strip(struct str text);

/* What stands where bytes make no sense. */
#define UTF_REPLACEMENT 0xfffd

/* Writes a code point (surrogates in their three-byte form). */
void utf_add(struct buf *to, uint32_t point);

/* The same where there is room for UTF_POINT_MAX bytes; gives the end. */
#define UTF_POINT_MAX 4
char *utf_write(char *to, uint32_t point);

/* The number of UTF-16 units, Java's String.length. */
size_t utf_units(struct str text);

/* Makes all from `start` on real UTF-8, for output: an unpaired surrogate becomes `?`. */
void utf_end_output(struct buf *text, size_t start);

/* Appends text, made so. */
void utf_add_output(struct buf *to, struct str text);

#endif
