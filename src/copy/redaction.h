/*
 * redaction.h - what redact.h has to do with a chunk: its fields, texts, metadata.
 *
 *	redaction_open(&redaction, redact, chunk)	also finds secrets, if asked to
 *	... redaction_text, redaction_constant, in a struct rewrite
 *	tree = redaction_tree(&redaction, root, &arena);
 *	redaction_close(&redaction);
 */
#ifndef COPY_REDACTION_H
#define COPY_REDACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/finder.h"
#include "copy/redact.h"
#include "jfr/chunk.h"
#include "jfr/element.h"
#include "jfr/input.h"
#include "jfr/rewrite.h"

/*
 * Finds the secret values in all chunks of the input, which is then rewound. False with
 * err: no memory, too many values, or no chunk at all.
 */
bool redaction_collect(struct redact *redact, struct input *input, struct err *err);

struct redaction {
	struct redact *redact;
	const struct chunk *chunk;
	bool **fields;		/* by type index, by place: it is secret; NULL: none is */
	bool *is_concerned;	/* by type index: there is such a field in its values */
	uint64_t **marks;	/* by type index, a bit for each constant: it is secret */
	uint64_t **descriptors;	/* likewise: it is what a method takes and gives */
	bool is_secret;		/* the constant that is being written */
	bool is_descriptor;	/* likewise */
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
