/*
 * redact.h - secrets replaced, wherever they occur.
 *
 *	struct redact redact = { .fields = STR("host,*.path") };
 *
 *	redact_set_key(&redact, key);
 *	if (!redact_collect(&redact, &input, &err)) ...		all chunks, read once
 *	... copy.redact = &redact;			copied, read a second time
 *	redact_clear(&redact);
 *
 * The values of some fields are secret: environment variables, system properties, command
 * lines, and what `fields` names. In these fields each is replaced by a pseudonym. Where
 * one of four characters or more occurs in any other string of the recording, or as a part
 * of it, that is replaced as well: in events, in constants, in what metadata says to
 * people. Only names in the metadata stay, and some words that mean nothing ("true").
 *
 * A pseudonym depends on what it stands for, and on the key; without the key nobody can
 * tell from it what that was, or try out what it might have been.
 */
#ifndef COPY_REDACT_H
#define COPY_REDACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/finder.h"
#include "base/siphash.h"
#include "base/str.h"
#include "base/vec.h"
#include "jfr/chunk.h"
#include "jfr/element.h"
#include "jfr/input.h"
#include "jfr/rewrite.h"

struct redact {
	struct str fields;	/* patterns of more fields (redact_matches); bytes NULL: none */
	/* private */
	struct siphash_key key;
	struct finder values;
	bool is_collecting;
	VEC(bool) used;		/* by pattern in fields: it matches a field with text */
};

/* Under the same key pseudonyms are the same. No text (bytes NULL): a random key. */
void redact_set_key(struct redact *redact, struct str text);

/*
 * Finds the secret values in all chunks of the input, which is then rewound. False with
 * err: no memory, too many values, or no chunk at all.
 */
bool redact_collect(struct redact *redact, struct input *input, struct err *err);

/* The next of the patterns in `fields` that matched no field; *at is 0 before the first. */
bool redact_unused(const struct redact *redact, size_t *at, struct str *pattern);

void redact_clear(struct redact *redact);

/* What a chunk has to do with it. */
struct redaction {
	struct redact *redact;
	const struct chunk *chunk;
	bool **fields;		/* by type index, by place: it is secret; NULL: none is */
	bool *is_concerned;	/* by type index: there is such a field in its values */
	uint64_t **marks;	/* by type index, a bit for each constant: it is secret */
	bool is_secret;		/* the constant that is being written */
	bool has_names;		/* a secret value is in a name of the metadata */
	bool failed;		/* no memory, or too many values */
	struct arena arena;
	struct buf text;
	struct finder_spans spans;
};

/* The chunk's pools must be loaded. False without memory; then, too: redaction_close. */
bool redaction_open(struct redaction *redaction, struct redact *redact,
		    const struct chunk *chunk);

/* For a struct rewrite of events: another text, if there is anything secret in it. */
bool redaction_text(void *redaction, const struct rewrite_place *place,
		    struct str *text);

/* The same for constants, of which the one at this place of the type's pool comes next. */
void redaction_begin(struct redaction *redaction, const struct type *type,
		     uint32_t index);
bool redaction_constant(void *redaction, const struct rewrite_place *place,
			struct str *text);

/* The tree of metadata, with other texts for people; NULL without memory. */
const struct element *redaction_tree(struct redaction *redaction,
				     const struct element *root, struct arena *arena);

void redaction_close(struct redaction *redaction);

#endif
