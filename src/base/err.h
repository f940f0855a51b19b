/*
 * err.h - what went wrong, told from the inside out.
 *
 * Functions that can fail take a `struct err *` last and return false (or NULL).
 * The text lives inside the struct, so that even "out of memory" can be told.
 * The functions here take a NULL err and drop the text; so do those that only hand theirs
 * on. The innermost cause is set
 * once; each level on the way up adds where it was: "file: chunk 2: cause".
 * Nothing below cmd/ and agent/ prints or exits.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

enum err_kind {
	ERR_NONE,
	ERR_USAGE,		/* the user asked for what cannot be */
	ERR_SYSTEM,		/* the system said no; the text ends with its reason */
	ERR_FORMAT,		/* the input is not what it claims to be */
	ERR_MEMORY,		/* out of memory, or over a limit of ours */
};

struct err {
	enum err_kind kind;
	char text[512];		/* one line, no final newline or full stop */
};

/* Sets kind and text; always returns false, so `return err_set(...)` is one line. */
bool err_set(struct err *err, enum err_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ERR_SYSTEM; the text is followed by " (reason of errno)". Returns false. */
bool err_system(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ERR_MEMORY with a standard text. Returns false. */
bool err_memory(struct err *err);

/* Puts "where: " before the text that is there. Returns false. */
bool err_within(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
