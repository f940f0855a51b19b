/*
 * change.h - what changes in the values of a chunk that is written again.
 *
 * Secrets (redact.h), keys of constants that are missing (standin.h), and where recordings
 * are merged times (retime.h), some keys (keys.h) and numbers of event types (numbers.h).
 * All else keeps its bytes. In the first run over a chunk, which counts, the values must
 * come out as in the second, which writes.
 */
#ifndef COPY_CHANGE_H
#define COPY_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "copy/keys.h"
#include "copy/redact.h"
#include "copy/retime.h"
#include "copy/standin.h"
#include "copy/types.h"
#include "jfr/event.h"
#include "jfr/pool.h"
#include "jfr/rewrite.h"

struct change {
	/* Set before, the rest zeroed. */
	const struct chunk *chunk;	/* its pools are loaded */
	const struct types *types;
	struct redact *redact;		/* NULL: there are no secrets */
	struct keys *keys;		/* settled for the chunk */
	struct retime retime;		/* both clocks the same: times stay */
	/* private, but to read */
	struct standin standin;
	struct redaction redaction;
	struct rewrite constants, events;
	struct buf body;		/* of an event on its way */
};

/* False without memory; then, too: change_close. */
bool change_open(struct change *change);

/* True if nothing changes but what secrets do. */
bool change_is_none(const struct change *change);

/* What a key becomes in front of its constant. */
uint64_t change_key(const struct change *change, const struct type *type, uint64_t key);

/* Appends the value of the constant at this place of the pool. */
void change_constant(struct change *change, const struct pool *pool, uint32_t index,
		     struct buf *to);

/* True if the event, which can be read, does not keep its bytes. */
bool change_concerns(struct change *change, const struct event *event);

/* Appends such an event. False without memory. */
bool change_event(struct change *change, const struct event *event, struct buf *to);

void change_close(struct change *change);

#endif
