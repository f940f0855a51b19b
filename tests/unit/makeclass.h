/*
 * makeclass.h - class files for tests, made of tables.
 *
 *	static const struct make_method methods[] = {
 *		{ .name = "m", .descriptor = "()V", .stack = 0, .locals = 1,
 *		  .code = RAW("\xb1") },
 *		{ 0 },
 *	};
 *	static const struct make_class table = { .name = "a/B", .methods = methods };
 *
 *	make_class(&table, &bytes);
 *
 * Constants of a table have the indexes 1, 2, ... so that code can name them; those that
 * names need come behind. Nothing is checked: tests make what is wrong with it, too.
 */
#ifndef UNIT_MAKECLASS_H
#define UNIT_MAKECLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "classfile/constant.h"

#define RAW(literal) { (literal), sizeof(literal) - 1 }

/* Texts for Utf8; for others what `a` and `b` are: indexes, or halves of a number. */
struct make_constant {
	int tag;
	const char *text;
	uint16_t a, b;
};

struct make_attribute {
	const char *name;
	struct str content;
};

struct make_method {
	uint16_t access;
	const char *name, *descriptor;	/* name NULL: the end of the table */
	uint16_t stack, locals;
	struct str code;		/* size 0: it has none */
	struct str entries;		/* of the exception table: 8 bytes each */
	struct make_attribute attributes[6];	/* of its code */
	const char *annotations[3];	/* descriptors */
	bool is_synthetic;		/* by an attribute */
};

struct make_class {
	uint16_t major;			/* 0: 52 */
	uint16_t access;
	const char *name;
	const char *super_name;		/* NULL: java/lang/Object; "": none */
	const char *interfaces[3];
	const char *annotations[3];
	const struct make_constant *constants;	/* ends with tag 0; may be NULL */
	const struct make_method *methods;	/* may be NULL */
	unsigned more_constants;	/* so many more, that nobody needs */
};

/* Appends it. */
void make_class(const struct make_class *table, struct buf *to);

/* A class that has a bit of everything: jumps, a switch, frames, tables, a constructor. */
extern const struct make_class make_class_rich;

#endif
