/*
 * schema.h - types described in C, to be written as metadata.
 *
 *	static const struct schema_type types[] = {
 *		TYPE("jdk.types.Symbol", NULL, .is_simple = true,
 *		     FIELDS(FIELD("string", "java.lang.String"))),
 *		TYPE("shop.Sale", "jdk.jfr.Event",
 *		     FIELDS(FIELD("startTime", "long", TICKS),
 *			    FIELD("what", "jdk.types.Symbol", POOLED)),
 *		     NOTES(NOTE("jdk.jfr.Label", "Sale"))),
 *		TYPES_END,
 *	};
 *
 * Primitives, java.lang.String and annotation types need not be described; all else
 * must be. Each type gets an id when it is added, and keeps it. Descriptions are
 * borrowed until schema_clear; those the macros build inside a function live only as
 * long as the block around them.
 */
#ifndef JFR_SCHEMA_H
#define JFR_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "jfr/element.h"

/* A member of an annotation; element 2 of an array `m` is called "m-2". */
struct schema_member {
	const char *name;
	const char *text;
};

struct schema_note {
	const char *type;
	const char *value;			/* the member `value`; NULL: none */
	const struct schema_member *members;	/* others; NULL: none */
};

struct schema_field {
	const char *name;
	const char *type;
	const struct schema_note *notes;
	bool is_pooled;
	bool is_array;
};

struct schema_setting {
	const char *name;
	const char *type;
	const char *value;	/* the default */
};

struct schema_type {
	const char *name;
	const char *super;	/* NULL: a struct */
	const struct schema_field *fields;
	const struct schema_note *notes;
	const struct schema_setting *settings;
	bool is_simple;
	int64_t id;		/* 0: the next that is free */
};

/* Lists end with an item without a name, which these macros add. */
#define TYPE(name_, super_, ...)                                               \
	{ .name = (name_), .super = (super_), __VA_ARGS__ }
#define TYPES(...)                                                             \
	(const struct schema_type[]){ __VA_ARGS__, TYPES_END }
#define TYPES_END { .name = NULL }
#define FIELDS(...)                                                            \
	.fields = (const struct schema_field[]){ __VA_ARGS__, { .name = NULL } }
#define FIELD(name_, type_, ...)                                               \
	{ .name = (name_), .type = (type_), __VA_ARGS__ }
#define NOTES(...)                                                             \
	.notes = (const struct schema_note[]){ __VA_ARGS__, { .type = NULL } }
#define NOTE(type_, value_)                                                    \
	{ .type = (type_), .value = (value_) }
#define MARK(type_)                                                            \
	{ .type = (type_) }
#define NOTE_OF(type_, ...)                                                    \
	{ .type = (type_), .members = (const struct schema_member[]){          \
		__VA_ARGS__, { .name = NULL } } }
#define MEMBER(name_, text_)                                                   \
	{ .name = (name_), .text = (text_) }
#define SETTINGS(...)                                                          \
	.settings = (const struct schema_setting[]){ __VA_ARGS__, { .name = NULL } }
#define SETTING(name_, type_, value_)                                          \
	{ .name = (name_), .type = (type_), .value = (value_) }

/* What many fields have. */
#define POOLED .is_pooled = true
#define ARRAY .is_array = true
#define TICKS NOTES(NOTE("jdk.jfr.Timestamp", "TICKS"))
#define SPAN NOTES(NOTE("jdk.jfr.Timespan", "TICKS"))

struct schema {
	VEC(struct schema_type) types;
	int64_t next_id;
	int64_t version;	/* grows whenever a type is added */
	const char *locale;	/* NULL: "en_US" */
	int gmt_offset;		/* milliseconds east of UTC */
	int dst;		/* milliseconds added in summer */
	struct arena arena;	/* annotation types that nobody described */
	bool failed;		/* out of memory */
};

/* Adds a list of types. A zeroed schema is valid and holds none. */
void schema_add(struct schema *schema, const struct schema_type *types);

/* The id of the type, or -1. */
int64_t schema_id(const struct schema *schema, const char *name);

/*
 * The element tree of a metadata event, in `arena`; it borrows from the schema.
 * NULL without memory, or when a type is used that was never described.
 */
const struct element *schema_tree(const struct schema *schema, struct arena *arena,
				  struct err *err);

void schema_clear(struct schema *schema);

#endif
