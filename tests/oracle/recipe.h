/*
 * recipe.h - what a random recording is made of: its types and its constants.
 *
 * All of it is such that a JDK can print it (format.md 10): constants form no
 * rings, keys mean the same in all chunks, classes have names, methods a class. What
 * is annotated as a time is an integer that is always there.
 */
#ifndef ORACLE_RECIPE_H
#define ORACLE_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "jfr/header.h"
#include "jfr/schema.h"

struct stock_entry {
	uint64_t key;
	struct str bytes; /* the encoded value */
};

/* The constants of one type. */
struct stock {
	struct schema_type type;
	VEC(struct stock_entry) entries;
};

struct recipe {
	struct arena arena;
	struct header header; /* of the first chunk */
	const char *prefix;   /* of the names of the JDK's types */
	bool has_arrays;      /* pretty print fails in the JDK */
	bool is_wild;	      /* timespans beyond 292 years: --exact fails */
	bool is_padded;	      /* integers are longer than need be */
	int64_t last_id;
	VEC(struct schema_type) types; /* all but events */
	VEC(struct schema_type) events;
	VEC(struct schema_type) retired; /* events no longer declared */
	VEC(struct stock) stocks;
};

/* Chooses everything; `header` has to be chosen before. */
void recipe_begin(struct recipe *recipe);

/* True if there are contextual events. */
bool recipe_has_contexts(const struct recipe *recipe);

/* Changes some of the event types, as between two chunks; false if none. */
bool recipe_vary(struct recipe *recipe);

/* The types as a list for schema_add. */
const struct schema_type *recipe_types(struct recipe *recipe);

/* Appends the fields of an event that began at that tick. */
void recipe_event(struct recipe *recipe, struct buf *to, const struct schema_type *type,
		  int64_t tick);

void recipe_varint(const struct recipe *recipe, struct buf *to, uint64_t number);

void recipe_clear(struct recipe *recipe);

/* Below: between recipe.c, which makes types, and stock.c, which makes values. */

/* Makes the constants of all types that can be pooled. */
void stock_fill(struct recipe *recipe);

/* The annotation of that type, or NULL. */
const struct schema_note *recipe_note(const struct schema_note *notes,
				      const char *type);

/* True if the field is annotated as a point in time or a length of it. */
bool recipe_is_time(const struct schema_field *field);

bool recipe_is_contextual(const struct schema_type *event);

/* The name as the recording has it: without the prefix "jdk.types." or the like. */
const char *recipe_short(const struct recipe *recipe, const char *name);

/* A copy of what the buffer holds, which is then empty. */
char *recipe_copy(struct recipe *recipe, struct buf *text);

#endif
