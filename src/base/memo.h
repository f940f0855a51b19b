/*
 * memo.h - texts made once and read by all threads.
 *
 * A memo is a table of cells: a column for each constant of a pool, a row for each
 * way to write it. A cell is empty or holds bytes that never change again. Looking
 * up takes no lock. Two threads may both make the text of a cell: the first to put
 * it wins, the other's is dropped. All memos of a memo_store share its memory and
 * its limit: past the limit nothing more is kept, and texts are made anew each time.
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

typedef _Atomic(const struct memo_text *) memo_cell;

/* Shown for memo_find alone. */
struct memo {
	struct memo_store *store;
	struct memo *next;		/* of the store's */
	size_t row_count;
	size_t count;			/* cells in a row */
	_Atomic(memo_cell *) rows[];	/* NULL until the first text is kept there */
};

/* At most `limit` bytes of text (and cells) are kept. NULL: out of memory. */
struct memo_store *memo_store_new(size_t limit);

/* Gives back the store, its memos and their texts; no thread may be left in them. */
void memo_store_free(struct memo_store *store);		/* NULL is allowed */

/*
 * A memo of empty cells, owned by the store; a row takes up next to nothing until it
 * is used. NULL: no memory, or full.
 */
struct memo *memo_new(struct memo_store *store, size_t rows, size_t count);

/* The text, or { NULL, 0 } when the cell is empty. A NULL memo is always empty. */
static inline struct str memo_find(const struct memo *memo, size_t row, size_t cell)
{
	const struct memo_text *text;
	memo_cell *cells;

	if (!memo || row >= memo->row_count || cell >= memo->count)
		return (struct str){ NULL, 0 };
	cells = atomic_load_explicit(&memo->rows[row], memory_order_acquire);
	text = cells ? atomic_load_explicit(&cells[cell], memory_order_acquire) : NULL;
	return text ? (struct str){ text->bytes, text->size } : (struct str){ NULL, 0 };
}

/* Keeps a copy of the text if there is room; no matter if not. A NULL memo has none. */
void memo_put(struct memo *memo, size_t row, size_t cell, struct str text);

#endif
