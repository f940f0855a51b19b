/*
 * memo.h - texts made once and read by all threads.
 *
 * A memo is an array of cells, one per constant of a pool; a cell is empty or
 * holds bytes that never change again. Looking up takes no lock. Two threads may
 * both make the text of a cell: the first to put it wins, the other's is dropped.
 * All memos of a memo_store share its memory and its limit: past the limit nothing
 * more is kept, and texts are made anew each time.
 */
#ifndef BASE_MEMO_H
#define BASE_MEMO_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct memo_store;

struct memo_text {
	uint32_t size;
	char bytes[];
};

/* Shown for memo_find alone. */
struct memo {
	struct memo_store *store;
	struct memo *next;		/* of the store's */
	size_t count;
	_Atomic(const struct memo_text *) cells[];
};

/* At most `limit` bytes of text (and cells) are kept. NULL: out of memory. */
struct memo_store *memo_store_new(size_t limit);
void memo_store_free(struct memo_store *store);		/* NULL is allowed */

/* A memo of `count` empty cells, owned by the store. NULL: no memory, or full. */
struct memo *memo_new(struct memo_store *store, size_t count);

/* The text, or { NULL, 0 } when the cell is empty. A NULL memo is always empty. */
static inline struct str memo_find(const struct memo *memo, size_t cell)
{
	const struct memo_text *text;

	if (!memo || cell >= memo->count)
		return (struct str){ NULL, 0 };
	text = atomic_load_explicit(&memo->cells[cell], memory_order_acquire);
	return text ? (struct str){ text->bytes, text->size } : (struct str){ NULL, 0 };
}

/* Keeps a copy of the text if there is room; no matter if not. A NULL memo has none. */
void memo_put(struct memo *memo, size_t cell, struct str text);

#endif
