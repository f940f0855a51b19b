/*
 * redact.h - secrets replaced, wherever they occur.
 *
 *	struct redact redact = { .is_collecting = false };
 *
 *	redact_set_key(&redact, key);
 *	if (!redact_set_fields(&redact, STR("host,*.path"))) ...
 *	if (!redaction_collect(&redact, &input, &err)) ...	all chunks, read once
 *	... copy.redact = &redact;			copied, read a second time
 *	redact_clear(&redact);
 *
 * The values of some fields are secret: environment variables, system properties, command
 * lines, and those that were set. In these fields each is replaced by a pseudonym. Where
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

#include "base/buf.h"
#include "base/finder.h"
#include "base/siphash.h"
#include "base/str.h"
#include "base/vec.h"

struct redact_field {
	struct str pattern;
	bool is_used;		/* it matches a field with text */
};

/* Zeroed it has no fields of its own, and is one to be cleared. */
struct redact {
	VEC(struct redact_field) fields;	/* only read by others */
	struct siphash_key key;
	struct finder values;
	bool is_collecting;
};

/* Adds patterns of fields, separated by commas, borrowed. False without memory. */
bool redact_set_fields(struct redact *redact, struct str patterns);

/* Under the same key pseudonyms are the same. No text (bytes NULL): a random key. */
void redact_set_key(struct redact *redact, struct str text);

/*
 * Between these secret texts that are met are kept, to be sought; is_full tells why
 * memory seems to be short. False without memory.
 */
void redact_start(struct redact *redact);
bool redact_meet(struct redact *redact, struct str text);
bool redact_is_full(const struct redact *redact);
bool redact_finish(struct redact *redact);

/* Appends a pseudonym; nothing, if values leave no other choice. */
void redact_add_pseudonym(const struct redact *redact, struct str text, struct buf *to);

void redact_clear(struct redact *redact);

#endif
