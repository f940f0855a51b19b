/*
 * tame.h - text for a terminal, which must not obey what a recording says.
 *
 * Control characters are written as what they are: \x1b, and \u{9b} or \u{202e}
 * beyond ASCII. These are U+0000..001F but for line feed and tab, U+007F..009F, what
 * turns the direction of text around (U+202A..202E, U+2066..2069), halves of surrogate
 * pairs, and bytes that are no UTF-8.
 */
#ifndef RENDER_TAME_H
#define RENDER_TAME_H

#include "base/buf.h"
#include "base/str.h"
#include "base/utf.h"

/* Text comes in pieces, which may end within a character. A zeroed struct is new. */
struct tame {
	char held[UTF_POINT_MAX];	/* the beginning of one */
	size_t held_size;
};

/* Appends the piece, but for a character at its end that is not all there. */
void tame_add(struct tame *tame, struct buf *to, struct str piece);

/* There will be no more: appends what is held. */
void tame_end(struct tame *tame, struct buf *to);

/* Appends all of a text, in one line: line feeds and tabs are written as \x0a and \x09. */
void tame_line(struct buf *to, struct str text);

#endif
