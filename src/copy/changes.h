/*
 * changes.h - what becomes of the values of a chunk when it is written again.
 *
 *	struct changes changes = { .retime = ..., .keys = ... };
 *
 *	changes_open(&changes, chunk, &types, redact)
 *	... changes_add_event, changes_add_constant
 *	changes_close(&changes);
 *
 * Keys become those of merged recordings (keys.h), or, of missing constants, those of
 * stand-ins (standin.h), times those of another clock (retime.h), numbers of types new
 * ones (types.h), and secrets pseudonyms (redaction.h). All else stays, byte by byte.
 */
#ifndef COPY_CHANGES_H
#define COPY_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "copy/keys.h"
#include "copy/redaction.h"
#include "copy/retime.h"
#include "copy/standin.h"
#include "copy/types.h"
#include "jfr/chunk.h"
#include "jfr/event.h"
#include "jfr/rewrite.h"

struct changes {
	/* Set before changes_open. */
	struct retime retime;		/* zeroed: times stay */
	const struct keys *keys;	/* that are other ones */
	/* Only read by others. */
	struct standin standin;
	struct redaction redaction;
	bool has_keys;			/* some of the chunk's types have such keys */
	/* private */
	const struct chunk *chunk;
	const struct types *types;
	struct rewrite constants, bodies;
	struct buf body;		/* of an event, on its way */
};

/* The chunk's pools must be loaded. False without memory; then, too: changes_close. */
bool changes_open(struct changes *changes, const struct chunk *chunk,
		  const struct types *types, struct redact *redact);

/* True if the event, of a known type that it fits, does not keep its bytes. */
bool changes_concern(struct changes *changes, const struct event *event);

/* Appends the event as it will be. False without memory. */
bool changes_add_event(struct changes *changes, const struct event *event, struct buf *to);

/* The key of a constant. */
uint64_t changes_key(const struct changes *changes, const struct type *type,
		     uint64_t key);

/* Appends the value of a constant; redaction.failed or to->failed: without memory. */
void changes_add_constant(struct changes *changes, const struct pool *pool, uint32_t index,
			  struct buf *to);

void changes_close(struct changes *changes);

#endif
