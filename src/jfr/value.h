/*
 * value.h - decoding: programs, and the values they give.
 *
 * Each type is compiled (compile.h) once per chunk into a flat program: one operation
 * for each primitive, string, reference or array in it, structs inside it unrolled.
 * Running it over an event or a constant gives one value per operation, in order; a
 * field knows the slot where its values begin. Values borrow from the file or, where
 * text had to be converted, from the arena given.
 */
#ifndef JFR_VALUE_H
#define JFR_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "jfr/cursor.h"

struct pool;
struct type;

enum op_kind {
	OP_NONE,
	OP_BOOLEAN,
	OP_BYTE,
	OP_SHORT,
	OP_CHAR,
	OP_INT,
	OP_LONG,
	OP_FLOAT,
	OP_DOUBLE,
	OP_STRING,
	OP_REFERENCE,	/* a key into the pool of op.type */
	OP_ARRAY,	/* a count, then that many runs of op.element */
};

struct op {
	enum op_kind kind;
	const struct type *type;		/* OP_REFERENCE */
	const struct program *element;		/* OP_ARRAY */
};

struct program {
	const struct op *ops;
	uint32_t count;
	bool is_broken;		/* the type cannot be decoded; count is 0 */
	bool is_varints;	/* compressed integers alone, as stack frames are */
};

/* How a string is stored: the byte in front of it. */
enum string_encoding {
	STRING_NULL,
	STRING_EMPTY,
	STRING_POOLED,	/* a key into the pool of java.lang.String */
	STRING_UTF8,
	STRING_CHARS,	/* UTF-16 units, each a varint */
	STRING_LATIN1,
};

/* Values in one program at most; deeper or wider types are broken. */
#define PROGRAM_VALUES_MAX 4096

/* Arrays in arrays (of structs) deeper than this are not decoded. */
#define VALUE_DEPTH_MAX 64

struct value {
	union {
		int64_t number;		/* boolean .. long; the key of a reference */
		double real;		/* float, double */
		struct str text;	/* string; bytes NULL: null */
		struct {		/* array: its elements, still encoded */
			const unsigned char *elements;
			uint32_t size;	/* bytes */
			uint32_t count;
		};
	};
};

/*
 * Runs the program over the cursor into values[0..program->count). Pooled strings
 * are looked up in `strings` (NULL: there are none). Strings that are not plain ASCII
 * are converted into `arena`. False when the bytes do not fit the program, or when
 * there is no memory for a string: then arena->failed is set.
 */
bool value_decode(const struct program *program, struct cursor *cursor,
		  const struct pool *strings, struct value *values,
		  struct arena *arena);

/* Goes past one value of the program without looking at it. */
bool value_skip(const struct program *program, struct cursor *cursor);

/* One string with its encoding byte, as in an event or a metadata event. */
bool value_string(struct cursor *cursor, const struct pool *strings, struct str *text,
		  struct arena *arena);

#endif
