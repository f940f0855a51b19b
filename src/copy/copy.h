/*
 * copy.h - chunks written again: finished, whole, and as the JDK's readers take them.
 *
 *	struct copy copy = { .sink = write, .context = &file };
 *
 *	if (!copy_input(&copy, &input, &damage, &err)) ...
 *	copy_clear(&copy);
 *
 * A chunk that is finished and intact, and that the JDK would take, is copied byte for
 * byte, or with what is not wanted left out: header, events, constants, metadata
 * (scrub.h). Of any other one a new chunk is made of what can be read: header, metadata,
 * constants, events, in this order. Metadata is mended if the JDK refuses it (mend.h),
 * types get other numbers if it would take them for what they were in the chunks before
 * (numbers.h), and constants that it cannot do without are stood in for (standin.h).
 * Copying a copy gives the same bytes. Events keep their bytes, but for secrets in them,
 * and where recordings are merged (changes.h).
 *
 * A chunk is gone over twice: once to see what it will become, once to write it. So the
 * output comes in one go, and takes little memory, whatever the size of the chunk.
 */
#ifndef COPY_COPY_H
#define COPY_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "copy/keys.h"
#include "copy/numbers.h"
#include "copy/redact.h"
#include "copy/removed.h"
#include "filter/filter.h"
#include "filter/outcome.h"
#include "jfr/chunk.h"
#include "jfr/damage.h"
#include "jfr/input.h"

struct copy;

/* Takes the next bytes of the output. False, with err: nothing more is given to it. */
typedef bool copy_sink(void *context, const void *bytes, size_t size, struct err *err);

/*
 * Told each chunk before it is written, its constants loaded: says what `from`, `to`
 * and the numbers have to be for it. False without memory.
 */
typedef bool copy_meet(struct copy *copy, const struct chunk *chunk);

struct copy {
	copy_sink *sink;
	void *context;			/* of the sink */
	const struct filter *filter;	/* resolved; NULL: all events are wanted */
	bool is_pruned;			/* only constants that events refer to */
	struct redact *redact;		/* secrets, collected before; NULL: all stays */
	/* For merge.h. */
	copy_meet *meet;		/* NULL: chunks keep their times and keys */
	struct clock from;		/* the clock of the chunk */
	struct header to;		/* and the one that its times are written in */
	struct keys keys;		/* those that change in the chunk */
	/* What was written so far, in all chunks. */
	uint64_t chunks;
	uint64_t events;		/* metadata and checkpoints not counted */
	uint64_t bytes;
	/* What was not, because it cannot be read or written. */
	uint64_t lost_chunks;
	uint64_t lost_events;
	/* What the filter did not take, and why. */
	struct removed removed;
	struct outcome outcome;
	uint64_t twofold_chunks;	/* that are there already */
	struct numbers numbers;		/* of types in the chunks so far */
};

/*
 * Copies an open chunk, whose constants it loads. What is lost is added to `damage`.
 * False when memory runs out, or the sink takes no more.
 */
bool copy_chunk(struct copy *copy, struct chunk *chunk, bool is_last,
		struct damage *damage, struct err *err);

/* Copies all chunks of the input that can be opened. False also if there is none. */
bool copy_input(struct copy *copy, struct input *input, struct damage *damage,
		struct err *err);

/* Gives the memory back, but not that of removed and outcome; the counts stay. */
void copy_clear(struct copy *copy);

#endif
