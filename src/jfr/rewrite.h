/*
 * rewrite.h - events and constants written anew, with other keys, numbers and texts.
 *
 *	struct rewrite rewrite = { .key = ..., .text = ..., .context = ... };
 *
 *	rewrite_open(&rewrite, chunk)
 *	cursor = event_cursor(chunk, &event);		or pool_cursor: a constant
 *	rewrite_value(&rewrite, event.type, &cursor, to)
 *	rewrite_close(&rewrite);
 *
 * All that nobody replaces is copied byte by byte. For each type it is found out once
 * what there is to ask about; what lies between is hopped over. Does not recurse into
 * values; bounded by their bytes. Reads the chunk alone; for one thread.
 */
#ifndef JFR_REWRITE_H
#define JFR_REWRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "jfr/chunk.h"

/*
 * Where a value is declared: a field, in an event or in what events are made of. A
 * string that is a constant by itself has no field (NULL), its owner is java.lang.String.
 */
struct rewrite_place {
	const struct type *owner;
	const struct field *field;
};

struct rewrite {
	/* Each may be NULL: values of its kind are copied. Set before rewrite_open. */

	/* Another key for a constant, also for strings that are constants. */
	uint64_t (*key)(void *context, const struct type *type, uint64_t key);

	/* Whether keys of constants of this type are to be asked for. NULL: all are. */
	bool (*has_key)(void *context, const struct type *type);

	/*
	 * Another number, for fields of whole numbers of which has_number is true, which is
	 * asked once for each place, not for each value. The number must fit in.
	 */
	int64_t (*number)(void *context, const struct rewrite_place *place,
			  int64_t number);
	bool (*has_number)(void *context, const struct rewrite_place *place);

	/*
	 * Another text for a string that lies in the value itself: true, and *text is
	 * replaced. Null strings are not asked for. The text lives until the next one.
	 */
	bool (*text)(void *context, const struct rewrite_place *place,
		     struct str *text);

	/*
	 * Told where there is a key of a text: of java.lang.String, or of a simple type
	 * that stands for it.
	 */
	void (*pooled)(void *context, const struct rewrite_place *place,
		       const struct type *type, uint64_t key);

	void *context;
	/* private */
	const struct chunk *chunk;
	struct rewrite_plan **plans;	/* by type index; made when first needed */
	struct arena arena;
	struct arena texts;
};

/* Pools need not be loaded. False without memory; then, too: rewrite_close. */
bool rewrite_open(struct rewrite *rewrite, const struct chunk *chunk);

/* False if nothing in values of the type will be asked about: they can be copied. */
bool rewrite_concerns(struct rewrite *rewrite, const struct type *type);

/*
 * Appends all bytes of the cursor, which begin with a value of the type (the body of an
 * event, or a constant), to `to`. It is read up to the last thing to ask about. False
 * when the bytes do not fit the type that far: then a part was appended; or without
 * memory, which to->failed tells. `to` may be NULL: then all is asked, and nothing
 * written.
 */
bool rewrite_value(struct rewrite *rewrite, const struct type *type,
		   struct cursor *cursor, struct buf *to);

void rewrite_close(struct rewrite *rewrite);

#endif
