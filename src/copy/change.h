/*
 * change.h - what changes in the values of a chunk that is written again.
 *
 * In constants: keys of missing constants (standin.h) and secrets (redact.h). Where
 * recordings are merged, and there in events, too: keys (keys.h), ticks (retime.h), and
 * the numbers of types (numbers.h) that settings of event types refer to.
 */
#ifndef COPY_CHANGE_H
#define COPY_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "copy/accept.h"
#include "copy/keys.h"
#include "copy/redact.h"
#include "copy/retime.h"
#include "copy/standin.h"
#include "jfr/rewrite.h"

struct change {
	const struct keys *keys;	/* of this chunk */
	const struct accept *accept;	/* with the numbers of types */
	struct retime retime;
	struct standin *standin;
	struct redaction *redaction;
	bool has_keys;			/* some change, of constants that are there */
	bool has_numbers;		/* times or numbers of types do */
};

/* Finds out what changes at all; the other members are set. */
void change_open(struct change *change, bool is_merged);

/* What the key of a constant that is there becomes. */
uint64_t change_key(const struct change *change, const struct type *type, uint64_t key);

/*
 * How to write constants, and events of merged recordings; both are still to be opened,
 * and refer to the change.
 */
struct rewrite change_of_constants(struct change *change, bool is_redacted);
struct rewrite change_of_events(struct change *change);

#endif
