/*
 * lex.h - a text taken apart into words: a query, or a file of views.
 *
 * Words have blanks between them, and go on through quotes: 'a b'c is the word "a bc".
 * A separator ends a word, and is one of its own. What is expected next is not a word
 * but a beginning, in any case of its letters: "as" can be taken off "ASSETS". So it is
 * in the JDK (jfr-tool.md 5.3), and what is a query there must be the same here.
 */
#ifndef QUERY_LEX_H
#define QUERY_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct lex {
	struct str text;
	const char *separators;	/* each is a byte; may be changed between words */
	size_t at;		/* what is in front of it has been taken */
};

struct word {
	struct str text;	/* without its quotes */
	struct str raw;		/* with them: a part of the text */
	size_t at;		/* where that begins */
};

/* Passes over blanks; true if nothing is left. */
bool lex_is_end(struct lex *lex);

/* Takes what is expected, if the rest begins with it; otherwise only blanks. */
bool lex_accept(struct lex *lex, const char *expected);

/* The next byte that is no blank; '\0' at the end. */
char lex_peek(struct lex *lex);

/*
 * Takes a word, which belongs to the text, or to the arena if quotes had to be taken
 * out of it. False, and nothing is taken: ERR_USAGE if a quote is not closed or nothing
 * is left, or ERR_MEMORY.
 */
bool lex_take(struct lex *lex, struct word *word, struct arena *arena, struct err *err);

/* True if the word is this one, in any case of its letters. */
bool lex_is_word(struct str word, const char *name);

/* Takes the rest of the line. */
void lex_skip_line(struct lex *lex);

/* A whole number as Java's Integer.parseInt has it: a sign, digits, and no more. */
bool lex_integer(struct str text, int *number);

/* The number of the line, from 1, in which this byte of the text is. */
size_t lex_line(struct str text, size_t at);

#endif
