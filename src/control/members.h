/*
 * members.h - members of a struct as lines of text: key=value.
 *
 *	name=profile of the checkout
 *	max-age=600000000000
 *	disk=true
 *
 * A value is one line: in it a newline is \n, a backslash \\; in the key of a setting a
 * "=" is \=. A table of rows tells which key is which member. Of what is said twice the
 * last counts.
 */
#ifndef CONTROL_MEMBERS_H
#define CONTROL_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum member_kind {
	MEMBER_TEXT,		/* struct str; not written while it is empty */
	MEMBER_NUMBER,		/* int64_t from 0 on; below that 0 is written */
	MEMBER_COUNT,		/* uint64_t; above INT64_MAX that is written */
	MEMBER_FLAG,		/* bool: true, false */
	MEMBER_WORD,		/* an enum from 0 on, by one of the words */
};

struct member {
	struct str key;
	enum member_kind kind;
	size_t offset;
	size_t most;		/* a text is cut to so many bytes, as written; 0: it is not */
	const char *const *words;	/* ends with NULL */
};

struct member_table {
	const struct member *rows;
	size_t count;
};

/*
 * A row, MEMBER_ROW(struct orders, "delay", MEMBER_NUMBER, delay), behind which may stand
 * what else there is, as .most = 100; and a table of them.
 */
#define MEMBER_ROW(type_, key_, kind_, member_, ...)                           \
	{ .key = STR(key_), .kind = kind_, .offset = offsetof(type_, member_), __VA_ARGS__ }
#define MEMBER_TABLE(rows_) { rows_, sizeof(rows_) / sizeof((rows_)[0]) }

/* Appends its line. */
void member_write(const void *object, const struct member *row, struct buf *to);

/* Appends them all, in the order of the table. */
void members_write(const void *object, const struct member_table *table,
		   struct buf *to);

/* What stands before and behind the first "=" of a line. ERR_FORMAT: there is none. */
bool member_split(struct str line, struct str *key, struct str *value, struct err *err);

/* The row of a key, or NULL. */
const struct member *member_find(const struct member_table *table, struct str key);

/* Reads a value. Texts live in the arena, end with 0. ERR_FORMAT with the key; ERR_MEMORY. */
bool member_read(void *object, const struct member *row, struct str value,
		 struct arena *arena, struct err *err);

/* "true" or "false"; else an error of that kind. */
bool member_flag(struct str value, bool *flag, enum err_kind kind, struct err *err);

/* ERR_FORMAT: this key is unknown. */
bool member_unknown(struct str key, struct err *err);

/* Appends a text as it stands in a line. A value may have "=" in it, a key may not. */
void member_escape(struct buf *to, struct str text, bool is_key);

/*
 * Takes a text off the front, up to a "=" that is meant as one, if it is a key, or all of
 * it: a copy without backslashes, in the arena, that ends with 0. ERR_FORMAT; ERR_MEMORY.
 */
bool member_unescape(struct arena *arena, struct str *rest, bool is_key,
		     struct str *text, struct err *err);

#endif
